import type { AnyPlugin, PluginContext, PluginParts } from '../plugin.ts'
import type { Switchboard } from '../ports.ts'

/** A plugin with what its `setup` handed back. */
export interface SetUpPlugin {
  readonly plugin: AnyPlugin
  readonly parts: PluginParts<unknown>
}

/** Sets plugins up in order, and binds what each of them hands back. */
export async function setUpAll(
  plugins: readonly AnyPlugin[],
  contextOf: (plugin: AnyPlugin) => PluginContext<never>,
  wiring: Switchboard,
): Promise<SetUpPlugin[]> {
  const setUp: SetUpPlugin[] = []
  for (const plugin of plugins) {
    const parts = await plugin.setup(contextOf(plugin))
    for (const binding of parts.ports ?? []) wiring.bind(plugin.id, binding)
    for (const port of plugin.provides ?? []) {
      if (wiring.find(port) === undefined)
        throw new Error(`plugin ${plugin.id} declares the port ${port.id} and does not bind it`)
    }
    for (const extension of parts.extensions ?? []) wiring.extend(extension, plugin)
    setUp.push({ plugin, parts })
  }
  return setUp
}

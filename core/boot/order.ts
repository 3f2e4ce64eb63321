import type { AnyPlugin } from '../plugin.ts'
import { ManifestError } from './check.ts'
import { orDidYouMean } from './suggest.ts'

/** Orders plugins with every requirement before its dependant, otherwise as given. Throws on missing or cyclic ones. */
export function inOrder(plugins: readonly AnyPlugin[]): AnyPlugin[] {
  const byId = new Map(plugins.map(plugin => [plugin.id, plugin]))
  const faults = plugins.flatMap(plugin =>
    (plugin.requires ?? [])
      .filter(id => !byId.has(id))
      .map(id => {
        const hint = orDidYouMean(id, [...byId.keys()], 'add it to PLUGINS')
        return `plugin ${plugin.id} requires the plugin ${id}, which is not loaded; ${hint}`
      }),
  )
  if (faults.length > 0) throw new ManifestError(faults)
  const done = new Set<string>()
  const ordered: AnyPlugin[] = []
  const visit = (plugin: AnyPlugin, path: readonly string[]): void => {
    if (done.has(plugin.id)) return
    if (path.includes(plugin.id)) {
      const circle = [...path.slice(path.indexOf(plugin.id)), plugin.id]
      const shown = circle.join(' -> ')
      const remedy = 'take one of these out of `requires` or `optional`'
      throw new ManifestError([`plugin ${plugin.id}: plugins require one another in a circle: ${shown}; ${remedy}`])
    }
    for (const id of [...(plugin.requires ?? []), ...(plugin.optional ?? [])]) {
      const needed = byId.get(id)
      if (needed) visit(needed, [...path, plugin.id])
    }
    done.add(plugin.id)
    ordered.push(plugin)
  }
  for (const plugin of plugins) visit(plugin, [])
  return ordered
}

import { ConfigError } from '../config.ts'
import { CORE_CHECKS } from '../http/readiness-check.ts'
import type { Logger } from '../log.ts'
import type { AnyPlugin, PluginContext, PluginParts } from '../plugin.ts'
import type { Switchboard } from '../ports.ts'
import { describe, orDidYouMean } from '../suggest.ts'
import { ManifestError } from './check.ts'
import { checkContributions, contributed, type OwnedExtension } from './contributions.ts'
import { readParts } from './manifest/read.ts'
import type { PluginSelection } from './select.ts'
import { type TimeLimit, withinLimit } from './time-limit.ts'

/** A plugin with what its `setup` handed back. */
export interface SetUpPlugin {
  readonly plugin: AnyPlugin
  readonly parts: PluginParts<unknown>
}

export interface SetUpOptions {
  readonly selection: PluginSelection
  contextOf(plugin: AnyPlugin): PluginContext<never>
  readonly wiring: Switchboard
  readonly limit: TimeLimit
  readonly log: Logger
  /** Gets each plugin as soon as it is set up, so that those before one that fails can be stopped. */
  readonly done: SetUpPlugin[]
}

/** Plugins may wait for other services before they are ready; no start waits longer than this. */
export const SETUP_LIMIT: TimeLimit = { noticeMs: 10_000, limitMs: 60_000 }

/** Sets plugins up in order, and binds and adds what each of them hands back. */
export async function setUpAll({ selection, contextOf, wiring, limit, log, done }: SetUpOptions): Promise<void> {
  const extensions: OwnedExtension[] = []
  for (const plugin of selection.loaded) {
    const parts = await setUp(plugin, contextOf(plugin), limit, log)
    done.push({ plugin, parts })
    bindPorts(plugin, parts, wiring)
    extensions.push(...(parts.extensions ?? []).map(extension => ({ plugin, extension })))
  }
  const faults = [...checkContributions(extensions, selection), ...duplicateChecks(done)]
  if (faults.length > 0) throw new ManifestError(faults)
  for (const { plugin, extension } of extensions) {
    wiring.extend({ ...extension, value: contributed(plugin.id, extension.value) }, plugin)
  }
}

async function setUp(plugin: AnyPlugin, context: PluginContext<never>, limit: TimeLimit, log: Logger) {
  let given: unknown
  try {
    const work = Promise.try(() => plugin.setup(context))
    given = await withinLimit(`plugin ${plugin.id}: setup`, work, limit, log)
  } catch (error) {
    // Settings that do not fit together are shown as other settings are.
    if (error instanceof ConfigError) throw error
    throw setUpFailure(plugin, error)
  }
  const reading = readParts(plugin.id, given)
  if ('faults' in reading) throw new ManifestError(reading.faults)
  return reading.value
}

function setUpFailure({ id }: AnyPlugin, error: unknown): Error {
  const message = error instanceof Error ? error.message : `it threw ${describe(error)}, which is no Error`
  // The limit's own sentence, and those of the kernel about this plugin, name it already.
  if (message.startsWith(`plugin ${id}:`)) return error instanceof Error ? error : new Error(message)
  return new Error(`plugin ${id}: setup failed: ${message}`, { cause: error })
}

function bindPorts(plugin: AnyPlugin, { ports = [] }: PluginParts<unknown>, wiring: Switchboard): void {
  const declared = (plugin.provides ?? []).map(({ id }) => id)
  const faults: string[] = []
  const bound = new Set<string>()
  for (const binding of ports) {
    const { id } = binding.port
    if (!declared.includes(id)) {
      faults.push(
        `binds the port ${id}, which is not in its \`provides\`; ${orDidYouMean(id, declared, 'add it there')}`,
      )
    } else if (bound.has(id)) faults.push(`binds the port ${id} twice; remove one`)
    else if (binding.implementation === undefined) faults.push(`binds the port ${id} to undefined`)
    else wiring.bind(plugin.id, binding)
    bound.add(id)
  }
  for (const id of declared.filter(id => !bound.has(id))) {
    faults.push(`declares the port ${id} and does not bind it; hand back bind(…) for it in \`ports\``)
  }
  if (faults.length > 0) throw new ManifestError(faults.map(fault => `plugin ${plugin.id}: ${fault}`))
}

/** `/ready` and the log show these names, so two checks of one name would look like one. */
function duplicateChecks(plugins: readonly SetUpPlugin[]): string[] {
  const owners = new Map<string, string>(CORE_CHECKS.map(name => [name, 'the core']))
  return plugins.flatMap(({ plugin, parts }) =>
    (parts.healthChecks ?? []).flatMap(({ name }) => {
      const owner = owners.get(name)
      if (owner === undefined) {
        owners.set(name, plugin.id)
        return []
      }
      return [`plugin ${plugin.id}: the health check ${name} is declared by both ${owner} and ${plugin.id}; rename it`]
    }),
  )
}

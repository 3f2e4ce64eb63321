import { eventKinds } from '../events/event-kinds.ts'
import { createOutbox, type Outbox } from '../events/outbox.ts'
import { blame, runningPlugin } from '../faults/attribution.ts'
import { payloadReader, readAsStored } from '../jobs/payload.ts'
import { createJobQueue } from '../jobs/queue.ts'
import type { JobQueue, Task } from '../jobs/task.ts'
import type { AnyPlugin, PluginContext } from '../plugin.ts'
import type { Switchboard } from '../ports.ts'
import { createSecretBox } from '../secrets/secret-box.ts'
import { orDidYouMean } from '../suggest.ts'
import type { Configuration } from './config.ts'
import { PluginMetrics } from './plugin-metrics.ts'
import type { PluginSelection } from './select.ts'
import type { Services } from './services.ts'

export interface ContextParts {
  readonly services: Services
  readonly wiring: Switchboard
  readonly selection: PluginSelection
  readonly configuration: Configuration
  /** Checks the data of events against the schemas of their kinds. */
  readonly verifyEvents: boolean
  /** Maps a plugin to the scope that its `setup` handed back; undefined before that. */
  scopeOf(plugin: string): { readonly scope: unknown } | undefined
}

/** The context of each plugin: exactly what {@link PluginContext} lists, and nothing of it can be changed for the others. */
export function createContexts(parts: ContextParts): (plugin: AnyPlugin) => PluginContext<never> {
  const { services, wiring, selection, configuration } = parts
  const queue = createJobQueue()
  const outbox = openOutbox(parts, queue)
  const tasks = new Map(selection.loaded.flatMap(({ tasks = [] }) => tasks.map(task => [task.name, task] as const)))
  const metrics = new PluginMetrics(services.metrics.registry, services.log)
  const shared = {
    database: lend(services.database, ['isConcurrent', 'system', 'workspace', 'maintain']),
    tenants: lend(services.directory, ['find', 'tenant']),
    usage: lend(services.usage, ['tokens', 'tokensIn', 'request']),
    quotas: lend(services.quotas, ['room', 'take', 'exceeded', 'list']),
    background: lend(services.background, ['run']),
    embedder: lend(services.embedder, ['modelId', 'dimensions', 'embed', 'ready']),
    embedders: lend(services.embedders, ['configured', 'open']),
    language: lend(services.language, ['modelId', 'available', 'generate']),
    reranker: lend(services.reranker, ['modelId', 'available', 'score']),
    outgoing: lend(services.outgoing, ['request', 'refusalOf']),
  }
  return plugin =>
    Object.freeze({
      ...shared,
      config: Object.freeze(configuration.plugins.get(plugin.id)) as never,
      log: services.log.child({ plugin: plugin.id }),
      metrics: metrics.for(plugin.id),
      secrets: createSecretBox(plugin.id, plugin.sealed ?? [], services.keys, services.keyWatch.isRetired),
      // Not lent: what `admits` hands back is a part of a statement, and would be sent if it were awaited.
      quarantine: Object.freeze(services.quarantine(plugin.id)),
      events: outbox.eventsOf(plugin.id),
      jobs: checkedJobs(plugin, queue, tasks),
      wiring: wiring.viewFor(plugin),
    })
}

/**
 * Subscribers come from the manifests and not from what is set up, so that an event which a plugin publishes while others are
 * still being set up reaches all of them.
 */
function openOutbox({ selection, services, verifyEvents, scopeOf }: ContextParts, queue: JobQueue): Outbox {
  const { loaded, disabled } = selection
  const recorders = loaded.flatMap(({ id, feature, recorders: own = [] }) =>
    own.map(recorder => ({ owner: id, feature, recorder, scope: () => scopeOf(id) })),
  )
  const subscribers = loaded.flatMap(({ id, feature, subscriptions = [] }) =>
    subscriptions.map(subscription => ({ owner: id, feature, subscription })),
  )
  return createOutbox({
    kinds: eventKinds(loaded, disabled),
    subscribers,
    recorders,
    queue,
    known: services.directory.known,
    verifyData: verifyEvents,
  })
}

/**
 * A job for a task that no plugin has would lie in the queue for ever, and one with a wrong payload would fail where nobody waits for it.
 * With a key of another plugin's it would replace that one's job, or wait in its line.
 */
function checkedJobs({ id }: AnyPlugin, queue: JobQueue, tasks: ReadonlyMap<string, Task>): JobQueue {
  return Object.freeze<JobQueue>({
    async enqueue(tx, jobs) {
      for (const { task: name, payload, key, limit } of jobs) {
        const task = tasks.get(name)
        if (!task) {
          const hint = orDidYouMean(name, [...tasks.keys()], 'add it to `tasks`')
          throw new Error(`plugin ${id}: enqueues the task ${name}, which no loaded plugin has; ${hint}`)
        }
        const reading = readAsStored(payloadReader(task.payload), payload)
        if (!reading.valid)
          throw new Error(
            `plugin ${id}: enqueues ${name} with a payload that does not fit: ${reading.faults.join(', ')}`,
          )
        const strange = [key, limit?.key].find(given => given !== undefined && !given.startsWith(`${id}:`))
        if (strange !== undefined)
          throw new Error(
            `plugin ${id}: enqueues ${name} with the key ${strange}, which other plugins may use too; begin it with ${id}:`,
          )
      }
      await queue.enqueue(tx, jobs)
    },
  })
}

/**
 * Restricts a service for plugins to the listed members, which they use and cannot change or end for others.
 * @param members methods and values that plugins may have; all others are the kernel's
 */
export function lend<T extends object, K extends keyof T & string>(
  service: T,
  members: readonly K[],
): Readonly<Pick<T, K>> {
  const lent = Object.fromEntries(members.map(key => [key, member(service, key)]))
  return Object.freeze(Object.defineProperties({}, lent)) as Readonly<Pick<T, K>>
}

/** A method is the same function each time; a value is read each time, since it may change in the service. */
function member<T extends object>(service: T, key: keyof T & string): PropertyDescriptor {
  const value: unknown = service[key]
  if (typeof value !== 'function') return { enumerable: true, get: () => service[key] }
  const method = (...args: unknown[]): unknown => {
    const result: unknown = Reflect.apply(value, service, args)
    return result instanceof Promise ? blaming(result) : result
  }
  return { enumerable: true, value: method }
}

/** A failure is noted for the plugin that called, in case it does not await it. */
async function blaming(result: Promise<unknown>): Promise<unknown> {
  const plugin = runningPlugin()
  try {
    return await result
  } catch (error) {
    blame(error, plugin)
    throw error
  }
}

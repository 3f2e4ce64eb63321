import type { EventPublisher } from '../events.ts'
import { createJobQueue } from '../jobs/queue.ts'
import type { JobQueue } from '../jobs/task.ts'
import { createOutbox, type MountedSubscription } from '../outbox.ts'
import type { AnyPlugin, PluginContext } from '../plugin.ts'
import type { Switchboard } from '../ports.ts'
import type { Configuration } from './config.ts'
import { lend } from './lend.ts'
import type { PluginSelection } from './select.ts'
import type { Services } from './services.ts'
import { orDidYouMean } from './suggest.ts'

export interface ContextParts {
  readonly services: Services
  readonly wiring: Switchboard
  readonly selection: PluginSelection
  readonly configuration: Configuration
  /** Filled once plugins are set up; read at each publication. */
  readonly subscriptions: readonly MountedSubscription[]
}

/** The context of each plugin: exactly what {@link PluginContext} lists, and nothing of it can be changed for the others. */
export function createContexts(parts: ContextParts): (plugin: AnyPlugin) => PluginContext<never> {
  const { services, wiring, selection, configuration, subscriptions } = parts
  const queue = createJobQueue()
  const outbox = createOutbox({ subscriptions, queue })
  const tasks = selection.loaded.flatMap(({ tasks = [] }) => tasks.map(({ name }) => name))
  const shared = {
    database: lend('database', services.database, ['system', 'workspace', 'maintain']),
    tenants: lend('tenants', services.directory, ['find', 'tenant']),
    usage: lend('usage', services.usage, ['tokens', 'request']),
    background: lend('background', services.background, ['run']),
    embedder: lend('embedder', services.embedder, ['modelId', 'dimensions', 'embed', 'ready']),
    embedders: lend('embedders', services.embedders, ['configured', 'open']),
    language: lend('language', services.language, ['modelId', 'available', 'generate']),
    metrics: services.metrics.registry,
  }
  return plugin =>
    Object.freeze({
      ...shared,
      config: Object.freeze(configuration.plugins.get(plugin.id)) as never,
      log: services.log.child({ plugin: plugin.id }),
      events: declaredEvents(plugin, outbox),
      jobs: knownTasks(plugin, queue, tasks),
      wiring: wiring.viewFor(plugin),
    })
}

/** What a plugin publishes is in its manifest, so that the reference and webhooks know every kind there is. */
function declaredEvents({ id, emits = [] }: AnyPlugin, outbox: EventPublisher): EventPublisher {
  const kinds = new Set(emits.map(({ kind }) => kind))
  return Object.freeze<EventPublisher>({
    async publish(tx, events) {
      const stray = events.find(({ kind }) => !kinds.has(kind))
      if (stray) {
        const hint = orDidYouMean(stray.kind, [...kinds], 'add it there')
        throw new Error(`plugin ${id}: publishes the event ${stray.kind}, which is not in its \`emits\`; ${hint}`)
      }
      await outbox.publish(tx, events)
    },
  })
}

/** A job for a task that no plugin has would lie in the queue for ever. */
function knownTasks({ id }: AnyPlugin, queue: JobQueue, tasks: readonly string[]): JobQueue {
  const known = new Set(tasks)
  return Object.freeze<JobQueue>({
    async enqueue(tx, jobs) {
      const stray = jobs.find(({ task }) => !known.has(task))
      if (stray) {
        const hint = orDidYouMean(stray.task, tasks, 'add it to `tasks`')
        throw new Error(`plugin ${id}: enqueues the task ${stray.task}, which no loaded plugin has; ${hint}`)
      }
      await queue.enqueue(tx, jobs)
    },
  })
}

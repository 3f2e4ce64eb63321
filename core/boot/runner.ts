import { deliveryName, type MountedSubscription, outboxTasks } from '../events/outbox.ts'
import type { MountedTask } from '../jobs/attempt.ts'
import { featureGate } from '../jobs/feature-gate.ts'
import { createJobQueue } from '../jobs/queue.ts'
import { createJobRunner, type JobRunner } from '../jobs/runner.ts'
import { checkRetentions } from '../retention/check.ts'
import { coreRetentions, housekeepingCron, housekeepingTasks, PURGE_TASK } from '../retention/housekeeping.ts'
import { createRetentionMetrics } from '../retention/metrics.ts'
import { type MountedRetention, mountRetention } from '../retention/retention.ts'
import { retentionName } from '../retention/tasks.ts'
import { tracedTask } from '../tracing/traced.ts'
import type { Configuration } from './config.ts'
import type { Services } from './services.ts'
import type { SetUpPlugin } from './set-up.ts'

/** Makes the runner of all tasks and schedules: the plugins', the deliveries to subscribers and the core's own. */
export function createRunner(
  setUp: readonly SetUpPlugin[],
  services: Services,
  retentions: readonly MountedRetention[],
): JobRunner {
  const { storage, database, directory, config, log, metrics, tracing } = services
  const tasks: MountedTask[] = setUp.flatMap(({ plugin, parts }) =>
    (plugin.tasks ?? []).map(task => ({
      task: featureGate(task, plugin.feature, services),
      owner: plugin.id,
      scope: parts.scope,
    })),
  )
  const deliveries = outboxTasks({ database, directory, log, subscriptions: setUp.flatMap(subscriptionsOf) })
  tasks.push(
    ...deliveries,
    ...housekeepingTasks({
      database,
      directory,
      log,
      retentions,
      subscribers: deliveries.map(({ task }) => task.name),
      queue: createJobQueue(),
      metrics: createRetentionMetrics(
        metrics.registry,
        retentions.map(({ retention }) => retention.table),
      ),
    }),
  )
  return createJobRunner({
    pool: storage.queuePool,
    database,
    tasks: tasks.map(mounted => tracedTask(tracing, mounted)),
    cron: [...setUp.flatMap(({ plugin }) => [...(plugin.cron ?? [])]), ...housekeepingCron],
    concurrency: config.WORKER_CONCURRENCY,
    log,
    metrics: metrics.registry,
    alone: storage.kind === 'embedded',
  })
}

/** Names the tasks of deliveries to the subscribers of this process. */
export function deliveryTasks(setUp: readonly SetUpPlugin[]): string[] {
  return setUp.flatMap(subscriptionsOf).map(deliveryName)
}

/** Names all tasks, also in a process that runs none. */
export function taskNames(setUp: readonly SetUpPlugin[]): string[] {
  const own = setUp.flatMap(({ plugin }) => (plugin.tasks ?? []).map(({ name }) => name))
  const core = coreRetentions.map(({ retention }) => retention)
  const retentions = [...core, ...setUp.flatMap(({ plugin }) => plugin.retention ?? [])].map(retentionName)
  return [...own, ...deliveryTasks(setUp), ...retentions, PURGE_TASK]
}

/**
 * Collects the retentions of the core and the plugins. Throws when the database does not know what a plugin declares.
 */
export async function mountRetentions(
  setUp: readonly SetUpPlugin[],
  { database }: Services,
  configuration: Configuration,
): Promise<MountedRetention[]> {
  const ofPlugins = setUp.flatMap(({ plugin, parts }) =>
    (plugin.retention ?? []).map(retention =>
      mountRetention({ id: plugin.id, scope: parts.scope }, retention, configuration.plugins.get(plugin.id)),
    ),
  )
  await checkRetentions(database, ofPlugins)
  return [...coreRetentions, ...ofPlugins]
}

function subscriptionsOf({ plugin, parts }: SetUpPlugin): MountedSubscription[] {
  const { id: owner, feature, subscriptions = [] } = plugin
  return subscriptions.map(subscription => ({ owner, feature, subscription, scope: parts.scope }))
}

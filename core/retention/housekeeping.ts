import { Type } from '@sinclair/typebox'
import type { Database, Tx } from '../db/database.ts'
import { DAY_MS, HOUR_MS, RESPONSE_KEPT_HOURS } from '../durations.ts'
import { deliverHeldAgain } from '../events/held-deliveries.ts'
import {
  forgetSubscribers,
  noteSubscribers,
  noteUnknownSubscribers,
  purgeDeliveries,
} from '../events/known-subscribers.ts'
import type { MountedTask } from '../jobs/attempt.ts'
import { purgeSpentJobs } from '../jobs/failed-jobs.ts'
import { type CronEntry, type Task, tasksOf } from '../jobs/task.ts'
import { forgetStale } from '../quarantine/store.ts'
import { purgeBatches } from '../usage/write-counters.ts'
import { type MountedRetention, mountRetention, type Retention } from './retention.ts'
import { type RetentionParts, retentionJob, retentionTasks } from './tasks.ts'

/** Events are kept a little longer than the longest period that figures are compared over. */
export const EVENT_DAYS = 400

/** A year of usage is compared with the year before it. */
const USAGE_DAYS = 800

/** A statement deletes so many rows, so that none of them holds its locks for long. */
const BATCH = 5000
const BATCHES_MAX = 1000

/** Begins a pass over every table with a retention. */
export const PURGE_TASK = 'core:purge'

export const housekeepingCron: readonly CronEntry[] = [{ schedule: '7 * * * *', task: PURGE_TASK }]

const coreRetention: readonly Retention[] = [
  { table: 'core.event', column: 'id', columnType: 'uuidv7', keepMs: EVENT_DAYS * DAY_MS },
  { table: 'core.usage', column: 'hour', keepMs: USAGE_DAYS * DAY_MS },
  { table: 'core.idempotent_response', column: 'created_at', keepMs: RESPONSE_KEPT_HOURS * HOUR_MS },
]

/** The core keeps these rows of tenants, each for so long. */
export const coreRetentions: readonly MountedRetention[] = coreRetention.map(retention =>
  mountRetention({ id: 'core', scope: undefined }, retention, undefined),
)

export interface HousekeepingParts extends RetentionParts {
  /** The core's own and those of all plugins. */
  readonly retentions: readonly MountedRetention[]
  /** Tasks of the subscribers that this process has. Others may have more, and note them. */
  readonly subscribers: readonly string[]
}

/**
 * Removes expired rows each hour: those of tenants' tables by a job each, and here those that belong to no tenant: idle
 * rate windows and counts, sessions and verifications of accounts that ended, and jobs that nobody runs any more.
 */
export function housekeepingTasks(parts: HousekeepingParts): MountedTask[] {
  return [{ task: purge as Task, scope: parts }, ...retentionTasks(parts, parts.retentions)]
}

const purge = tasksOf<HousekeepingParts>()({
  name: PURGE_TASK,
  payload: Type.Object({}),
  async run({ scope: { database, log, queue, retentions, subscribers }, signal }) {
    await database.system(tx =>
      queue.enqueue(
        tx,
        retentions.map(retention => retentionJob(retention)),
      ),
    )
    await database.system(tx => noteSubscribers(tx, subscribers))
    await database.system(noteUnknownSubscribers)
    const removed = {
      windows: await database.system(purgeWindows),
      jobs: await database.system(purgeSpentJobs),
      quarantine: await database.system(forgetStale),
      sessions: await inBatches(database, signal, purgeExpired('core.account_session')),
      verifications: await inBatches(database, signal, purgeExpired('core.account_verification')),
      usage: await database.system(purgeBatches),
      counts: await inBatches(database, signal, purgeCounts),
      deliveries: await inBatches(database, signal, tx => purgeDeliveries(tx, BATCH)),
    }
    await database.system(forgetSubscribers)
    const again = await database.system(tx => deliverHeldAgain(tx, queue))
    log.debug({ ...removed, again }, 'purged')
  },
})

async function inBatches(database: Database, signal: AbortSignal, batch: (tx: Tx) => Promise<number>): Promise<number> {
  let total = 0
  for (let i = 0; i < BATCHES_MAX && !signal.aborted; i++) {
    const removed = await database.system(batch)
    total += removed
    if (removed < BATCH) break
  }
  return total
}

async function purgeWindows(tx: Tx): Promise<number> {
  const { count } = await tx`delete from core.rate_window where updated_at < now() - interval '1 hour'`
  return count
}

/** Nobody looks at them once they have expired, except whoever signs in with a session's cookie. */
function purgeExpired(table: 'core.account_session' | 'core.account_verification') {
  return async (tx: Tx): Promise<number> => {
    const { count } = await tx`
      delete from ${tx(table)}
      where id = any (array(select own.id from ${tx(table)} as own where own.expires_at < now() limit ${BATCH}))`
    return count
  }
}

/** Windows of the session library's rate limit take a minute; it deletes none of its rows. */
async function purgeCounts(tx: Tx): Promise<number> {
  const { count } = await tx`
    delete from core.account_rate_limit
    where id = any (
      array(
        select own.id
        from core.account_rate_limit as own
        where own.last_request < 1000 * extract(epoch from now() - interval '1 hour')
        limit ${BATCH}
      )
    )`
  return count
}

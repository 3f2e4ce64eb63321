import { Type } from '@sinclair/typebox'
import type { Database, Tx } from './db/database.ts'
import { purgeAnswers } from './http/kept-answers.ts'
import type { MountedTask } from './jobs/attempt.ts'
import { type CronEntry, type Task, tasksOf } from './jobs/task.ts'
import type { Logger } from './log.ts'

/** Events are kept a little longer than the longest period that figures are compared over. */
export const EVENT_DAYS = 400

/** How long deliveries wait for a process that has their subscriber. */
const DELIVERY_DAYS = 7

/** Rows a statement deletes, so that none of them holds its locks for long. */
const BATCH = 5000
const BATCHES_MAX = 1000

export const housekeepingCron: readonly CronEntry[] = [{ schedule: '7 * * * *', task: 'core:purge' }]

/** What the core removes by itself: old events, kept answers, idle rate windows and jobs that were replaced while running. */
export function housekeepingTasks(parts: { database: Database; log: Logger }): MountedTask[] {
  return [{ task: purge as Task, scope: parts }]
}

const purge = tasksOf<{ database: Database; log: Logger }>()({
  name: 'core:purge',
  payload: Type.Object({}),
  async run({ scope: { database, log }, signal }) {
    const removed = {
      events: await inBatches(database, signal, purgeEvents),
      answers: await database.system(purgeAnswers),
      windows: await database.system(purgeWindows),
      jobs: await database.system(purgeJobs),
      deliveries: await inBatches(database, signal, purgeDeliveries),
    }
    log.debug(removed, 'purged')
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

async function purgeEvents(tx: Tx): Promise<number> {
  const { count } = await tx`
    -- across workspaces: the purge removes old events of all
    delete from core.event
    where ctid = any (
      array(
        select old.ctid
        from core.event as old
        where old.created_at < now() - ${EVENT_DAYS}::int * interval '1 day'
        limit ${BATCH}
      )
    )`
  return count
}

async function purgeWindows(tx: Tx): Promise<number> {
  const { count } = await tx`delete from core.rate_window where updated_at < now() - interval '1 hour'`
  return count
}

/** No process has the subscriber any more: its plugin was left out or removed. */
async function purgeDeliveries(tx: Tx): Promise<number> {
  const { count } = await tx`
    delete from graphile_worker._private_jobs
    where id = any (
      array(
        select job.id
        from graphile_worker._private_jobs as job
        join graphile_worker._private_tasks as task on task.id = job.task_id
        where task.identifier like 'core:deliver:%'
          and job.attempts = 0
          and job.locked_at is null
          and job.created_at < now() - ${DELIVERY_DAYS}::int * interval '1 day'
        limit ${BATCH}
      )
    )`
  return count
}

/** A job that was replaced while it ran, and then failed, stays behind without attempts; its successor did the work. */
async function purgeJobs(tx: Tx): Promise<number> {
  const { count } = await tx`
    delete from graphile_worker._private_jobs
    where attempts >= max_attempts and locked_at is null and updated_at < now() - interval '1 hour'`
  return count
}

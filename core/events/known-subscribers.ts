import type { Database, Tx } from '../db/database.ts'
import { textArray } from '../db/literals.ts'
import { HOUR_MS } from '../durations.ts'
import { deleteJobs } from '../jobs/failed-jobs.ts'
import type { Chore } from '../plugin.ts'
import { DELIVERY_PREFIX } from '../quarantine/store.ts'

/** Deliveries wait so long for a process that has their subscriber. */
const DELIVERY_DAYS = 7

/**
 * Notes each hour which subscribers this process has. Processes may have different plugins, and each purges what nobody delivers any more.
 * @param tasks those of their deliveries
 */
export function subscribersChore(database: Pick<Database, 'system'>, tasks: readonly string[]): Chore {
  const run = () => database.system(tx => noteSubscribers(tx, tasks))
  return { name: 'subscribers', everyMs: HOUR_MS, atStop: false, run }
}

export async function noteSubscribers(tx: Tx, tasks: readonly string[]): Promise<void> {
  await lockSubscribers(tx)
  await leaveOutTime(tx)
  await tx`
    insert into core.subscriber (task)
    select own.task from unnest(${textArray(tasks)}::text[]) as own (task)
    on conflict (task) do update set seen_at = now()`
}

/** One process after the other: two would leave out the same time twice, and may wait for each other's rows. */
async function lockSubscribers(tx: Tx): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtextextended('core.subscriber', 0))`
}

/** Only time counts in which some process ran, so that nobody is forgotten after a long stop, or by a clock that was wrong for a while. */
async function leaveOutTime(tx: Tx): Promise<void> {
  await tx`
    update core.subscriber
    set seen_at = subscriber.seen_at + (now() - latest.seen_at)
    from (select max(noted.seen_at) as seen_at from core.subscriber as noted) as latest
    where latest.seen_at not between now() - interval '3 hours' and now() + interval '1 minute'`
}

/**
 * Notes whose deliveries wait though no process has noted them: a process of a former version has them, or they were removed before there
 * were notes. Their time begins now.
 */
export async function noteUnknownSubscribers(tx: Tx): Promise<void> {
  await lockSubscribers(tx)
  await tx`
    insert into core.subscriber (task)
    select distinct job.task_identifier
    from graphile_worker.jobs as job
    where job.task_identifier like ${`${DELIVERY_PREFIX}%`}
    on conflict (task) do nothing`
}

/** Deletes deliveries, tried or not, to subscribers that no process had for as long: their plugins were left out or removed. */
export async function purgeDeliveries(tx: Tx, batch: number): Promise<number> {
  return deleteJobs(
    tx,
    tx`
      select job.id
      from graphile_worker.jobs as job
      join core.subscriber on subscriber.task = job.task_identifier
      where ${isGone(tx)}
        and job.locked_at is null
        and job.created_at < now() - ${DELIVERY_DAYS}::int * interval '1 day'
      limit ${batch}`,
  )
}

/** Forgets those whose deliveries are all gone. */
export async function forgetSubscribers(tx: Tx): Promise<void> {
  await lockSubscribers(tx)
  await tx`
    delete from core.subscriber
    where ${isGone(tx)}
      and not exists (
        select
        from graphile_worker.jobs as job
        where job.task_identifier = subscriber.task
      )`
}

function isGone(tx: Tx) {
  return tx`subscriber.seen_at < now() - ${DELIVERY_DAYS}::int * interval '1 day'`
}

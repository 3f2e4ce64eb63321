import type { Fragment, Tx } from '../db/database.ts'

/** A job that failed for good waits so long for an operator. */
const KEPT_DAYS = 7
/** More of a task are not kept: they failed for one reason. */
const KEPT_MAX = 1000

/**
 * A condition for jobs that failed for good. Others without attempts were replaced while they ran, so that their successors do the work.
 * @param job the alias of the queue's rows
 */
export function hasFailed(tx: Tx, job: string): Fragment {
  const own = tx(job)
  return tx`(
    ${own}.attempts >= ${own}.max_attempts
    and ${own}.locked_at is null
    and ${own}.flags ? 'failed'
    and ${own}.key is not distinct from ${own}.flags #>> '{failed,key}'
  )`
}

/** Has a job that failed for good tried again, from its first attempt on. @returns whether there was such a one */
export async function tryFailedAgain(tx: Tx, id: string): Promise<boolean> {
  const { count } = await tx`
    update graphile_worker._private_jobs as job
    set attempts = 0, run_at = now(), updated_at = now(), flags = job.flags - 'failed' - 'interrupted' - 'waiting_since'
    where job.id = ${id}::bigint
      and ${hasFailed(tx, 'job')}`
  if (count > 0) await tx`select pg_notify('jobs:insert', '{"count":1}')`
  return count > 0
}

/** Deletes what has no attempts left, but for the latest failed jobs of each task. */
export async function purgeSpentJobs(tx: Tx): Promise<number> {
  const { count } = await tx`
    delete from graphile_worker._private_jobs
    where id in (
      select spent.id
      from (
        select
          job.id, job.updated_at, ${hasFailed(tx, 'job')} as has_failed,
          row_number() over (partition by job.task_id, ${hasFailed(tx, 'job')} order by job.updated_at desc) as place
        from graphile_worker._private_jobs as job
        where job.attempts >= job.max_attempts
          and job.locked_at is null
      ) as spent
      where case
        when spent.has_failed
          then spent.place > ${KEPT_MAX} or spent.updated_at < now() - ${KEPT_DAYS}::int * interval '1 day'
        else spent.updated_at < now() - interval '1 hour'
      end
    )`
  return count
}

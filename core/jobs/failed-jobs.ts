import type { Fragment, Tx } from '../db/database.ts'

/** A job that failed for good waits so long for an operator. */
const KEPT_DAYS = 7
/** More of a task are not kept: they failed for one reason. */
const KEPT_MAX = 1000

/**
 * Flags that tell a job's history: it failed for good (`failed_keyed` where it had a key then), after how many attempts, how often it was cut
 * off by its worker's death, and since when it waits.
 */
export const HISTORY = {
  failed: 'failed',
  failedKeyed: 'failed_keyed',
  failedAfter: 'failed_after:',
  interrupted: 'interrupted:',
  waitingSince: 'waiting_since:',
} as const

/**
 * A condition for jobs that failed for good. Others without attempts were replaced while they ran, and failed ones that lost their keys were
 * replaced since, so that their successors do the work.
 * @param job the alias of graphile-worker's view
 */
export function hasFailed(tx: Tx, job: string): Fragment {
  const own = tx(job)
  return tx`(
    ${own}.attempts >= ${own}.max_attempts
    and ${own}.locked_at is null
    and ${own}.flags ? ${HISTORY.failed}
    and (${own}.key is not null or not ${own}.flags ? ${HISTORY.failedKeyed})
  )`
}

/** Returns what follows the prefix in a job's flag that begins with it. */
export function flagAfter(tx: Tx, job: string, prefix: string): Fragment {
  return tx`(
    select substr(flag, ${prefix.length + 1}::int)
    from jsonb_object_keys(${tx(job)}.flags) as flag
    where starts_with(flag, ${prefix})
    limit 1
  )`
}

/** Lists a job's flags but for those of its history, or for some of these. */
export function flagsWithout(tx: Tx, job: string, ...history: string[]): Fragment {
  const left = history.length > 0 ? history : Object.values(HISTORY)
  return tx`array(
    select flag
    from jsonb_object_keys(${tx(job)}.flags) as flag
    where flag !~ ${`^(${left.join('|')})`}
  )`
}

/** Has a job that failed for good tried again, from its first attempt on. @returns whether there was such a one */
export async function tryFailedAgain(tx: Tx, id: string): Promise<boolean> {
  const { count } = await tx`
    select core.readd_job(job.id, now(), 0, ${flagsWithout(tx, 'job')})
    from graphile_worker.jobs as job
    where job.id = ${id}::bigint
      and ${hasFailed(tx, 'job')}`
  return count > 0
}

/** Deletes what has no attempts left, but for the latest failed jobs of each task. */
export async function purgeSpentJobs(tx: Tx): Promise<number> {
  return deleteJobs(
    tx,
    tx`
      select spent.id
      from (
        select
          job.id, job.updated_at, ${hasFailed(tx, 'job')} as has_failed,
          row_number() over (partition by job.task_identifier, ${hasFailed(tx, 'job')} order by job.updated_at desc) as place
        from graphile_worker.jobs as job
        where job.attempts >= job.max_attempts
          and job.locked_at is null
      ) as spent
      where case
        when spent.has_failed
          then spent.place > ${KEPT_MAX} or spent.updated_at < now() - ${KEPT_DAYS}::int * interval '1 day'
        else spent.updated_at < now() - interval '1 hour'
      end`,
  )
}

/** Deletes those of the jobs that do not run. @param ids a query */
export async function deleteJobs(tx: Tx, ids: Fragment): Promise<number> {
  const { count } = await tx`select from graphile_worker.complete_jobs(array(${ids}))`
  return count
}

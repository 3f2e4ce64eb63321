import type { Database } from '../db/database.ts'

/** The jobs have a handful of priorities; more are not looked at. */
const PRIORITIES_MAX = 100

/**
 * Tells for how many whole seconds the oldest job has been due; 0 when none is. The index of waiting jobs is ordered by priority
 * and then time, so one look into it for each priority is enough, however many jobs there are.
 */
export async function oldestDueSeconds(database: Database): Promise<number> {
  const [row] = await database.system(
    tx => tx<{ seconds: number | null }[]>`
      with recursive first as (
        (
          select job.priority, job.run_at
          from graphile_worker._private_jobs as job
          where job.is_available
          order by job.priority, job.run_at
          limit 1
        )
        union all
        select following.priority, following.run_at
        from first
        cross join lateral (
          select job.priority, job.run_at
          from graphile_worker._private_jobs as job
          where job.is_available
            and job.priority > first.priority
          order by job.priority, job.run_at
          limit 1
        ) as following
      )
      select floor(extract(epoch from now() - min(looked.run_at)))::float8 as seconds
      from (select first.run_at from first limit ${PRIORITIES_MAX}) as looked`,
  )
  return Math.max(0, row?.seconds ?? 0)
}

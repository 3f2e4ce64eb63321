import type { Database } from '../db/database.ts'
import { textArray } from '../db/literals.ts'

/** The jobs have a handful of priorities; more are not looked at. */
const PRIORITIES_MAX = 100

/**
 * Tells for how many whole seconds the oldest job of the tasks has been due; 0 when none is. The index of waiting jobs is ordered by priority
 * and then time, so one look into it for each priority is enough, however many jobs there are.
 */
export async function oldestDueSeconds(database: Database, tasks: readonly string[]): Promise<number> {
  const [row] = await database.system(
    tx => tx<{ seconds: number | null }[]>`
      with recursive own as materialized (
        select array(
          select task.id
          from graphile_worker._private_tasks as task
          where task.identifier = any (${textArray(tasks)}::text[])
        ) as ids
      ),
      first as (
        (
          select job.priority, job.run_at
          from graphile_worker._private_jobs as job
          where job.is_available
            and job.task_id = any ((select own.ids from own)::integer[])
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
            and job.task_id = any ((select own.ids from own)::integer[])
          order by job.priority, job.run_at
          limit 1
        ) as following
      )
      select floor(extract(epoch from now() - min(looked.run_at)))::float8 as seconds
      from (select first.run_at from first limit ${PRIORITIES_MAX}) as looked`,
  )
  return Math.max(0, row?.seconds ?? 0)
}

import type { Database } from '../db/database.ts'
import { textArray } from '../db/literals.ts'

/** Among so many jobs that were due first, those of other tasks are looked for. */
const LOOKED_MAX = 10_000
const NAMED_MAX = 5

/** Names some tasks beside the given ones whose jobs have been due for so long, as no process that runs has their plugin. */
export async function tasksLeftBehind(
  database: Database,
  tasks: readonly string[],
  seconds: number,
): Promise<string[]> {
  const rows = await database.system(
    tx => tx<{ name: string }[]>`
      select distinct task.identifier as name
      from (
        select job.task_id
        from graphile_worker._private_jobs as job
        where job.is_available
          and job.run_at < now() - ${seconds}::int * interval '1 second'
        order by job.priority, job.run_at
        limit ${LOOKED_MAX}
      ) as due
      join graphile_worker._private_tasks as task on task.id = due.task_id
      where task.identifier <> all (${textArray(tasks)}::text[])
      order by task.identifier
      limit ${NAMED_MAX}`,
  )
  return rows.map(({ name }) => name)
}

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

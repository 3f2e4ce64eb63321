import type { Database } from '../db/database.ts'
import { textArray } from '../db/literals.ts'

const NAMED_MAX = 5

/** Names some tasks beside the given ones whose jobs have been due for so long, as no process that runs has their plugin. */
export async function tasksLeftBehind(
  database: Database,
  tasks: readonly string[],
  seconds: number,
): Promise<string[]> {
  const rows = await database.system(
    tx => tx<{ name: string }[]>`
      select distinct job.task_identifier as name
      from graphile_worker.jobs as job
      where job.locked_at is null
        and job.attempts < job.max_attempts
        and job.run_at < now() - ${seconds}::int * interval '1 second'
        and job.task_identifier <> all (${textArray(tasks)}::text[])
      order by name
      limit ${NAMED_MAX}`,
  )
  return rows.map(({ name }) => name)
}

/** Tells for how many whole seconds the oldest job of the tasks has been due; 0 when none is. */
export async function oldestDueSeconds(database: Database, tasks: readonly string[]): Promise<number> {
  const [row] = await database.system(
    tx => tx<{ seconds: number | null }[]>`
      select floor(extract(epoch from now() - min(job.run_at)))::float8 as seconds
      from graphile_worker.jobs as job
      where job.locked_at is null
        and job.attempts < job.max_attempts
        and job.task_identifier = any (${textArray(tasks)}::text[])`,
  )
  return Math.max(0, row?.seconds ?? 0)
}

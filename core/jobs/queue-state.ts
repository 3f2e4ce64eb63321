import { Gauge, type Registry } from 'prom-client'
import type { Database } from '../db/database.ts'
import { textArray } from '../db/literals.ts'
import { hasFailed } from './failed-jobs.ts'

/** The gauge's figures may be so old. */
const FRESH_MS = 10_000

/** Counting goes through all jobs: those of long queues may take too long, and the figures are unknown then. */
const STATEMENT_MS = 5000

/** Shows how many jobs there are by task: due now, later, running in some process, or failed for good. */
export function measureQueue(registry: Registry, database: Database): void {
  let countedAt = Number.NEGATIVE_INFINITY
  new Gauge({
    name: 'mneme_jobs_queued',
    help: 'Jobs in the database by task: due, later, running or failed.',
    labelNames: ['task', 'state'],
    registers: [registry],
    async collect() {
      if (performance.now() - countedAt < FRESH_MS) return
      countedAt = performance.now()
      // With the database away the figures are unknown, and others are wanted all the more.
      const rows = await countQueued(database).catch(() => [])
      this.reset()
      for (const { task, state, jobs } of rows) this.labels(task, state).set(jobs)
    },
  })
}

function countQueued(database: Database) {
  return database.system(
    tx => tx<{ task: string; state: string; jobs: number }[]>`
      select queued.task, queued.state, count(*)::int as jobs
      from (
        select
          job.task_identifier as task,
          case
            when job.locked_at is not null then 'running'
            when ${hasFailed(tx, 'job')} then 'failed'
            when job.attempts >= job.max_attempts then null
            when job.run_at <= now() then 'due'
            else 'later'
          end as state
        from graphile_worker.jobs as job
      ) as queued
      where queued.state is not null
      group by queued.task, queued.state`,
    { statementMs: STATEMENT_MS },
  )
}

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

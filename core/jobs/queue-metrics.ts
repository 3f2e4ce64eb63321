import { Gauge, type Registry } from 'prom-client'
import type { Database } from '../db/database.ts'
import { hasFailed } from './failed-jobs.ts'

/** The gauge looks at so many jobs. */
const COUNTED_MAX = 100_000
/** Its figures may be so old. */
const FRESH_MS = 10_000

interface QueuedRow {
  readonly task: string
  readonly state: string
  readonly jobs: number
}

/** Shows how many jobs there are by task: due now, later, running in some process, or failed for good. */
export function measureQueue(registry: Registry, database: Database): void {
  let countedAt = Number.NEGATIVE_INFINITY
  new Gauge({
    name: 'mneme_jobs_queued',
    help: `Jobs in the database by task: due, later, running or failed. Up to ${COUNTED_MAX} are counted.`,
    labelNames: ['task', 'state'],
    registers: [registry],
    async collect() {
      if (performance.now() - countedAt < FRESH_MS) return
      countedAt = performance.now()
      // With the database away the figure is unknown, and the others are wanted all the more.
      const rows = await countQueued(database).catch(() => [])
      this.reset()
      for (const { task, state, jobs } of rows) this.labels(task, state).set(jobs)
    },
  })
}

async function countQueued(database: Database): Promise<QueuedRow[]> {
  return database.system(
    tx => tx<QueuedRow[]>`
      select task.identifier as task, queued.state, count(*)::int as jobs
      from (
        select
          job.task_id,
          case
            when job.locked_at is not null then 'running'
            when ${hasFailed(tx, 'job')} then 'failed'
            when job.attempts >= job.max_attempts then null
            when job.run_at > now() then 'later'
            else 'due'
          end as state
        from graphile_worker._private_jobs as job
        limit ${COUNTED_MAX}
      ) as queued
      join graphile_worker._private_tasks as task on task.id = queued.task_id
      where queued.state is not null
      group by task.identifier, queued.state`,
  )
}

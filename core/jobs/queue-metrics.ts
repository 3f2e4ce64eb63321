import { Gauge, type Registry } from 'prom-client'
import type { Database } from '../db/database.ts'
import { hasFailed } from './failed-jobs.ts'
import { PARKED } from './leases.ts'

/** The gauge counts so many jobs of each state, so that many of one do not hide those of another. */
const COUNTED_MAX = 100_000
/** Its figures may be so old. */
const FRESH_MS = 10_000

interface QueuedRow {
  readonly task: string
  readonly state: string
  readonly jobs: number
}

/** Shows how many jobs there are by task: due now, later, parked behind a limit, running in some process, or failed for good. */
export function measureQueue(registry: Registry, database: Database, countedMax = COUNTED_MAX): void {
  let countedAt = Number.NEGATIVE_INFINITY
  new Gauge({
    name: 'mneme_jobs_queued',
    help: `Jobs in the database by task: due, later, parked, running or failed. Up to ${countedMax} of a state are counted.`,
    labelNames: ['task', 'state'],
    registers: [registry],
    async collect() {
      if (performance.now() - countedAt < FRESH_MS) return
      countedAt = performance.now()
      // With the database away the figure is unknown, and the others are wanted all the more.
      const rows = await countQueued(database, countedMax).catch(() => [])
      this.reset()
      for (const { task, state, jobs } of rows) this.labels(task, state).set(jobs)
    },
  })
}

/** The index of waiting jobs finds what is due, however much is for later. */
async function countQueued(database: Database, countedMax: number): Promise<QueuedRow[]> {
  return database.system(
    tx => tx<QueuedRow[]>`
      select task.identifier as task, queued.state, count(*)::int as jobs
      from (
        (
          select job.task_id, 'due' as state
          from graphile_worker._private_jobs as job
          where job.is_available and job.run_at <= now()
          limit ${countedMax}
        )
        union all
        (
          select job.task_id, 'later' as state
          from graphile_worker._private_jobs as job
          where job.is_available and job.run_at > now()
          limit ${countedMax}
        )
        union all
        (
          select job.task_id, 'parked' as state
          from graphile_worker._private_jobs as job
          where job.locked_by = ${PARKED}
          limit ${countedMax}
        )
        union all
        (
          select job.task_id, case when job.locked_at is not null then 'running' else 'failed' end as state
          from graphile_worker._private_jobs as job
          where job.locked_by is distinct from ${PARKED}
            and (job.locked_at is not null or ${hasFailed(tx, 'job')})
          limit ${countedMax}
        )
      ) as queued
      join graphile_worker._private_tasks as task on task.id = queued.task_id
      group by task.identifier, queued.state`,
  )
}

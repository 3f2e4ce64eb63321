import { Gauge, type Registry } from 'prom-client'
import type { Database, Tx } from '../db/database.ts'
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
      const rows = await countQueued(database, countedMax)
      this.reset()
      for (const { task, state, jobs } of rows) this.labels(task, state).set(jobs)
    },
  })
}

/** Some jobs are found without an index: those of long queues may take too long, and their states are unknown then. */
const STATEMENT_MS = 5000

/** Each state is counted by itself, and what cannot be counted is left out. */
async function countQueued(database: Database, countedMax: number): Promise<QueuedRow[]> {
  const counts = [countWaiting, countHeld].map(count =>
    // With the database away the figures are unknown, and others are wanted all the more.
    database.system(tx => count(tx, countedMax), { statementMs: STATEMENT_MS }).catch(() => []),
  )
  return (await Promise.all(counts)).flat()
}

/** The index of waiting jobs has what is due and what is for later, and that of places what is parked. */
function countWaiting(tx: Tx, countedMax: number): Promise<QueuedRow[]> {
  return tx<QueuedRow[]>`
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
      select job.task_id, 'parked' as state
      from (select place.job_id from core.job_place as place where place.state = 'PARKED' limit ${countedMax}) as line
      join graphile_worker._private_jobs as job on job.id = line.job_id
    ) as queued
    join graphile_worker._private_tasks as task on task.id = queued.task_id
    group by task.identifier, queued.state`
}

/** No index finds these, so all jobs are looked at, once for both states. */
function countHeld(tx: Tx, countedMax: number): Promise<QueuedRow[]> {
  return tx<QueuedRow[]>`
    with held as materialized (
      select job.task_id, job.locked_at is not null as is_running
      from graphile_worker._private_jobs as job
      where not job.is_available
        and job.locked_by is distinct from ${PARKED}
        and (job.locked_at is not null or ${hasFailed(tx, 'job')})
    )
    select task.identifier as task, queued.state, count(*)::int as jobs
    from (
      (select held.task_id, 'running' as state from held where held.is_running limit ${countedMax})
      union all
      (select held.task_id, 'failed' as state from held where not held.is_running limit ${countedMax})
    ) as queued
    join graphile_worker._private_tasks as task on task.id = queued.task_id
    group by task.identifier, queued.state`
}

import type { Database, Tx } from '../db/database.ts'
import { textArray } from '../db/literals.ts'
import { deleteJobs, flagAfter, flagsWithout, HISTORY } from './failed-jobs.ts'

/** Locks without a lease are looked for this often, beside when a lease lapses. */
const SWEEP_MS = 60_000

/** A renewal that hangs, as behind a lock, is given up this early within the time of a lease, so that further ones still come in time. */
const RENEWAL_SHARE = 1 / 4

export interface LeaseOptions {
  readonly database: Database
  /** A lease that was not renewed for this long is a dead worker's. */
  readonly staleMs: number
  /** No other process works on this database, so no lease needs to be renewed for others to see. */
  readonly alone?: boolean
}

/**
 * Keeps the leases of this process's worker pools, since graphile-worker itself gives a killed worker's jobs back after
 * 4 hours only. Only the database's clock is compared with anything. A worker that is alive but could not renew its
 * lease in time (a suspended machine, a very long pause) loses its jobs as well: they may then run twice, which
 * tasks must bear anyway.
 */
export class Leases {
  readonly #options: LeaseOptions
  readonly #held = new Set<string>()
  #sweepAt = 0

  constructor(options: LeaseOptions) {
    this.#options = options
  }

  /** The worker may take jobs when this has resolved, and not before: whoever has jobs and no lease is dead. */
  async hold(worker: string): Promise<void> {
    this.#held.add(worker)
    await this.#options.database.system(tx => renewLeases(tx, [worker]))
  }

  /** The worker is gone: the next {@link renew} gives back what it still has. */
  retire(worker: string): void {
    if (this.#held.delete(worker)) this.#sweepAt = 0
  }

  /** Renews this process's leases and gives back the jobs of workers without one. @returns how many jobs those were */
  async renew(): Promise<number> {
    const { database, staleMs, alone } = this.#options
    const sweeps = performance.now() >= this.#sweepAt
    const released = await database.system(
      async tx => {
        const held = [...this.#held]
        // Each renewal is a write to the disk, for as long as the service runs.
        if (!alone) await renewLeases(tx, held)
        // A lease that lies ahead is of a clock that was put back since.
        const { count: lapsed } = await tx`
          delete from core.worker_lease
          where worker <> all (${textArray(held)}::text[])
            and renewed_at not between now() - ${staleMs}::int * interval '1 millisecond'
              and now() + ${staleMs}::int * interval '1 millisecond'`
        return sweeps || lapsed > 0 ? releaseOrphans(tx) : 0
      },
      { statementMs: staleMs * RENEWAL_SHARE },
    )
    if (sweeps) this.#sweepAt = performance.now() + SWEEP_MS
    return released
  }

  /** Gives back everything a worker of this process has locked, and ends its lease. */
  async release(worker: string): Promise<void> {
    this.#held.delete(worker)
    await this.#options.database.system(async tx => {
      await tx`delete from core.worker_lease where worker = ${worker}`
      await releaseJobs(tx, [worker], { interrupted: false })
    })
  }

  /** Ends all leases there are; only right when no other process can have a worker on this database. */
  async endAll(): Promise<void> {
    await this.#options.database.system(tx => tx`delete from core.worker_lease`)
  }
}

async function renewLeases(tx: Tx, workers: readonly string[]): Promise<void> {
  await tx`
    insert into core.worker_lease (worker)
    select held from unnest(${textArray(workers)}::text[]) as held
    on conflict (worker) do update set renewed_at = now()`
}

async function releaseOrphans(tx: Tx): Promise<number> {
  const rows = await tx<{ worker: string }[]>`
    select distinct job.locked_by as worker
    from graphile_worker.jobs as job
    where job.locked_by is not null
      and not exists (select from core.worker_lease as lease where lease.worker = job.locked_by)`
  const workers = rows.map(row => row.worker)
  return workers.length > 0 ? releaseJobs(tx, workers, { interrupted: true }) : 0
}

/**
 * Gives the jobs of workers back. The attempt that was cut off is not counted as one, since the job is not to blame; `interrupted` counts it
 * in the flags, and a job that was cut off repeatedly waits a little longer each time. A job that was replaced while it ran (its attempts
 * were set to the maximum then) has a successor and is dropped.
 */
async function releaseJobs(
  tx: Tx,
  workers: readonly string[],
  { interrupted }: { interrupted: boolean },
): Promise<number> {
  const rows = await tx<{ id: string }[]>`
    select job.id::text as id from graphile_worker.jobs as job where job.locked_by = any (${textArray(workers)}::text[])`
  await tx`select graphile_worker.force_unlock_workers(${textArray(workers)}::text[])`
  const ids = tx`${textArray(rows.map(row => row.id))}::bigint[]`
  await deleteJobs(
    tx,
    tx`select job.id from graphile_worker.jobs as job where job.id = any (${ids}) and job.attempts >= job.max_attempts`,
  )
  const times = tx`coalesce(${flagAfter(tx, 'job', HISTORY.interrupted)}::int, 0)`
  const dueAt = interrupted
    ? tx`greatest(job.run_at, now() + least(${times}, 10) * interval '1 second')`
    : tx`job.run_at`
  const flags = interrupted
    ? tx`${flagsWithout(tx, 'job', HISTORY.interrupted)} || (${HISTORY.interrupted} || ${times} + 1)`
    : flagsWithout(tx, 'job', 'none')
  const { count } = await tx`
    select core.readd_job(job.id, ${dueAt}, job.attempts - 1, ${flags})
    from graphile_worker.jobs as job
    where job.id = any (${ids})`
  return count
}

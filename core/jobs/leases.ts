import { type Database, isUnavailable, type Tx } from '../db/database.ts'

/** A job may be cut off by its worker's death so often before it is given up: it may be what kills the workers. */
export const INTERRUPTIONS_MAX = 20

/** Jobs that wait for a place are locked under this name, which no worker has. */
export const PARKED = 'core:parked'

/** Locks of workers that never wrote a lease (they died in the moment of starting) are looked for this often. */
const ORPHAN_SWEEP_MS = 60_000
/** Where there are no other workers, only the locks of long jobs have to be renewed. */
const ALONE_SWEEP_MS = 30 * 60_000

/** graphile-worker gives a job to another worker when it was locked four hours ago, whether its worker lives or not. */
const LOCK_RENEW_MINUTES = 60

/** A renewal that hangs, as behind a lock, is given up this early within the time of a lease, so that further ones still come in time. */
const RENEWAL_SHARE = 1 / 4

export interface LeaseOptions {
  readonly database: Database
  /** A lease that was not renewed for this long is a dead worker's. */
  readonly staleMs: number
  /** No other process can run jobs on this database: nobody needs to know who is alive. */
  readonly alone?: boolean
}

/**
 * Keeps the leases of this process's worker pools, since graphile-worker itself gives a killed worker's jobs back after
 * 4 hours only. Only the database's clock is compared with anything. A worker that is alive but could not renew its
 * lease in time (a suspended machine, a very long pause) loses its locks as well: its jobs may then run twice, which
 * tasks must bear anyway.
 */
export class Leases {
  readonly #options: LeaseOptions
  readonly #held = new Set<string>()
  /** Maps workers that take no more jobs to those they still run. */
  readonly #closing = new Map<string, () => readonly string[]>()
  readonly #retired = new Set<string>()
  #nextOrphanSweep = 0

  constructor(options: LeaseOptions) {
    this.#options = options
  }

  hold(worker: string): void {
    this.#held.add(worker)
  }

  /**
   * The worker takes no more jobs. Jobs that it has locked but does not run are given back with the next {@link renew}:
   * its connection may have been lost between the locking of jobs and the reply that names them.
   */
  close(worker: string, running: () => readonly string[]): void {
    if (this.#held.has(worker)) this.#closing.set(worker, running)
  }

  /** The worker is gone, and the jobs it still has locked are given back with the next {@link renew}. */
  retire(worker: string): void {
    this.#held.delete(worker)
    this.#closing.delete(worker)
    this.#retired.add(worker)
  }

  /** Renews this process's leases and gives back the jobs of dead and retired workers. @returns how many jobs those were */
  async renew(): Promise<number> {
    const held = [...this.#held]
    const closing = [...this.#closing]
    const retired = [...this.#retired]
    const sweepsOrphans = performance.now() >= this.#nextOrphanSweep
    const { alone = false } = this.#options
    if (alone && !sweepsOrphans && closing.length === 0 && retired.length === 0) return 0
    const released = await this.#options.database.system(
      async tx => {
        const dead = await this.#exchange(tx, held, retired)
        if (sweepsOrphans) {
          dead.push(...(await this.#orphans(tx)))
          await renewLocks(tx, held)
        }
        let released = await releaseJobs(
          tx,
          dead.filter(worker => !retired.includes(worker)),
          { interrupted: true },
        )
        released += await releaseJobs(tx, retired, { interrupted: false })
        for (const [worker, running] of closing) {
          released += await releaseJobs(tx, [worker], { interrupted: false, except: running() })
        }
        return released
      },
      { statementMs: this.#options.staleMs * RENEWAL_SHARE },
    )
    for (const worker of retired) this.#retired.delete(worker)
    for (const [worker] of closing) this.#closing.delete(worker)
    if (sweepsOrphans) this.#nextOrphanSweep = performance.now() + (alone ? ALONE_SWEEP_MS : ORPHAN_SWEEP_MS)
    return released
  }

  /** Gives back everything a worker of this process has locked, and ends its lease. The database may be away: then the lease lapses. */
  async release(worker: string): Promise<void> {
    this.#held.delete(worker)
    this.#closing.delete(worker)
    try {
      await this.#options.database.system(async tx => {
        await releaseJobs(tx, [worker], { interrupted: false })
        await tx`delete from core.worker_lease where worker = ${worker}`
      })
    } catch (error) {
      if (!isUnavailable(error)) throw error
      this.#retired.add(worker)
    }
  }

  /** Gives back all locks there are; only right when no other process can have a worker on this database. */
  async releaseEverything(): Promise<number> {
    return this.#options.database.system(async tx => {
      await tx`delete from core.worker_lease`
      const owners = await tx<{ worker: string }[]>`
        select distinct locked_by as worker
        from graphile_worker._private_jobs
        where locked_by <> ${PARKED}`
      return releaseJobs(
        tx,
        owners.map(owner => owner.worker),
        { interrupted: true },
      )
    })
  }

  async #exchange(tx: Tx, held: readonly string[], retired: readonly string[]): Promise<string[]> {
    const { staleMs } = this.#options
    const renewed = tx`
      insert into core.worker_lease (worker)
      select held from unnest(${list(tx, held)}) as held
      on conflict (worker) do update set renewed_at = now()`
    const ended = tx<{ worker: string }[]>`
      delete from core.worker_lease
      where worker = any (${list(tx, retired)})
        or renewed_at < now() - ${staleMs}::int * interval '1 millisecond'
      returning worker`
    // The clock was put back. A living worker renews this at once; a dead one's lease must not stay for as long as
    // that.
    const ahead = tx`
      update core.worker_lease
      set renewed_at = now()
      where renewed_at > now() + ${staleMs}::int * interval '1 millisecond'`
    const [, , rows] = await Promise.all([renewed, ahead, ended])
    return rows.map(row => row.worker)
  }

  async #orphans(tx: Tx): Promise<string[]> {
    const rows = await tx<{ worker: string }[]>`
      select distinct job.locked_by as worker
      from graphile_worker._private_jobs as job
      where job.locked_by is not null
        and job.locked_at < now() - ${this.#options.staleMs}::int * interval '1 millisecond'
        and not exists (select from core.worker_lease as lease where lease.worker = job.locked_by)`
    return rows.map(row => row.worker)
  }
}

/** A job that runs for hours stays its worker's as long as that renews its lease. */
async function renewLocks(tx: Tx, workers: readonly string[]): Promise<void> {
  await tx`
    update graphile_worker._private_jobs as job
    set locked_at = now()
    where job.locked_by = any (${list(tx, workers)})
      and job.locked_at < now() - ${LOCK_RENEW_MINUTES}::int * interval '1 minute'`
}

/**
 * Unlocks workers' jobs. Beyond graphile-worker's `force_unlock_workers`, which ends it:
 * - The cut-off attempt is not counted as one, since the job is not to blame; `interrupted` counts it separately, and a job
 *   that was cut off repeatedly waits a little longer each time.
 * - The key goes: should the worker be alive after all and finish the job, graphile-worker deletes the row by its id, and
 *   with it whatever had replaced the job in place meanwhile.
 * - A job that was replaced while it ran (its attempts were set to the maximum then) has a successor and is dropped.
 */
async function releaseJobs(
  tx: Tx,
  workers: readonly string[],
  { interrupted, except = [] }: { interrupted: boolean; except?: readonly string[] },
): Promise<number> {
  if (workers.length === 0) return 0
  const locked = tx`
    job.locked_by = any (${list(tx, workers)}) and job.id <> all (${list(tx, except)}::bigint[])`
  const rows = await tx`
    with superseded as (
      delete from graphile_worker._private_jobs as job
      where ${locked} and job.attempts >= job.max_attempts
    )
    update graphile_worker._private_jobs as job
    set
      locked_by = null,
      locked_at = null,
      key = null,
      attempts = greatest(job.attempts - 1, 0),
      run_at = case
        when ${interrupted}::bool
          then greatest(job.run_at, now() + least(interruptions.until_now, 10) * interval '1 second')
        else job.run_at
      end,
      flags = case
        when ${interrupted}::bool
          then coalesce(job.flags, '{}') || jsonb_build_object('interrupted', interruptions.until_now + 1)
        else job.flags
      end
    from (
      select job.id, coalesce((job.flags ->> 'interrupted')::int, 0) as until_now
      from graphile_worker._private_jobs as job
      where ${locked}
    ) as interruptions
    where job.id = interruptions.id and job.attempts < job.max_attempts
    returning job.id`
  if (except.length === 0) await tx`select graphile_worker.force_unlock_workers(${list(tx, workers)})`
  if (rows.length > 0) await tx`select pg_notify('jobs:insert', ${JSON.stringify({ count: rows.length })})`
  return rows.length
}

/** Neither worker names nor job ids hold commas; a text array proper would need type look-ups that the connections do without. */
function list(tx: Tx, items: readonly string[]) {
  return tx`string_to_array(${items.join(',')}, ',')`
}

import type { TaskList } from 'graphile-worker'
import type pg from 'pg'
import type { Registry } from 'prom-client'
import type { Database } from '../db/database.ts'
import { fail } from '../errors.ts'
import { endsInTime } from '../in-time.ts'
import type { Logger } from '../log.ts'
import { attemptOf, checkTask, type MountedTask } from './attempt.ts'
import { Bulkhead } from './bulkhead.ts'
import { createJobMetrics } from './job-metrics.ts'
import { Leases } from './leases.ts'
import { removeUnusedQueues } from './queue.ts'
import { type CronEntry, type JobClock, systemClock } from './task.ts'
import { Overruns } from './time-limit.ts'
import { startWorkerPool, type WorkerPool } from './worker-pool.ts'

export interface JobRunnerOptions {
  /** graphile-worker's connections; four are enough for any concurrency. */
  readonly pool: pg.Pool
  readonly database: Database
  readonly tasks: readonly MountedTask[]
  readonly cron: readonly CronEntry[]
  /** So many jobs run at once. */
  readonly concurrency: number
  readonly log: Logger
  readonly metrics?: Registry
  /** No other process can run jobs on this database (the embedded one): locks of an earlier run are released at once. */
  readonly alone?: boolean
  /** Time between two looks for jobs that fell due, which no notification announces; half a second. */
  readonly pollMs?: number
  /** Time between two renewals of the lease; 5 seconds. */
  readonly leaseRenewMs?: number
  /** A lease that is not renewed for so long counts as a dead worker's; 20 seconds. */
  readonly leaseStaleMs?: number
  /** For tests. */
  readonly clock?: JobClock
}

/** Runs jobs in this process, and goes on doing so whatever happens to the database. */
export interface JobRunner {
  /** Throws when the database is away: a process should not seem to start then. */
  start(): Promise<void>
  /**
   * Takes no more jobs and waits up to `graceMs` for the running ones. Shortly before, their signal is aborted; those that
   * do not end are given back, so that another process runs them at once.
   */
  stop(graceMs: number): Promise<void>
  /** Rejects when this process does not get jobs or could lose those it has. */
  health(): Promise<void>
  /** Counts attempts that go on although their time limit is over, by the plugin that they belong to, the kernel as `core`. */
  overrunningByOwner(): ReadonlyMap<string, number>
}

export function createJobRunner(options: JobRunnerOptions): JobRunner {
  for (const { task } of options.tasks) checkTask(task)
  return new SupervisedRunner(options)
}

/** While something is wrong, the lease is renewed this often, so that an outage's end is noticed at once. */
const RECOVERY_MS = 250

/** A pool whose look for jobs takes longer is replaced. */
const STUCK_MS = 20_000

/** Queues that no job uses any more are removed this often. */
const REMOVE_QUEUES_MS = 60_000

/**
 * The runner keeps so much of the grace time for itself: tasks get their abort signal this long before its end, or at
 * half of it.
 */
const ABORT_LEAD_MS = 1000

class SupervisedRunner implements JobRunner {
  readonly #options: JobRunnerOptions
  readonly #leases: Leases
  readonly #overruns: Overruns
  readonly #bulkhead: Bulkhead
  readonly #tasks: TaskList
  readonly #abort = new AbortController()
  readonly #pollMs: number
  readonly #renewMs: number
  readonly #staleMs: number
  /** Holds the pool that takes jobs, and those that only finish theirs. */
  #current: WorkerPool | undefined
  readonly #draining = new Set<WorkerPool>()
  /** Counts pools lost in a row without a fetch that worked. */
  #losses = 0
  #stopping = false
  #renewedAt = Number.NEGATIVE_INFINITY
  #queuesRemovedAt = Number.NEGATIVE_INFINITY
  #away = false
  #timer: ReturnType<typeof setTimeout> | undefined
  #renewal: Promise<void> = Promise.resolve()

  constructor(options: JobRunnerOptions) {
    this.#options = options
    this.#pollMs = options.pollMs ?? 500
    this.#renewMs = options.leaseRenewMs ?? 5000
    this.#staleMs = options.leaseStaleMs ?? 20_000
    this.#leases = new Leases({ database: options.database, staleMs: this.#staleMs, alone: options.alone ?? false })
    const names = options.tasks.map(({ task }) => task.name)
    const metrics = options.metrics && createJobMetrics(options.metrics, names)
    this.#overruns = new Overruns((task, count, by) => {
      metrics?.overrunning(task, count)
      if (by < 0) options.log.info({ task, count }, 'an attempt that went on after its time has ended')
      else options.log.error({ task, count }, 'attempts go on although their time is over and their signal was aborted')
    })
    this.#bulkhead = new Bulkhead(options.tasks, options.concurrency, this.#overruns)
    const { clock = systemClock, log, tasks } = options
    const context = { log, metrics, clock, signal: this.#abort.signal, overruns: this.#overruns }
    this.#tasks = Object.fromEntries(tasks.map(mounted => [mounted.task.name, attemptOf(mounted, context)]))
  }

  async start(): Promise<void> {
    if (this.#options.alone) await this.#leases.endAll()
    await this.#open()
    await this.#leases.renew()
    this.#renewedAt = performance.now()
    this.#schedule()
  }

  async health(): Promise<void> {
    const reason = this.#fault()
    if (reason) throw fail('SERVICE_UNAVAILABLE', { message: `The job runner ${reason}.`, retryAfterSeconds: 2 })
  }

  overrunningByOwner(): ReadonlyMap<string, number> {
    const owners = new Map(this.#options.tasks.map(({ task, owner = 'core' }) => [task.name, owner]))
    const counts = new Map<string, number>()
    for (const [task, count] of this.#overruns.all()) {
      const owner = owners.get(task) ?? 'core'
      counts.set(owner, (counts.get(owner) ?? 0) + count)
    }
    return counts
  }

  async stop(graceMs: number): Promise<void> {
    this.#stopping = true
    clearTimeout(this.#timer)
    await endsInTime(this.#renewal, graceMs / 4)
    const pools = this.#pools()
    for (const pool of pools) pool.close()
    const drained = Promise.all(pools.map(pool => pool.drained))
    const leadMs = Math.min(ABORT_LEAD_MS, graceMs / 2)
    if (!(await endsInTime(drained, graceMs - leadMs))) {
      this.#abort.abort()
      await endsInTime(drained, leadMs)
    }
    // With the database away the leases lapse by themselves; waiting for it would only delay the end.
    await endsInTime(Promise.all(pools.map(pool => this.#leases.release(pool.worker))), leadMs)
  }

  #pools(): WorkerPool[] {
    return this.#current ? [this.#current, ...this.#draining] : [...this.#draining]
  }

  async #open(): Promise<void> {
    const { pool, cron, concurrency, log } = this.#options
    let worker = ''
    const opened = await startWorkerPool({
      ...{ pool, cron, concurrency, log, tasks: this.#tasks, bulkhead: this.#bulkhead, pollMs: this.#pollMs },
      lease: given => {
        worker = given
        return this.#leases.hold(given)
      },
    }).catch(error => {
      this.#leases.retire(worker)
      throw error
    })
    this.#current = opened
    if (this.#stopping) opened.close()
    void opened.over.then(() => this.#lost(opened))
    void opened.drained.then(() => {
      this.#draining.delete(opened)
      if (!this.#stopping) this.#leases.retire(opened.worker)
    })
  }

  /** A pool ended without being asked to. The renewal opens the next one, as soon as the database is back. */
  #lost(pool: WorkerPool): void {
    if (this.#current !== pool || this.#stopping) return
    this.#options.log.warn('job queue lost the database; it is taken up again as soon as that answers')
    this.#setAside(pool)
    this.#hurry()
  }

  #setAside(pool: WorkerPool): void {
    this.#current = undefined
    this.#losses = pool.hasLooked() ? 0 : this.#losses + 1
    this.#draining.add(pool)
    pool.abandon()
  }

  #schedule(): void {
    if (this.#stopping) return
    const recovering = this.#away || !this.#current
    const delayMs = recovering ? Math.min(RECOVERY_MS * 2 ** Math.min(this.#losses, 4), this.#renewMs) : this.#renewMs
    this.#timer = setTimeout(() => {
      this.#renewal = this.#renew().finally(() => this.#schedule())
    }, delayMs)
  }

  #hurry(): void {
    clearTimeout(this.#timer)
    this.#renewal = this.#renewal.then(() => {
      clearTimeout(this.#timer)
      this.#schedule()
    })
  }

  /** Renews the leases; after an outage, or when no jobs come any more, also replaces the pool. */
  async #renew(): Promise<void> {
    const { log } = this.#options
    try {
      const released = await this.#leases.renew()
      if (released > 0) log.warn({ jobs: released }, 'jobs of a worker that is gone are run again')
      this.#renewedAt = performance.now()
      await this.#removeQueues()
      const stuck = this.#current !== undefined && this.#current.lookingForMs() > STUCK_MS
      // graphile-worker's listener waits up to a minute before it tries again, and a task list that failed to load stays so.
      if (this.#current && (this.#away || stuck)) this.#setAside(this.#current)
      if (!this.#current && !this.#stopping) await this.#open()
      this.#away = false
    } catch (error) {
      if (!this.#away) log.warn({ err: error }, 'job queue cannot reach the database')
      this.#away = true
    }
  }

  async #removeQueues(): Promise<void> {
    if (performance.now() - this.#queuesRemovedAt < REMOVE_QUEUES_MS) return
    // Where transactions that add jobs are in the way, it is tried again with the next renewal.
    if (await removeUnusedQueues(this.#options.pool)) this.#queuesRemovedAt = performance.now()
  }

  #fault(): string | undefined {
    if (this.#stopping) return 'is stopping'
    if (!this.#current || this.#away) return 'has lost the database'
    if (performance.now() - this.#renewedAt > this.#staleMs) return 'could not renew its lease'
    return undefined
  }
}

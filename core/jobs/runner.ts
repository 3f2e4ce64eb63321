import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import type { TaskList } from 'graphile-worker'
import type pg from 'pg'
import type { Registry } from 'prom-client'
import type { Database } from '../db/database.ts'
import { fail } from '../errors.ts'
import { endsInTime } from '../in-time.ts'
import type { Logger } from '../log.ts'
import { type AttemptContext, attemptOf, checkTask, type MountedTask } from './attempt.ts'
import { type JobClock, systemClock } from './clock.ts'
import { createJobMetrics } from './job-metrics.ts'
import { Leases } from './leases.ts'
import { ClockMender } from './mend-clock.ts'
import { admitJobs } from './places.ts'
import { Recall } from './recall.ts'
import { Shares } from './shares.ts'
import type { CronEntry } from './task.ts'
import { Overruns } from './time-limit.ts'
import { startWorkerPool, type WorkerPool } from './worker-pool.ts'

/** Looks after what the queue has from processes that died and clocks that were wrong, a round at a time. */
class Upkeep {
  readonly #database: Database
  readonly #log: Logger
  readonly #clockMender: ClockMender
  /** The next look for jobs that wait for a place continues from here. */
  #admittedTo = ''
  #round: Promise<void> | undefined

  constructor(database: Database, log: Logger) {
    this.#database = database
    this.#log = log
    this.#clockMender = new ClockMender(database)
  }

  /** Begins a round unless one is under way, which may take as long as somebody else's lock lasts. */
  begin(): void {
    this.#round ??= this.#run().finally(() => {
      this.#round = undefined
    })
  }

  /** Resolves when no round is under way. */
  async settled(): Promise<void> {
    await this.#round
  }

  async #run(): Promise<void> {
    try {
      await this.#clockMender.mend()
    } catch (error) {
      this.#log.warn({ err: error }, 'the clock could not be looked at')
    }
    try {
      this.#admittedTo = await admitJobs(this.#database, this.#admittedTo)
    } catch (error) {
      this.#log.warn({ err: error }, 'jobs that wait for a place could not be looked for')
    }
  }
}

export type { MountedTask } from './attempt.ts'

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
  /** Time between two looks for jobs that neither a notification nor their known time announced; 10 seconds. */
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
  /** Attempts by task that go on although they were aborted when their time limit was over; none when all is well. */
  overrunning(): ReadonlyMap<string, number>
  /** Lists the same attempts by the plugin that they belong to, the kernel as `core`. */
  overrunningByOwner(): ReadonlyMap<string, number>
}

export function createJobRunner(options: JobRunnerOptions): JobRunner {
  for (const { task } of options.tasks) checkTask(task)
  return new SupervisedRunner(options)
}

/** While something is wrong, the lease is renewed this often, so that an outage's end is noticed at once. */
const RECOVERY_MS = 250

/** With every so many renewals, twice a minute, it is looked at what dead processes and wrong clocks left behind. */
const UPKEEP_RENEWALS = 6

/** An idle pool that is so much later with its look for jobs, or as many looks, is replaced. */
const STUCK_MS = 10_000
const STUCK_POLLS = 10

/**
 * The runner keeps so much of the grace time for itself: tasks get their abort signal this long before its end, or at
 * half of it.
 */
const ABORT_LEAD_MS = 1000

class SupervisedRunner implements JobRunner {
  readonly #options: JobRunnerOptions
  readonly #leases: Leases
  readonly #upkeep: Upkeep
  readonly #overruns: Overruns
  readonly #tasks: (abort: AbortSignal, worker: string, running: Set<string>) => TaskList
  readonly #abort = new AbortController()
  readonly #pollMs: number
  readonly #renewMs: number
  readonly #staleMs: number
  /** Holds the pool that takes jobs, and those that only finish theirs. */
  #current: WorkerPool | undefined
  readonly #draining = new Set<WorkerPool>()
  readonly #running = new Set<string>()
  /** Counts pools lost in a row without a fetch that worked. */
  #losses = 0
  #stopping = false
  #renewedAt = Number.NEGATIVE_INFINITY
  #upkeptAt = Number.NEGATIVE_INFINITY
  #away = false
  #timer: ReturnType<typeof setTimeout> | undefined
  #renewal: Promise<void> = Promise.resolve()

  constructor(options: JobRunnerOptions) {
    this.#options = options
    this.#pollMs = options.pollMs ?? 10_000
    this.#renewMs = options.leaseRenewMs ?? 5000
    this.#staleMs = options.leaseStaleMs ?? 20_000
    this.#leases = new Leases({ database: options.database, staleMs: this.#staleMs, alone: options.alone ?? false })
    this.#upkeep = new Upkeep(options.database, options.log)
    const names = options.tasks.map(({ task }) => task.name)
    const metrics = options.metrics && createJobMetrics(options.metrics, names)
    this.#overruns = new Overruns((task, count, by) => {
      metrics?.overrunning(task, count)
      if (by < 0) options.log.info({ task, count }, 'an attempt that went on after its time has ended')
      else options.log.error({ task, count }, 'attempts go on although their time is over and their signal was aborted')
    })
    const shares: Shares = new Shares(options.concurrency, owner => recall.soon(owner))
    const recall = new Recall(
      options.database,
      owner => shares.next(owner),
      () => this.#current?.look(),
    )
    this.#tasks = taskLists(options, { metrics, overruns: this.#overruns, shares })
  }

  async start(): Promise<void> {
    if (this.#options.alone) await this.#leases.releaseEverything()
    await this.#open()
    this.#renewedAt = performance.now()
    this.#schedule()
  }

  async health(): Promise<void> {
    const reason = this.#fault()
    if (reason) throw fail('SERVICE_UNAVAILABLE', { message: `The job runner ${reason}.`, retryAfterSeconds: 2 })
  }

  overrunning(): ReadonlyMap<string, number> {
    return this.#overruns.all()
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
    await endsInTime(Promise.all([this.#renewal, this.#upkeep.settled()]), graceMs / 4)
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
    const { pool, database, cron, concurrency, log } = this.#options
    const worker = `${hostname().replaceAll(',', '')}:${process.pid}:${randomUUID()}`
    // The lease comes first, so that a process that is killed right after it took its first job is known to be dead.
    this.#leases.hold(worker)
    await this.#leases.renew()
    const tasks = this.#tasks(this.#abort.signal, worker, this.#running)
    const given = { worker, pool, database, cron, concurrency, pollMs: this.#pollMs, log, tasks }
    const opened = await startWorkerPool(given).catch(error => {
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
    this.#options.log.warn(
      'job queue lost the database, or its clock was put back; it is taken up again as soon as that answers',
    )
    this.#setAside(pool)
    this.#hurry()
  }

  #setAside(pool: WorkerPool): void {
    this.#current = undefined
    this.#losses = pool.everFetched() ? 0 : this.#losses + 1
    this.#draining.add(pool)
    pool.abandon()
    this.#leases.close(pool.worker, () => [...this.#running])
    void pool.drained.then(() => this.#draining.delete(pool))
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
      this.#keepUp()
      const stuckMs = Math.min(STUCK_POLLS * this.#pollMs, this.#pollMs + STUCK_MS)
      const stuck = this.#current !== undefined && this.#fetchAgeMs() > stuckMs
      // graphile-worker's listener waits up to a minute before it tries again, and a task list that failed to load stays so.
      if (this.#current && (this.#away || stuck)) this.#setAside(this.#current)
      if (!this.#current && !this.#stopping) await this.#open()
      this.#away = false
    } catch (error) {
      if (!this.#away) log.warn({ err: error }, 'job queue cannot reach the database')
      this.#away = true
    }
  }

  #keepUp(): void {
    if (performance.now() - this.#upkeptAt < UPKEEP_RENEWALS * this.#renewMs) return
    this.#upkeptAt = performance.now()
    this.#upkeep.begin()
  }

  #fetchAgeMs(): number {
    const fetchedAt = this.#current?.lastFetchAt()
    return fetchedAt === undefined ? 0 : performance.now() - fetchedAt
  }

  #fault(): string | undefined {
    if (this.#stopping) return 'is stopping'
    if (!this.#current || this.#away) return 'has lost the database'
    if (performance.now() - this.#renewedAt > this.#staleMs) return 'could not renew its lease'
    return undefined
  }
}

function taskLists(
  { tasks, log, clock = systemClock }: JobRunnerOptions,
  shared: Pick<AttemptContext, 'metrics' | 'overruns' | 'shares'>,
) {
  return (signal: AbortSignal, worker: string, running: Set<string>): TaskList => {
    const context: AttemptContext = { log, signal, worker, running, clock, ...shared }
    return Object.fromEntries(tasks.map(mounted => [mounted.task.name, attemptOf(mounted, context)]))
  }
}

import { EventEmitter } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { Logger as GraphileLogger, parseCronItems, run, type TaskList, type WorkerEvents } from 'graphile-worker'
import type pg from 'pg'
import type { Logger } from '../log.ts'
import { withMembers } from '../with-members.ts'
import type { Bulkhead } from './bulkhead.ts'
import type { CronEntry } from './task.ts'

export interface WorkerPoolOptions {
  readonly pool: pg.Pool
  readonly tasks: TaskList
  readonly cron: readonly CronEntry[]
  /** So many jobs run at once. */
  readonly concurrency: number
  /** It is looked this often for jobs that fall due, which nothing announces; an eighth as often where none came of late. */
  readonly pollMs: number
  readonly bulkhead: Bulkhead
  readonly log: Logger
  /** Called with the name under which it locks jobs; it takes none before that resolves. */
  readonly lease: (worker: string) => Promise<void>
}

/** One run of graphile-worker. It may end by itself, when the database fails it; {@link JobRunner} then starts another. */
export interface WorkerPool {
  readonly worker: string
  /** Resolves when it takes no more jobs, or could not fetch some. */
  readonly over: Promise<void>
  /** Resolves when it takes no more jobs and the running ones are settled. */
  readonly drained: Promise<void>
  /** A look for jobs has been under way for so long; 0 while there is none. */
  lookingForMs(): number
  /** It has looked for jobs once. */
  hasLooked(): boolean
  /** Takes no more jobs; the outcomes of its jobs are written before it is drained. */
  close(): void
  /** For a pool that lost the database: as {@link close}, but drained as soon as its running jobs are settled. */
  abandon(): void
}

/** Outcomes of an abandoned pool's last jobs may still be on their way to the database for this long. */
const ABANDONED_MS = 1000

/** A worker that found no job asks so soon whether it may look again; {@link Looks} has it wait until there is a reason. */
const WORKER_POLL_MS = 1

/**
 * Starts graphile-worker on `pool`.
 *
 * Completions are written in batches, if of those of one moment only: in 0.18 the other path leaves an unhandled rejection when the
 * database is lost, which would end the process.
 */
export async function startWorkerPool(options: WorkerPoolOptions): Promise<WorkerPool> {
  const { bulkhead, concurrency, log } = options
  const events: WorkerEvents = new EventEmitter()
  const over = Promise.withResolvers<void>()
  const looks = new Looks()
  const running = new RunningJobs()
  let worker = ''
  let leased: Promise<void> | undefined
  let queuesToFree = 0
  events.on('pool:create', ({ workerPool }) => {
    worker = workerPool.id
    leased = options.lease(worker)
  })
  events.on('pool:gracefulShutdown', () => {
    looks.end()
    over.resolve()
  })
  // Jobs may be locked now without this process knowing.
  events.on('worker:getJob:error', () => {
    looks.ended(false)
    over.resolve()
  })
  events.on('worker:fatalError', () => over.resolve())
  events.on('worker:getJob:empty', () => looks.ended(false))
  events.on('pool:listen:notification', () => looks.want())
  events.on('job:start', ({ job }) => {
    running.add(job.id)
    bulkhead.begin(job.task_identifier)
    looks.ended(true)
  })
  events.on('job:complete', ({ job }) => {
    running.delete(job.id)
    if (job.job_queue_id !== null) queuesToFree++
    if (bulkhead.end(job.task_identifier)) looks.want()
  })
  // The queue of a job is free when it is written that the job is completed, and not before.
  const written = () => {
    if (queuesToFree === 0) return
    queuesToFree--
    looks.want()
  }
  const polling = setInterval(() => looks.tick(), options.pollMs)
  void over.promise.then(() => clearInterval(polling))
  const runner = await run({
    pgPool: telling(releasingOnce(options.pool), () => !looks.takesConnection(), written),
    concurrency,
    pollInterval: WORKER_POLL_MS,
    noHandleSignals: true,
    events,
    forbiddenFlags: async () => {
      await looks.begin()
      await leased
      return looks.connecting(bulkhead.full())
    },
    logger: new GraphileLogger(() => (level, message) => logLine(log, level, message)),
    taskList: options.tasks,
    // A schedule is known to the database by its task and expression, so that two of one task do not shadow each other.
    parsedCronItems: parseCronItems(
      options.cron.map(({ schedule, task }) => ({ match: schedule, task, identifier: `${task} ${schedule}` })),
    ),
    preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
  }).catch(error => {
    over.resolve()
    throw error
  })
  try {
    await leased
  } catch (error) {
    await runner.stop().catch(() => undefined)
    throw error
  }
  const abandoned = Promise.withResolvers<void>()
  // Its rejections only repeat what the events and the log said. After a failed write its own end may never come in 0.18: the
  // count of batches under way has gone below zero by then.
  const drained = Promise.race([
    runner.promise.catch(() => undefined),
    abandoned.promise.then(() => running.none()).then(() => pause(ABANDONED_MS)),
  ])
  void drained.then(over.resolve)
  const stop = () => {
    over.resolve()
    void runner.stop().catch(() => undefined)
  }
  return {
    worker,
    over: over.promise,
    drained,
    lookingForMs: () => looks.forMs(),
    hasLooked: () => looks.count > 0,
    close: stop,
    abandon() {
      stop()
      abandoned.resolve()
    },
  }
}

/**
 * Has the workers of a process look for jobs one after the other, as each look locks the free queues, so that two at once would find none;
 * and only where there is a reason, until one finds nothing.
 */
class Looks {
  /** Ticks since a reason came. Jobs fall due soon after others ran or were added; an idle database has nothing else to do. */
  #ticks = 0
  #isWanted = true
  #hasEnded = false
  #since: number | undefined
  #waiting: (() => void)[] = []
  #isConnecting = false
  /** Those that are over. */
  count = 0

  want(): void {
    this.#ticks = 0
    this.#isWanted = true
    this.#next()
  }

  tick(): void {
    if (++this.#ticks > 4 && this.#ticks % 8 > 0) return
    this.#isWanted = true
    this.#next()
  }

  /** Resolves when the worker may look. */
  begin(): Promise<void> {
    return new Promise(resolve => {
      this.#waiting.push(resolve)
      this.#next()
    })
  }

  ended(hasFound: boolean): void {
    this.#since = undefined
    this.count++
    if (hasFound) this.want()
    else this.#next()
  }

  /** Lets all go: they find that the pool takes no more jobs. */
  end(): void {
    this.#hasEnded = true
    this.#next()
  }

  /** The next connection that is asked for is that of the look: nobody else gets to ask before. */
  connecting<T>(flags: T): T {
    this.#isConnecting = true
    return flags
  }

  takesConnection(): boolean {
    const isConnecting = this.#isConnecting
    this.#isConnecting = false
    return isConnecting
  }

  forMs(): number {
    return this.#since === undefined ? 0 : performance.now() - this.#since
  }

  #next(): void {
    if (this.#hasEnded) for (const go of this.#waiting.splice(0)) go()
    if (!this.#isWanted || this.#since !== undefined) return
    const go = this.#waiting.shift()
    if (!go) return
    this.#isWanted = false
    this.#since = performance.now()
    go()
  }
}

/** Knows the jobs that run, since graphile-worker cannot be asked. */
class RunningJobs {
  readonly #ids = new Set<string>()
  #waiting: (() => void)[] = []

  add(id: string): void {
    this.#ids.add(id)
  }

  delete(id: string): void {
    this.#ids.delete(id)
    if (this.#ids.size === 0) for (const resume of this.#waiting.splice(0)) resume()
  }

  async none(): Promise<void> {
    if (this.#ids.size > 0) await new Promise<void>(resolve => this.#waiting.push(resolve))
  }
}

/**
 * graphile-worker 0.18 releases its listening client twice when the connection is lost while it closes, and the pool's
 * complaint becomes an unhandled rejection that would end the process.
 */
export function releasingOnce(pool: pg.Pool): pg.Pool {
  type Callback = Parameters<pg.Pool['connect']>[0]
  const connect = (callback?: Callback) => {
    if (!callback) return pool.connect()
    pool.connect((error, client, release) => {
      let released = false
      callback(error, client, reason => {
        if (released) return
        released = true
        // The pool has no handler for a caller that waited too long for a client; graphile-worker calls what it gets
        // when it is closing.
        release?.(reason)
      })
    })
  }
  return withMembers(pool, { connect })
}

/** Tells when a connection is given back, of those that are `wanted` when they are asked for. */
function telling(pool: pg.Pool, wanted: () => boolean, released: () => void): pg.Pool {
  type Callback = Parameters<pg.Pool['connect']>[0]
  const connect = async (callback?: Callback) => {
    if (callback) return pool.connect(callback)
    const isWanted = wanted()
    const client = await pool.connect()
    if (!isWanted) return client
    return withMembers(client, {
      release: (error?: Error | boolean) => {
        client.release(error)
        released()
      },
    })
  }
  return withMembers(pool, { connect })
}

/**
 * graphile-worker's own lines, but for its advice to have as many connections as jobs (they are used for moments only). What it says about
 * single jobs is left out, since it quotes their errors; the attempts log those themselves. What remains is about connections, and each
 * comes back to the runner as an event as well, which it logs.
 */
function logLine(log: Logger, level: string, message: string): void {
  if (/^(Failed|Completed|Found) task |maxPoolSize/.test(message)) return
  if (level === 'error' || level === 'warning') log.debug({ queue: message.split('\n', 1)[0] }, 'job queue')
  else log.trace({ queue: message.split('\n', 1)[0] }, 'job queue')
}

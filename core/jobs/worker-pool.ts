import { EventEmitter } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import {
  Logger as GraphileLogger,
  type ParsedCronItem,
  parseCronItems,
  run,
  type Task,
  type TaskList,
} from 'graphile-worker'
import type pg from 'pg'
import type { Database } from '../db/database.ts'
import type { Logger } from '../log.ts'
import { DueAlarm } from './due-alarm.ts'
import type { CronEntry } from './task.ts'

export interface WorkerPoolOptions {
  /** The name under which it locks jobs. */
  readonly worker: string
  readonly pool: pg.Pool
  readonly database: Database
  readonly tasks: TaskList
  readonly cron: readonly CronEntry[]
  /** So many jobs run at once. */
  readonly concurrency: number
  /** An idle pool looks this often for jobs that nothing announced, neither a notification nor the time when they fall due. */
  readonly pollMs: number
  readonly log: Logger
}

/** One run of graphile-worker. It may end by itself, when the database fails it; {@link JobRunner} then starts another. */
export interface WorkerPool {
  readonly worker: string
  /** Resolves when it takes no more jobs, could not fetch some, or has schedules of a clock that was put back. */
  readonly over: Promise<void>
  /** Resolves when it takes no more jobs and the running ones are settled. */
  readonly drained: Promise<void>
  /**
   * The time of the last fetch, as a reading of `performance.now()`; undefined while fetched jobs wait for a free
   * worker.
   */
  lastFetchAt(): number | undefined
  everFetched(): boolean
  /** Looks for jobs now, unless fetched ones still wait for a free worker. */
  look(): void
  /** Takes no more jobs; the outcomes of its jobs are written before it is drained. */
  close(): void
  /** For a pool that lost the database: as {@link close}, but drained as soon as its running jobs are settled. */
  abandon(): void
}

/** Outcomes of an abandoned pool's last jobs may still be on their way to the database for this long. */
const ABANDONED_MS = 1000

/**
 * Fetched jobs that no worker started in this time go back, so that they do not wait behind one another's long jobs,
 * and more urgent ones are fetched next.
 */
const FETCHED_JOB_TTL_MS = 500

/**
 * Jobs that are done within so many milliseconds are written as done in one commit, as those that a schedule began at once. Nobody waits
 * for that: a job leaves its place of a limit before.
 */
const COMPLETED_TOGETHER_MS = 25

/**
 * Starts graphile-worker on `pool`.
 *
 * Completions and failures are written in batches: that is faster, and in 0.18 only the batching
 * path reports a lost database as an event; the direct path leaves an unhandled rejection that would end the process.
 */
export async function startWorkerPool(options: WorkerPoolOptions): Promise<WorkerPool> {
  const events = new EventEmitter()
  let fetchedAt: number | undefined = performance.now()
  let everFetched = false
  let close: () => void = () => undefined
  const over = new Promise<void>(resolve => {
    close = resolve
  })
  // Its own random name is not known before it fetches its first jobs, and those must not be locked without a lease.
  events.on('pool:create', ({ workerPool }: { workerPool: object }) => Reflect.set(workerPool, 'id', options.worker))
  events.on('pool:gracefulShutdown', () => close())
  let look: () => void = () => undefined
  events.on('localQueue:init', ({ localQueue }: { localQueue: LocalQueue }) => {
    mendClosing(localQueue)
    look = () => localQueue.pulse(1)
  })
  const alarm = new DueAlarm({ database: options.database, look: () => look(), withinMs: options.pollMs })
  events.on('job:complete', () => alarm.soon())
  events.on('localQueue:getJobs:complete', ({ jobs }: { jobs: FetchedJob[] }) => {
    // With a full fetch it looks again as soon as there are places.
    if (jobs.length < options.concurrency) alarm.soon()
    jobs.sort(byUrgency)
    everFetched = true
    fetchedAt = performance.now()
  })
  events.on('localQueue:setMode', ({ newMode }: { newMode: string }) => {
    fetchedAt = newMode === 'POLLING' ? performance.now() : undefined
  })
  const unheard = whileUnheard(events, () => look())
  onClockPutBack(events, () => close())
  const running = new RunningTasks()
  const runner = await run({
    pgPool: releasingOnce(options.pool),
    concurrency: options.concurrency,
    pollInterval: options.pollMs,
    noHandleSignals: true,
    events,
    logger: new GraphileLogger(() => (level, message) => {
      // Told by the log only. Jobs may be locked now without this process knowing, and a task list that failed to load with
      // the first fetch stays failed.
      if (message.startsWith('Error occurred fetching jobs')) close()
      logLine(options.log, level, message)
    }),
    taskList: running.counting(options.tasks),
    parsedCronItems: cronItems(options.cron),
    preset: {
      worker: {
        completeJobBatchDelay: COMPLETED_TOGETHER_MS,
        failJobBatchDelay: 0,
        localQueue: { size: options.concurrency, ttl: FETCHED_JOB_TTL_MS },
      },
    },
  })
  let abandon: () => void = () => undefined
  const abandoned = new Promise<void>(resolve => {
    abandon = resolve
  })
  // Its rejections only repeat what the events and the log said. After a failed write its own end may never come in 0.18: the
  // count of batches under way has gone below zero by then.
  const drained = Promise.race([runner.promise.catch(() => undefined), abandoned.then(() => running.settled())])
  void drained.then(() => close())
  void over.then(() => {
    alarm.off()
    unheard.end()
  })
  const stop = () => {
    alarm.off()
    unheard.end()
    void runner.stop().catch(() => undefined)
  }
  return {
    worker: options.worker,
    over,
    drained,
    lastFetchAt: () => fetchedAt,
    everFetched: () => everFetched,
    look: () => look(),
    close: stop,
    abandon() {
      stop()
      abandon()
    },
  }
}

/** A schedule that is so much ahead of the clock was set before the clock was put back. */
const CLOCK_GAP_MS = 2 * 60_000

/**
 * 0.18 waits with its schedules until the clock is where it was before it was put back, and by more than 24.8 days that wait
 * overflows the timer. A new pool begins with the clock as it is.
 */
export function onClockPutBack(events: EventEmitter, callback: () => void): void {
  type Premature = { readonly currentTimestamp: number; readonly expectedTimestamp: number }
  events.on('cron:prematureTimer', ({ currentTimestamp, expectedTimestamp }: Premature) => {
    if (expectedTimestamp - currentTimestamp > CLOCK_GAP_MS) callback()
  })
}

/** So often the queue is looked at while no notification can be heard. */
const UNHEARD_MS = 1000

/** 0.18 takes up to a minute to listen again after its connection was lost; jobs that were announced meanwhile are found by looking. */
function whileUnheard(events: EventEmitter, look: () => void): { end(): void } {
  let timer: ReturnType<typeof setInterval> | undefined
  const end = () => {
    clearInterval(timer)
    timer = undefined
  }
  events.on('pool:listen:error', () => {
    timer ??= setInterval(look, UNHEARD_MS)
  })
  events.on('pool:listen:success', () => {
    if (timer !== undefined) look()
    end()
  })
  return { end }
}

interface LocalQueue {
  /** Tells it of new jobs. */
  pulse(count: number): void
}

interface FetchedJob {
  readonly id: string
  readonly priority: number
  readonly run_at: Date
}

/**
 * 0.18 fetches the most urgent jobs, but the statement returns them in any order, and they are taken up in that order: where places
 * become free one by one, the most urgent job would have to be lucky.
 */
function byUrgency(a: FetchedJob, b: FetchedJob): number {
  return a.priority - b.priority || a.run_at.getTime() - b.run_at.getTime() || Number(a.id) - Number(b.id)
}

/** Counts the tasks that run, since graphile-worker cannot be asked. */
class RunningTasks {
  #count = 0
  #waiting: (() => void)[] = []

  counting(tasks: TaskList): TaskList {
    const counted = Object.entries(tasks).map(([name, task]) => [name, task && this.#counted(task)])
    return Object.fromEntries(counted)
  }

  /** Resolves once nothing runs any more, and the outcomes had time to be written. */
  async settled(): Promise<void> {
    if (this.#count > 0) await new Promise<void>(resolve => this.#waiting.push(resolve))
    await pause(ABANDONED_MS)
  }

  #counted(task: Task): Task {
    return async (payload, helpers) => {
      this.#count++
      try {
        return await task(payload, helpers)
      } finally {
        this.#count--
        if (this.#count === 0) for (const resume of this.#waiting.splice(0)) resume()
      }
    }
  }
}

/**
 * When a queue of 0.18 closes while fetched jobs wait in it, it gives them back in the background, and then refuses to have
 * anything in the background because it is closing: the stop fails, and with the database away too, the rejection of the
 * promise that nobody took ends the process. So the count of what is in the background is kept here, without the refusal.
 */
function mendClosing(localQueue: object): void {
  const settled = Reflect.get(localQueue, 'decreaseBackgroundCount')
  const failed = Reflect.get(localQueue, 'decreaseBackgroundCountWithError')
  Reflect.set(localQueue, 'background', (work: Promise<void>) => {
    Reflect.set(localQueue, 'backgroundCount', Number(Reflect.get(localQueue, 'backgroundCount')) + 1)
    void work.then(settled, failed)
  })
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
  return new Proxy(pool, {
    get(target, name) {
      if (name === 'connect') return connect
      const value: unknown = Reflect.get(target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

/** A schedule is known to the database by its task and expression, so that two of one task do not shadow each other. */
function cronItems(entries: readonly CronEntry[]): ParsedCronItem[] {
  return parseCronItems(
    entries.map(({ schedule, task }) => ({ match: schedule, task, identifier: `${task} ${schedule}` })),
  )
}

/**
 * graphile-worker's own lines, but for its advice to have as many connections as jobs (they are used for moments only). What it says about single jobs is left out, since it quotes their errors; the attempts log
 * those themselves. What remains is about connections, and each comes back to the runner as an event as well, which it logs.
 */
function logLine(log: Logger, level: string, message: string): void {
  if (/^(Failed|Completed|Found) task |maxPoolSize/.test(message)) return
  if (level === 'error' || level === 'warning') log.debug({ queue: message.split('\n', 1)[0] }, 'job queue')
  else log.trace({ queue: message.split('\n', 1)[0] }, 'job queue')
}

import type { Database } from '../db/database.ts'

/** The database is asked no more often than this: a job that falls due earlier may wait for so long. */
const ASK_EVERY_MS = 1000

export interface DueAlarmOptions {
  readonly database: Database
  /** Has the queue looked at. */
  readonly look: () => void
  /** Nothing is set for what falls due later than this: the queue is looked at by then, which asks again. */
  readonly withinMs: number
}

/**
 * Has the queue looked at in the moment when a job falls due, so that nobody has to poll for that. Jobs that are due when they are added
 * announce themselves; what is for later, tried again or put off does not, so whoever added, ran or fetched jobs calls {@link soon}.
 */
export class DueAlarm {
  readonly #options: DueAlarmOptions
  #asking: ReturnType<typeof setTimeout> | undefined
  #alarm: ReturnType<typeof setTimeout> | undefined
  #askedAt = Number.NEGATIVE_INFINITY
  #isOff = false

  constructor(options: DueAlarmOptions) {
    this.#options = options
  }

  /** Asks when the next job falls due, now or a little later. */
  soon(): void {
    if (this.#asking !== undefined || this.#isOff) return
    const inMs = Math.max(0, this.#askedAt + ASK_EVERY_MS - performance.now())
    this.#asking = setTimeout(() => {
      this.#asking = undefined
      this.#askedAt = performance.now()
      // With the database away, the queue notices by itself.
      void this.#set().catch(() => undefined)
    }, inMs)
  }

  off(): void {
    this.#isOff = true
    clearTimeout(this.#asking)
    clearTimeout(this.#alarm)
  }

  async #set(): Promise<void> {
    const { database, look, withinMs } = this.#options
    const inMs = await msToNextDue(database)
    clearTimeout(this.#alarm)
    if (this.#isOff || inMs === undefined || inMs > withinMs) return
    this.#alarm = setTimeout(look, Math.max(0, inMs))
  }
}

/** The jobs have a handful of priorities; more are not looked at. */
const PRIORITIES_MAX = 100

/**
 * Tells in how many milliseconds the next job falls due. One that was due for longer when it was asked is not for this process, or waits for
 * a place; one that has just fallen due may have been missed by the last look. The index of waiting jobs is ordered by priority and then
 * time, so one look into it for each priority is enough, however many jobs there are.
 */
async function msToNextDue(database: Database): Promise<number | undefined> {
  const [row] = await database.system(
    tx => tx<{ in_ms: number | null }[]>`
      with recursive used as (
        (
          select job.priority
          from graphile_worker._private_jobs as job
          where job.is_available
          order by job.priority
          limit 1
        )
        union all
        select following.priority
        from used
        cross join lateral (
          select job.priority
          from graphile_worker._private_jobs as job
          where job.is_available
            and job.priority > used.priority
          order by job.priority
          limit 1
        ) as following
      )
      select ceil(1000 * extract(epoch from min(next.run_at) - now()))::float8 as in_ms
      from (select used.priority from used limit ${PRIORITIES_MAX}) as looked
      cross join lateral (
        select job.run_at
        from graphile_worker._private_jobs as job
        where job.is_available
          and job.priority = looked.priority
          and job.run_at > now() - interval '2 seconds'
        order by job.run_at
        limit 1
      ) as next`,
  )
  return row?.in_ms ?? undefined
}

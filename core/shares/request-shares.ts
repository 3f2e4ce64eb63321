import { isTooLong } from '../db/database.ts'
import { fail } from '../errors.ts'
import type { Clock } from '../http/clock.ts'
import { isWithoutRoom } from '../http/response-room.ts'

/**
 * Classes a request by its cost, and the requests of a workspace are counted by class.
 * - `light`: reads and writes of one resource
 * - `heavy`: looks through many rows, and ranks them
 * - `bulk`: writes up to megabytes
 * - `upload`: reads its body while it runs
 */
export const SHARE_CLASSES = ['light', 'heavy', 'bulk', 'upload'] as const
export type ShareClass = (typeof SHARE_CLASSES)[number]

/** Bounds the requests of one class that each workspace may have in a process. */
export interface Share {
  /** Requests whose handlers run. */
  readonly running: number
  /** Requests behind them, in the order they came; one more is refused. */
  readonly waiting: number
  /** The longest that a request waits, in milliseconds. */
  readonly waitMs: number
  /** The longest that one of its statements may take in the database, in milliseconds. */
  readonly statementMs: number
  /** The longest that a request counts as running, in milliseconds; its handler may never settle. Without it as long as it runs. */
  readonly heldMs?: number
}

export type Shares = Readonly<Record<ShareClass, Share>>

/** Counts those of one class and all workspaces together. */
interface ShareState {
  running: number
  waiting: number
  refused: number
}

/** A place whose work was thrown away stays empty until its client may try again, or such work would be done over and over. */
const REST_MS = 1000

/**
 * A place whose statement took longer than it may stays empty so many times as long as it was taken, up to a bound: such work would fail again, and
 * on the embedded database everybody waits for it.
 */
const REST_SHARE = 9
const REST_MS_MAX = 20_000

interface Waiter {
  start(): void
}

/** Requests of one workspace and class. */
interface Lane {
  running: number
  readonly waiting: Set<Waiter>
}

/**
 * Lets each workspace have a bounded number of requests of each class at work; the rest of them wait behind their own. Nobody waits for
 * another workspace here: what they share is shared out by transactions ({@link TransactionTurns}).
 */
export class RequestShares {
  readonly #lanes = new Map<string, Lane>()
  readonly #states = new Map(SHARE_CLASSES.map(kind => [kind, { running: 0, waiting: 0, refused: 0 }]))

  constructor(
    readonly shares: Shares,
    readonly clock: Clock,
  ) {}

  /**
   * Runs `work` when it is its turn. Throws RATE_LIMITED where too many of the workspace wait already, where its turn did not come in
   * time, and, for nobody to see, where its client goes away before.
   */
  async run<T>(kind: ShareClass, workspaceId: string, gone: () => AbortSignal, work: () => Promise<T> | T): Promise<T> {
    const name = `${kind} ${workspaceId}`
    const lane = this.#lanes.get(name) ?? { running: 0, waiting: new Set() }
    this.#lanes.set(name, lane)
    const state = this.state(kind)
    if (lane.running >= this.shares[kind].running) await this.#wait(kind, lane, gone())
    else lane.running++
    state.running++
    const leave = once(() => {
      state.running--
      // The place goes to the next one as it is, so that nobody can come in between.
      const [next] = lane.waiting
      if (next) next.start()
      else if (--lane.running === 0) this.#lanes.delete(name)
    })
    const { heldMs } = this.shares[kind]
    const callOff = heldMs === undefined ? undefined : this.clock.after(heldMs, leave)
    const begunAt = this.clock.now()
    let restMs = 0
    try {
      return await work()
    } catch (error) {
      restMs = restAfter(error, this.clock.now() - begunAt)
      throw error
    } finally {
      callOff?.()
      if (restMs > 0) this.clock.after(restMs, leave)
      else leave()
    }
  }

  /** Counts those of all workspaces together. */
  state(kind: ShareClass): ShareState {
    const state = this.#states.get(kind)
    if (!state) throw new Error(`there is no class ${kind}`)
    return state
  }

  async #wait(kind: ShareClass, lane: Lane, gone: AbortSignal): Promise<void> {
    const { waiting, waitMs } = this.shares[kind]
    const state = this.state(kind)
    if (lane.waiting.size >= waiting || gone.aborted) {
      state.refused++
      throw noPlace(this.shares[kind], `${waiting} more wait`)
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    // Settling takes it out of the queue at once, so that it is never settled twice.
    const waiter = { start: () => lane.waiting.delete(waiter) && resolve() }
    const refuse = () => {
      if (lane.waiting.delete(waiter))
        reject(noPlace(this.shares[kind], `this one has waited for ${Math.round(waitMs / 1000)} s`))
    }
    lane.waiting.add(waiter)
    const callOff = this.clock.after(waitMs, refuse)
    gone.addEventListener('abort', refuse, { once: true })
    state.waiting++
    try {
      await promise
    } catch (error) {
      state.refused++
      throw error
    } finally {
      state.waiting--
      callOff()
      gone.removeEventListener('abort', refuse)
    }
  }
}

function restAfter(error: unknown, tookMs: number): number {
  if (isWithoutRoom(error)) return REST_MS
  return isTooLong(error) ? Math.min(REST_MS_MAX, REST_SHARE * tookMs) : 0
}

function once(work: () => void): () => void {
  let done = false
  return () => {
    if (!done) work()
    done = true
  }
}

function noPlace({ running }: Share, reason: string) {
  return fail('RATE_LIMITED', {
    message: `${running} requests like this one are at work for this workspace, as many as may be at once, and ${reason}. Retry when they are done. RATE_LIMIT changes nothing here.`,
    retryAfterSeconds: 1,
  })
}

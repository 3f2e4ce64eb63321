import { fail } from '../errors.ts'
import type { Clock } from '../http/clock.ts'

export interface TurnsOptions {
  /** Transactions at once. */
  readonly total: number
  /** Counts those of one workspace among them. */
  readonly perWorkspace: number
  /** The longest that one waits for its turn, in milliseconds. */
  readonly waitMs: number
}

interface Waiter {
  start(): void
}

/** Transactions of one workspace. */
interface Lane {
  running: number
  /** Counts those that a client waits for. */
  readonly urgent: Set<Waiter>
  readonly others: Set<Waiter>
  /** Counts its urgent ones that started in a row while others waited. */
  urgentInRow: number
}

/**
 * Shares the database out between workspaces: each has a bounded number of transactions at once, and where there is room for one
 * more, the workspaces that wait take turns. So a workspace with a thousand transactions waits behind its own, and another's next one
 * waits for a few transactions at the most.
 */
export class TransactionTurns {
  readonly #lanes = new Map<string, Lane>()
  /** Workspaces whose next transaction may start once there is room, in the order of their turns. */
  readonly #ready = new Set<string>()
  #running = 0
  #waiting = 0

  constructor(
    readonly options: TurnsOptions,
    readonly clock: Clock,
  ) {}

  get running(): number {
    return this.#running
  }

  get waiting(): number {
    return this.#waiting
  }

  /** Runs a transaction when it is its turn; those that a client waits for go before most others of their workspace. Throws SERVICE_UNAVAILABLE. */
  async run<T>(workspaceId: string, urgent: boolean, transaction: () => Promise<T>): Promise<T> {
    const lane = this.#lanes.get(workspaceId) ?? { running: 0, urgent: new Set(), others: new Set(), urgentInRow: 0 }
    this.#lanes.set(workspaceId, lane)
    if (this.#running < this.options.total && lane.running < this.options.perWorkspace) this.#start(lane)
    else await this.#wait(workspaceId, lane, urgent ? lane.urgent : lane.others)
    try {
      return await transaction()
    } finally {
      lane.running--
      this.#running--
      if (lane.running === 0 && isQuiet(lane)) this.#forget(workspaceId)
      else this.#makeReady(workspaceId, lane)
      this.#admit()
    }
  }

  #start(lane: Lane): void {
    lane.running++
    this.#running++
  }

  async #wait(workspaceId: string, lane: Lane, queue: Set<Waiter>): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    // Settling takes it out of the queue at once, so that it is never settled twice.
    const waiter = { start: () => queue.delete(waiter) && resolve() }
    const callOff = this.clock.after(this.options.waitMs, () => {
      if (queue.delete(waiter)) reject(tooLong())
    })
    queue.add(waiter)
    this.#waiting++
    this.#makeReady(workspaceId, lane)
    try {
      await promise
    } catch (error) {
      if (lane.running === 0 && isQuiet(lane)) this.#forget(workspaceId)
      throw error
    } finally {
      this.#waiting--
      callOff()
    }
  }

  #forget(workspaceId: string): void {
    this.#lanes.delete(workspaceId)
    this.#ready.delete(workspaceId)
  }

  #makeReady(workspaceId: string, lane: Lane): void {
    if (lane.running < this.options.perWorkspace && !isQuiet(lane)) this.#ready.add(workspaceId)
  }

  /** Starts what there is room for, a transaction of each workspace in turn. */
  #admit(): void {
    for (const workspaceId of this.#ready) {
      if (this.#running >= this.options.total) return
      this.#ready.delete(workspaceId)
      const lane = this.#lanes.get(workspaceId)
      const next = lane && nextOf(lane)
      if (!lane || !next) continue
      this.#start(lane)
      next.start()
      // Behind the others, whose turn is before its next one. The loop comes by once more.
      this.#makeReady(workspaceId, lane)
    }
  }
}

/** Every fourth start is a job's, so that a workspace with many requests does not starve its own jobs. */
const URGENT_IN_ROW_MAX = 3

function nextOf(lane: Lane): Waiter | undefined {
  const isTheirTurn = lane.urgent.size === 0 || lane.urgentInRow >= URGENT_IN_ROW_MAX
  const [next] = isTheirTurn && lane.others.size > 0 ? lane.others : lane.urgent
  lane.urgentInRow = next && lane.urgent.has(next) && lane.others.size > 0 ? lane.urgentInRow + 1 : 0
  return next
}

function isQuiet(lane: Lane): boolean {
  return lane.urgent.size === 0 && lane.others.size === 0
}

class NoTurnError extends Error {
  override readonly name = 'NoTurnError'
}

/** Tells whether a transaction did not begin because others of its workspace took all turns. */
export function isBusy(error: unknown): boolean {
  return error instanceof Error && error.cause instanceof NoTurnError
}

function tooLong() {
  return fail('SERVICE_UNAVAILABLE', {
    message: 'The database is busy; retry shortly.',
    retryAfterSeconds: 2,
    cause: new NoTurnError('no turn came in time'),
  })
}

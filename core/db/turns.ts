import type { Clock } from '../clock.ts'
import { fail } from '../errors.ts'
import { Allowances } from './allowances.ts'

export interface TurnsOptions {
  /** Transactions at once. */
  readonly total: number
  /**
   * A workspace that has one starts a further one only while fewer than these are at work in all, so it has as many at the most. The
   * other places are for the first transactions of workspaces.
   */
  readonly perWorkspace: number
  /** So many of them at the most are of jobs, for which no client waits; all where left out. */
  readonly jobs?: number
  /** The longest that one waits for its turn, in milliseconds. */
  readonly waitMs: number
  /** A transaction holds up all others, so workspaces share out the time; those that use the most rest. */
  readonly oneAtATime?: boolean
}

interface Waiter {
  readonly urgent: boolean
  start(): void
}

/** Transactions of one workspace. */
interface Lane {
  readonly workspaceId: string
  running: number
  /** Counts those that a client waits for. */
  readonly urgent: Set<Waiter>
  readonly others: Set<Waiter>
  /** Counts its urgent ones that started in a row while others waited. */
  urgentInRow: number
}

/**
 * Shares the database out between workspaces. A transaction that runs is never cut short for another, so places have to stay free before
 * somebody comes: `total` less `perWorkspace` are only for first transactions, and as many workspaces as those cannot keep one more from its
 * place, whatever they started before and however long it takes. With others beside it, a further one of a workspace starts only where its own
 * are fewer than half of the places that are free. Where there is room, the workspaces that wait take turns.
 */
export class TransactionTurns {
  readonly #lanes = new Map<string, Lane>()
  /** Workspaces that wait, in the order of their turns. */
  readonly #ready = new Set<string>()
  #running = 0
  /** Counts those of jobs among them. */
  #runningJobs = 0
  #waiting = 0
  readonly #allowances: Allowances | undefined
  #callOffAdmission: (() => void) | undefined

  constructor(
    readonly options: TurnsOptions,
    readonly clock: Clock,
  ) {
    if (options.oneAtATime) this.#allowances = new Allowances(clock)
  }

  get running(): number {
    return this.#running
  }

  get waiting(): number {
    return this.#waiting
  }

  /**
   * Runs a transaction when it is its turn; those that a client waits for go before most others of their workspace. Throws SERVICE_UNAVAILABLE.
   *
   * @param transaction calls `begun` when it has the database
   */
  async run<T>(
    workspaceId: string,
    urgent: boolean,
    transaction: (begun: () => void) => Promise<T>,
    waitMs = this.options.waitMs,
  ): Promise<T> {
    const lane = this.#lanes.get(workspaceId) ?? newLane(workspaceId)
    this.#lanes.set(workspaceId, lane)
    if (this.#hasRoom(lane) && this.#mayStart(lane, urgent)) this.#start(lane, urgent)
    else await this.#wait(workspaceId, lane, urgent, waitMs)
    let begunAt: number | undefined
    try {
      return await transaction(() => {
        begunAt ??= this.clock.now()
      })
    } finally {
      if (begunAt !== undefined) this.#allowances?.use(workspaceId, urgent, this.clock.now() - begunAt)
      lane.running--
      this.#running--
      if (!urgent) this.#runningJobs--
      if (lane.running === 0 && isQuiet(lane)) this.#forget(workspaceId)
      else this.#lineUp(workspaceId, lane)
      this.#admit()
    }
  }

  #hasRoom(lane: Lane): boolean {
    const { total, perWorkspace } = this.options
    if (lane.running === 0) return this.#running < total
    // A database that does one at a time does them in the order they began, so those that have begun take no turns.
    if (this.#allowances?.hasCompany(lane.workspaceId)) return false
    return this.#running < perWorkspace && (this.#lanes.size === 1 || lane.running < (total - this.#running) / 2)
  }

  #mayStart(lane: Lane, urgent: boolean): boolean {
    if (this.#restMs(lane, urgent) > 0) return false
    return urgent || this.#runningJobs < (this.options.jobs ?? this.options.total)
  }

  #restMs(lane: Lane, urgent: boolean): number {
    return this.#allowances?.restMs(lane.workspaceId, urgent) ?? 0
  }

  #start(lane: Lane, urgent: boolean): void {
    lane.running++
    this.#running++
    if (!urgent) this.#runningJobs++
  }

  async #wait(workspaceId: string, lane: Lane, urgent: boolean, waitMs: number): Promise<void> {
    const queue = urgent ? lane.urgent : lane.others
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    // Settling takes it out of the queue at once, so that it is never settled twice.
    const waiter = { urgent, start: () => queue.delete(waiter) && resolve() }
    const callOff = this.clock.after(waitMs, () => {
      if (queue.delete(waiter)) reject(tooLong())
    })
    queue.add(waiter)
    this.#waiting++
    if (!this.#ready.has(workspaceId)) this.#lineUp(workspaceId, lane)
    this.#admitRested()
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

  /** Puts a workspace that waits behind the others, whose turn is before its next one. */
  #lineUp(workspaceId: string, lane: Lane): void {
    this.#ready.delete(workspaceId)
    if (!isQuiet(lane)) this.#ready.add(workspaceId)
  }

  /** Starts what there is room for, a transaction of each workspace in turn. */
  #admit(): void {
    // A workspace without room is passed over, and keeps its place: it has transactions at work, or waits for its jobs alone.
    for (const workspaceId of this.#ready) {
      if (this.#running >= this.options.total) return
      const lane = this.#lanes.get(workspaceId)
      if (!lane || !this.#hasRoom(lane)) continue
      const next = nextOf(lane, urgent => this.#mayStart(lane, urgent))
      if (!next) continue
      this.#start(lane, next.urgent)
      next.start()
      // The loop comes by once more.
      this.#lineUp(workspaceId, lane)
    }
    this.#admitRested()
  }

  /** Sees to it that workspaces which rest and wait are looked at again when the first of them has rested. */
  #admitRested(): void {
    this.#callOffAdmission?.()
    this.#callOffAdmission = undefined
    if (!this.#allowances) return
    let first = Number.POSITIVE_INFINITY
    for (const workspaceId of this.#ready) {
      const lane = this.#lanes.get(workspaceId)
      if (!lane || lane.running > 0) continue
      const restMs = this.#restMs(lane, lane.urgent.size > 0)
      if (restMs > 0) first = Math.min(first, restMs)
    }
    if (first < Number.POSITIVE_INFINITY) this.#callOffAdmission = this.clock.after(first, () => this.#admit())
  }
}

function newLane(workspaceId: string): Lane {
  return { workspaceId, running: 0, urgent: new Set(), others: new Set(), urgentInRow: 0 }
}

/** Every fourth start is a job's, so that a workspace with many requests does not starve its own jobs. */
const URGENT_IN_ROW_MAX = 3

function nextOf(lane: Lane, mayStart: (urgent: boolean) => boolean): Waiter | undefined {
  const isTheirTurn = lane.urgent.size === 0 || lane.urgentInRow >= URGENT_IN_ROW_MAX
  const [next] =
    isTheirTurn && lane.others.size > 0 && mayStart(false) ? lane.others : mayStart(true) ? lane.urgent : []
  if (next) lane.urgentInRow = next.urgent && lane.others.size > 0 ? lane.urgentInRow + 1 : 0
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

/**
 * A quarter of the connections stays free for what belongs to no workspace: keys, sessions, rate limits. Two fifths of the places are for first
 * transactions: of twelve five, so that four workspaces and their snapshots never hold all. The embedded database does one transaction after
 * the other, in the order they came: what has begun there is a line in which no turns are taken, so it is short, has one of all jobs' at a time, and
 * has one of each workspace while there are several, which share out the time (`core/db/allowances.ts`).
 */
export function turnsOf(kind: 'embedded' | 'server', connections: number): TurnsOptions {
  const total = Math.max(1, Math.floor((connections * 3) / 4))
  const waitMs = 30 * 1000
  if (kind === 'embedded')
    return { total: Math.min(total, 3), perWorkspace: Math.min(total, 2), jobs: 1, oneAtATime: true, waitMs }
  return { total, perWorkspace: Math.max(1, Math.round((total * 3) / 5)), waitMs }
}

/**
 * Transactions of accounts, workspaces and keys that requests ask for, one at a time of each holder. They leave connections to what every
 * request needs: its key, and its count.
 */
export function systemTurnsOf(connections: number): TurnsOptions {
  return { total: Math.max(1, Math.floor(connections / 8)), perWorkspace: 1, waitMs: 30 * 1000 }
}

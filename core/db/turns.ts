import type { Clock } from '../clock.ts'
import { fail } from '../errors.ts'
import { Semaphore, type SemaphoreState } from '../fair/semaphore.ts'
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

/** Every fourth start is a job's, so that a workspace with many requests does not starve its own jobs. */
const URGENT_IN_ROW_MAX = 3

type Urgency = 'urgent' | 'job'

/**
 * Shares the database out between workspaces. A transaction that runs is never cut short for another, so places have to stay free before
 * somebody comes: `total` less `perWorkspace` are only for first transactions, and as many workspaces as those cannot keep one more from its
 * place, whatever they started before and however long it takes. With others beside it, a further one of a workspace starts only where its own
 * are fewer than half of the places that are free.
 */
export class TransactionTurns {
  readonly permits: Semaphore<Urgency>
  readonly #allowances: Allowances | undefined
  #rest: { readonly endsAt: number; callOff(): void } | undefined

  constructor(
    readonly options: TurnsOptions,
    readonly clock: Clock,
  ) {
    const { total, perWorkspace: perKey, jobs: max, waitMs, oneAtATime } = options
    if (oneAtATime) this.#allowances = new Allowances(clock)
    const classes = { urgent: { inRowMax: URGENT_IN_ROW_MAX }, job: max === undefined ? {} : { max } }
    const admits = (state: SemaphoreState<Urgency>) => this.#hasRoom(state) && !this.#rests(state)
    this.permits = new Semaphore({ clock, total, perKey, classes, waitMs, admits, refuse: tooLong })
  }

  /**
   * Runs a transaction when it is its turn; those that a client waits for go before most others of their workspace. Throws SERVICE_UNAVAILABLE.
   *
   * @param transaction calls `begun` when it has the database
   */
  run<T>(
    workspaceId: string,
    urgent: boolean,
    transaction: (begun: () => void) => Promise<T>,
    waitMs = this.options.waitMs,
  ): Promise<T> {
    return this.permits.run(workspaceId, { of: urgent ? 'urgent' : 'job', waitMs }, async () => {
      let begunAt: number | undefined
      try {
        return await transaction(() => {
          begunAt ??= this.clock.now()
        })
      } finally {
        if (begunAt !== undefined) this.#allowances?.use(workspaceId, urgent, this.clock.now() - begunAt)
      }
    })
  }

  #hasRoom({ key, own, all, keys }: SemaphoreState<Urgency>): boolean {
    const { total, perWorkspace } = this.options
    if (own === 0) return true
    // A database that does one at a time does them in the order they began, so those that have begun take no turns.
    if (this.#allowances?.hasCompany(key)) return false
    return all < perWorkspace && (keys === 1 || own < (total - all) / 2)
  }

  /** A workspace that has used up its time rests, and whoever waits is looked at again when the first of those that rest has done so. */
  #rests({ key, of }: SemaphoreState<Urgency>): boolean {
    const restMs = this.#allowances?.restMs(key, of === 'urgent') ?? 0
    const endsAt = this.clock.now() + restMs
    if (restMs > 0 && endsAt < (this.#rest?.endsAt ?? Infinity)) {
      this.#rest?.callOff()
      const callOff = this.clock.after(restMs, () => {
        this.#rest = undefined
        this.permits.look()
      })
      this.#rest = { endsAt, callOff }
    }
    return restMs > 0
  }
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

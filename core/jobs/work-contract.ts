import type { Registry } from 'prom-client'
import type { Database, Fragment, Tx } from '../db/database.ts'
import type { JobClock } from './task.ts'

/**
 * Defines work whose items are rows of a plugin's own table, made one by `core.make_work_table('<schema>.<table>')`.
 * Processes claim items for a while; a claim that is not renewed lapses, so that a killed process's items are due again
 * by themselves. Times are the database's.
 */
export interface LeasedWorkOptions {
  /** `<schema>.<table>`; also names the work in the metrics. */
  readonly table: string
  /** The column that, after `workspace_id`, is the primary key. */
  readonly key: string
  /** The type of that column; `uuid`. */
  readonly keyType?: 'uuid' | 'text'
  /** Further columns that come with a claim. Arrays and numbers beyond 2^53 come as the driver reads them: as text. */
  readonly columns?: readonly string[]
  /** A claim lasts so long without being renewed. */
  readonly leaseMs: number
  /** At most so many items of a workspace are claimed at once, over all processes; no limit without it. */
  readonly perWorkspaceMax?: number
  /** Lists the ranks that occur, in their order; `[0]`. */
  readonly ranks?: readonly number[]
  /** Finished items are deleted; otherwise their rows stay, with nothing due. */
  readonly removeFinished?: boolean
  /** Counts claims and queued items here. */
  readonly measure?: { readonly registry: Registry; readonly database: Database }
  /** For tests: without it times are the database's. */
  readonly clock?: JobClock
}

/** An item that this process has claimed. `R` holds the columns asked for. */
export interface Claim<R = unknown> {
  readonly workspaceId: string
  /** The value of the key column. */
  readonly id: string
  /** Counts claims, this one included. */
  readonly attempts: number
  /** The item was due since then. */
  readonly dueAt: Date
  readonly row: R
  readonly lease: string
  readonly version: number
}

/** Says in how many milliseconds a postponed item is due again, with the reason where it failed. */
export interface Postponement<C extends Claim = Claim> {
  readonly claim: C
  readonly inMs: number
  readonly reason?: string
}

/**
 * All that settle claims return those that still held. A claim that lapsed and was taken by another process is none of
 * them, and its item is not touched. An item that was queued again after it was claimed is due at once however it is
 * settled.
 */
export interface LeasedWork<R> {
  readonly table: string
  /**
   * For system transactions: claims up to `limit` items of all workspaces. Each of up to 32 workspaces gets an equal
   * share, and the next call continues with the workspaces after them, so that none waits behind another's many.
   */
  claim(tx: Tx, limit: number): Promise<Claim<R>[]>
  /**
   * Claims up to `limit` items of a workspace: those of the lowest rank first, of one rank the longest due.
   *
   * @param where a further condition on the row, which is called `queued`: for work that goes to places of which each takes only so
   *   much at once, so that many items of one do not stand before those of the others. It wants an index of its own.
   */
  claimIn(tx: Tx, workspaceId: string, limit: number, where?: Fragment): Promise<Claim<R>[]>
  /** Extends claims by `leaseMs` from now. */
  renew<C extends Claim>(tx: Tx, claims: readonly C[]): Promise<C[]>
  /** Marks items as done. */
  finish<C extends Claim>(tx: Tx, claims: readonly C[]): Promise<C[]>
  /** Gives items back as if they had not been claimed: due at once, the attempt uncounted. */
  release<C extends Claim>(tx: Tx, claims: readonly C[]): Promise<C[]>
  postpone<C extends Claim>(tx: Tx, postponements: readonly Postponement<C>[]): Promise<C[]>
  /**
   * Gives items up: nothing is due any more until they are queued again; the reason stays in the row's `error`, at most
   * 500 characters.
   */
  giveUp<C extends Claim>(tx: Tx, claims: readonly C[], reason: string): Promise<C[]>
  /**
   * Renews claims while `work` goes on. What it has settled it takes out of `open`; what is left there in the end, or when it
   * throws, is released. Its signal is aborted with `signal`, and when all that is open was lost to others.
   */
  holding<C extends Claim, T>(
    database: Database,
    claims: readonly C[],
    signal: AbortSignal,
    work: (open: Set<C>, signal: AbortSignal) => Promise<T>,
  ): Promise<T>
  /**
   * For system transactions: lists up to `limit` workspaces with something due, each call continuing after the last
   * one's.
   */
  dueWorkspaces(tx: Tx, limit: number): Promise<string[]>
  /**
   * Returns in how many milliseconds something of a workspace is due next, claimed items at the end of their leases: 0 when
   * something is due, undefined when nothing will be.
   */
  nextDueInMs(tx: Tx, workspaceId: string): Promise<number | undefined>
}

/**
 * Makes the assignments of an `update`, or of `on conflict do update`, that queue an existing item of a work table: it
 * is due at once in its old place, or as soon as its claim ends.
 * @param name what the statement calls the table
 * @param when a condition on the row; where it does not hold, nothing of this changes. A distributed Postgres calls no function of the time
 * lazily, so arrays stand for `case`; and Citus 13 crashes where an element alone is assigned, so `least` is around each.
 * @param now of `on conflict`, which may call none there: `excluded.due_at`
 */
export function queueAgain(tx: Tx, name: string, when: Fragment = tx`true`, now: Fragment = tx`now()`) {
  const own = tx(name)
  return tx`
    due_at = least((array[least(${own}.due_at, ${now}), ${own}.due_at])[
      1 + ((not (${when}) or (${own}.lease is not null and ${own}.due_at > ${now})) is true)::integer
    ]),
    version = ${own}.version + (${when})::integer,
    attempts = least((array[${own}.attempts, 0])[1 + ((${when}) is true)::integer]),
    error = least((array[${own}.error, null])[1 + ((${when}) is true)::integer])`
}

/** Makes the assignments that leave nothing to do for an item, so that its claim is lost. */
export function unqueue(tx: Tx) {
  return tx`due_at = null, lease = null, attempts = 0, error = null`
}

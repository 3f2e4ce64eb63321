import type { Registry } from 'prom-client'
import type { Database, Tx } from '../db/database.ts'
import type { JobClock } from './clock.ts'

/**
 * Work whose items are rows of a plugin's own table, made one by `core.make_work_table('<schema>.<table>')`. Processes claim
 * items for a while; a claim that is not renewed lapses, so that a killed process's items are due again by themselves. Times
 * are the database's.
 */
export interface LeasedWorkOptions {
  /** `<schema>.<table>`; also names the work in the metrics. */
  readonly table: string
  /** The column that, after `workspace_id`, is the primary key. */
  readonly key: string
  /** Of that column; `uuid`. */
  readonly keyType?: 'uuid' | 'text'
  /** Further columns that come with a claim. Arrays and numbers beyond 2^53 come as the driver reads them: as text. */
  readonly columns?: readonly string[]
  /** How long a claim lasts without being renewed. */
  readonly leaseMs: number
  /** At most so many items of a workspace are claimed at once, over all processes; no limit without it. */
  readonly perWorkspaceMax?: number
  /** Those that occur, in their order; `[0]`. */
  readonly ranks?: readonly number[]
  /** What is finished is deleted; otherwise its row stays, with nothing due. */
  readonly removeFinished?: boolean
  /** Where claims and what is queued are counted. */
  readonly measure?: { readonly registry: Registry; readonly database: Database }
  /** For tests: without it times are the database's. */
  readonly clock?: JobClock
}

/** An item that is this process's for a while. `R` holds the columns asked for. */
export interface Claim<R = unknown> {
  readonly workspaceId: string
  /** The value of the key column. */
  readonly id: string
  /** This one included. */
  readonly attempts: number
  /** Since when it was due. */
  readonly dueAt: Date
  readonly row: R
  readonly lease: string
  readonly version: number
}

/** When an item that could not be done is due again, with the reason where it failed. */
export interface Postponement<C extends Claim = Claim> {
  readonly claim: C
  readonly until: Date
  readonly reason?: string
}

/**
 * Whatever settles claims returns those that still held. A claim that lapsed and was taken by another process is none of them,
 * and its item is not touched. An item that was queued again after it was claimed is due at once however it is settled.
 */
export interface LeasedWork<R> {
  readonly table: string
  /**
   * For the system's transactions: claims up to `limit` items of all workspaces. Each of up to 32 workspaces gets an equal share,
   * and the next call goes on with the workspaces after them, so that none waits behind another's many.
   */
  claim(tx: Tx, limit: number): Promise<Claim<R>[]>
  /** Claims up to `limit` items of a workspace: those of the lowest rank first, of one rank the longest due. */
  claimIn(tx: Tx, workspaceId: string, limit: number): Promise<Claim<R>[]>
  /** Extends claims by `leaseMs` from now. */
  renew<C extends Claim>(tx: Tx, claims: readonly C[]): Promise<C[]>
  /** It is done. */
  finish<C extends Claim>(tx: Tx, claims: readonly C[]): Promise<C[]>
  /** Gives items back as if they had not been claimed: due at once, the attempt uncounted. */
  release<C extends Claim>(tx: Tx, claims: readonly C[]): Promise<C[]>
  postpone<C extends Claim>(tx: Tx, postponements: readonly Postponement<C>[]): Promise<C[]>
  /** Nothing is due any more until it is queued again; the reason stays in the row's `error`, at most 500 characters. */
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
  /** For the system's transactions: up to `limit` workspaces with something due, each call going on after the last one's. */
  dueWorkspaces(tx: Tx, limit: number): Promise<string[]>
  /** When something of a workspace is due next, claimed items at the end of their leases; undefined when nothing is. */
  nextDue(tx: Tx, workspaceId: string): Promise<Date | undefined>
}

import { availableParallelism } from 'node:os'
import type { TurnsOptions } from '../db/turns.ts'
import type { ShareClass, Shares } from './request-shares.ts'

const SECOND = 1000

/**
 * Bounds each workspace in one process. A heavy read and a bulk write keep a processor of the database busy for most of their time, so a
 * workspace has no more of them than there are processors, taking it that the database has as many as this machine.
 */
const PROCESSORS = availableParallelism()

/**
 * Requests that wait cost little beside their bodies, whose bytes are shared out by themselves (`core/http/transfers.ts`): a client that sends hundreds
 * of small ones at once is served, as its rate limit promises.
 */
const WAITING = 1000

const NATIVE: Shares = {
  light: { running: 16, waiting: WAITING, waitMs: 30 * SECOND, statementMs: 30 * SECOND, heldMs: 30 * SECOND },
  heavy: {
    running: Math.min(4, Math.max(2, PROCESSORS)),
    waiting: WAITING,
    waitMs: 60 * SECOND,
    statementMs: 15 * SECOND,
    heldMs: 60 * SECOND,
  },
  bulk: {
    running: PROCESSORS < 4 ? 1 : 2,
    waiting: WAITING,
    waitMs: 60 * SECOND,
    statementMs: 60 * SECOND,
    heldMs: 300 * SECOND,
  },
  // Uploads that wait hold a connection each, half sent.
  upload: { running: 8, waiting: 200, waitMs: 60 * SECOND, statementMs: 60 * SECOND },
}

/**
 * The embedded database does one statement at a time, so more at once would only put off the next one of another workspace. Everybody waits for
 * one that takes long.
 */
const EMBEDDED: Shares = {
  ...NATIVE,
  heavy: { ...NATIVE.heavy, running: 2, statementMs: 2 * SECOND },
  bulk: { ...NATIVE.bulk, running: 1 },
}

export type StorageKind = 'embedded' | 'server'

export function sharesOf(kind: StorageKind): Shares {
  return kind === 'embedded' ? EMBEDDED : NATIVE
}

/**
 * A quarter of the connections stays free for what belongs to no workspace: keys, sessions, rate limits. Two fifths of the places are for first
 * transactions: of twelve five, so that four workspaces and their snapshots never hold all. The embedded database does one transaction after
 * the other, in the order they came: what has begun there is a line in which no turns are taken, so it is short, has one of all jobs' at a time, and
 * has one of each workspace while there are several, which share out the time (`core/db/allowances.ts`).
 */
export function turnsOf(kind: StorageKind, connections: number): TurnsOptions {
  const total = Math.max(1, Math.floor((connections * 3) / 4))
  const waitMs = 30 * SECOND
  if (kind === 'embedded')
    return { total: Math.min(total, 3), perWorkspace: Math.min(total, 2), jobs: 1, oneAtATime: true, waitMs }
  return { total, perWorkspace: Math.max(1, Math.round((total * 3) / 5)), waitMs }
}

/**
 * Transactions of accounts, workspaces and keys that requests ask for, one at a time of each holder. They leave connections to what every
 * request needs: its key, and its count.
 */
export function systemTurnsOf(connections: number): TurnsOptions {
  return { total: Math.max(1, Math.floor(connections / 8)), perWorkspace: 1, waitMs: 30 * SECOND }
}

/** A statement of a workspace's own may take so long where a request waits for it before or after its work, its wait for a lock included. */
export const REQUEST_STATEMENT_MS = 30 * SECOND

/** A statement of those may take so long, its wait for a lock included. They read and write a few rows. */
export const SYSTEM_STATEMENT_MS = 10 * SECOND

interface Classed {
  readonly share?: ShareClass
  readonly query?: { readonly properties: object }
}

/** The class of a route: what it says itself, `upload` for one that takes uploads, and `heavy` for a list in pages, whose items may be long. */
export function shareOf({ share, query }: Classed, takesUpload: boolean): ShareClass {
  if (share) return share
  if (takesUpload) return 'upload'
  return query && 'page_size' in query.properties ? 'heavy' : 'light'
}

import { availableParallelism } from 'node:os'
import type { Clock } from '../clock.ts'
import { isTooLong } from '../db/database.ts'
import { fail } from '../errors.ts'
import { Semaphore } from '../fair/semaphore.ts'
import { isWithoutRoom } from './transfers.ts'

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

const SECOND = 1000

/**
 * A heavy read and a bulk write keep a processor of the database busy for most of their time, so a workspace has no more of them than there are
 * processors, taking it that the database has as many as this machine.
 */
const PROCESSORS = availableParallelism()

/** Requests that wait cost little beside their bodies, whose bytes have a budget: a client that sends hundreds of small ones at once is served. */
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

/** The embedded database does one statement at a time: more at once would only put off the next one of another workspace. */
const EMBEDDED: Shares = {
  ...NATIVE,
  heavy: { ...NATIVE.heavy, running: 2, statementMs: 2 * SECOND },
  bulk: { ...NATIVE.bulk, running: 1 },
}

export function sharesOf(kind: 'embedded' | 'server'): Shares {
  return kind === 'embedded' ? EMBEDDED : NATIVE
}

/** The permits of requests by class, a key for each workspace. */
export interface RequestShares {
  readonly limits: Shares
  readonly permits: Readonly<Record<ShareClass, Semaphore>>
}

/** There is no bound over all workspaces: a handler may wait for somebody else's server, and a few tenants could hold all permits. */
export function createShares(limits: Shares, clock: Clock): RequestShares {
  const of = ({ running, waiting, waitMs, heldMs }: Share) =>
    new Semaphore({
      clock,
      perKey: running,
      waitingPerKeyMax: waiting,
      waitMs,
      ...(heldMs === undefined ? {} : { heldMs }),
      refuse: why =>
        noPlace(running, why === 'late' ? `this one has waited for ${waitMs / SECOND} s` : `${waiting} more wait`),
    })
  const { light, heavy, bulk, upload } = limits
  return { limits, permits: { light: of(light), heavy: of(heavy), bulk: of(bulk), upload: of(upload) } }
}

/** A permit whose work was thrown away stays empty until its client may try again, or such work would be done over and over. */
const REST_MS = 1000

/**
 * A permit whose statement took longer than it may stays empty so many times as long as it was taken, up to a bound: such work would fail again, and
 * on the embedded database everybody waits for it.
 */
const REST_SHARE = 9
const REST_MS_MAX = 20_000

/**
 * Making a large response leaves several times its size behind, which has to be collected before memory is free again. So its permit
 * stays empty for as long as those who read it over a network need.
 */
const RESPONSE_BYTES_PER_MS = 4096

/**
 * Says for how long a permit stays empty after its work.
 * @param largeBytes of a response that does not go out at once
 */
export function restAfter(error: unknown, tookMs: number, largeBytes = 0): number {
  if (largeBytes > 0) return largeBytes / RESPONSE_BYTES_PER_MS
  if (isWithoutRoom(error)) return REST_MS
  return isTooLong(error) ? Math.min(REST_MS_MAX, REST_SHARE * tookMs) : 0
}

function noPlace(running: number, reason: string) {
  return fail('RATE_LIMITED', {
    message: `${running} requests like this one are at work for this workspace, as many as may be at once, and ${reason}. Retry when they are done. RATE_LIMIT changes nothing here.`,
    retryAfterSeconds: 1,
  })
}

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

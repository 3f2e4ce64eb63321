import { LRUCache } from 'lru-cache'
import type { Database, Tx } from '../db/database.ts'

/** Where a caller stands in its window, after the request asked about. */
export interface RateState {
  readonly limited: boolean
  /** Requests a window. */
  readonly limit: number
  readonly remaining: number
  /** Whole seconds to the next window, at least 1. */
  readonly resetSeconds: number
}

export interface RateLimiter {
  /** Counts a request; never waits for anything. */
  consume(callerId: string): RateState
  /** Exchanges counts with the other servers; to be called about once a second. Rejects when the database is away. */
  sync(): Promise<void>
}

export interface RateLimiterOptions {
  /** Requests a window. */
  readonly limit: number
  readonly database: Database
  /** Length of the window; 60 seconds. */
  readonly windowMs?: number
  /** Milliseconds since 1970. Servers whose clocks differ count in different windows for that long. */
  readonly now?: () => number
}

/** Callers counted at the same time. Beyond, the one not seen the longest starts afresh. */
const CALLERS_MAX = 100_000

interface Count {
  windowNumber: number
  /** By this process, not written yet. */
  unsent: number
  /** By all servers, as of the last exchange. */
  shared: number
}

/**
 * A fixed window per caller, held across servers: each counts by itself and once a second adds what it counted to the shared
 * counter and takes over the sum. Several servers together let through at most about a second's traffic too much, and no
 * request waits for the database. While the database is away, each server holds the limit for itself.
 */
export function createRateLimiter(options: RateLimiterOptions): RateLimiter {
  const { limit, database, windowMs = 60_000, now = Date.now } = options
  const counts = new LRUCache<string, Count>({ max: CALLERS_MAX })
  /** Callers with something to exchange. */
  const active = new Set<string>()

  function countOf(callerId: string, windowNumber: number): Count {
    const known = counts.get(callerId)
    if (known?.windowNumber === windowNumber) return known
    const fresh = { windowNumber, unsent: 0, shared: 0 }
    counts.set(callerId, fresh)
    return fresh
  }

  return {
    consume(callerId) {
      const at = now()
      const windowNumber = Math.floor(at / windowMs)
      const count = countOf(callerId, windowNumber)
      const used = count.shared + count.unsent
      const limited = used >= limit
      if (!limited) {
        // A refused request is not counted: a caller that keeps hammering gets its full allowance in the next window as well.
        count.unsent++
        active.add(callerId)
      }
      return {
        limited,
        limit,
        remaining: limited ? 0 : limit - used - 1,
        resetSeconds: Math.max(1, Math.ceil(((windowNumber + 1) * windowMs - at) / 1000)),
      }
    },

    async sync() {
      const sent = new Map<string, { windowNumber: number; consumed: number }>()
      for (const callerId of active) {
        const count = counts.peek(callerId)
        if (count && count.windowNumber === Math.floor(now() / windowMs)) {
          sent.set(callerId, { windowNumber: count.windowNumber, consumed: count.unsent })
        }
      }
      active.clear()
      if (sent.size === 0) return
      try {
        const rows = await database.system(tx => exchange(tx, sent))
        for (const { caller_id, consumed } of rows) {
          const count = counts.peek(caller_id)
          const own = sent.get(caller_id)
          if (!count || !own || count.windowNumber !== own.windowNumber) continue
          count.unsent -= own.consumed
          count.shared = consumed
        }
      } catch (error) {
        for (const callerId of sent.keys()) active.add(callerId)
        throw error
      }
    },
  }
}

/** One upsert for all callers; a row of an older window is started afresh, one of a newer window (a clock ahead) is left. */
async function exchange(tx: Tx, sent: ReadonlyMap<string, { windowNumber: number; consumed: number }>) {
  const rows = [...sent].map(([caller_id, { windowNumber, consumed }]) => ({
    caller_id,
    window_number: windowNumber,
    consumed,
  }))
  return tx<{ caller_id: string; consumed: number }[]>`
    insert into core.rate_window as shared (caller_id, window_number, consumed)
    select new.caller_id, new.window_number, new.consumed
    from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as new (
      caller_id text, window_number bigint, consumed integer
    )
    order by new.caller_id
    on conflict (caller_id) do update
    set
      window_number = excluded.window_number,
      updated_at = now(),
      consumed = excluded.consumed + case
        when shared.window_number = excluded.window_number then shared.consumed
        else 0
      end
    where shared.window_number <= excluded.window_number
    returning shared.caller_id, shared.consumed`
}

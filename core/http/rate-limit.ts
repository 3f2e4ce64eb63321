import { LRUCache } from 'lru-cache'
import type { Database, Tx } from '../db/database.ts'
import { SMALL_BYTES } from '../resources/bounded-cache.ts'
import { type Holding, held } from '../resources/holdings.ts'

/** Tells how a caller stands in its window, after the counted request. */
export interface RateState {
  readonly limited: boolean
  /** This process has refused so many requests of the window, the counted one included. */
  readonly refused: number
  /** The window allows so many requests. */
  readonly limit: number
  readonly remaining: number
  /** Whole seconds to the next window, at least 1. */
  readonly resetSeconds: number
}

export interface RateLimiter {
  /** Its counts, for as long as there is the limiter. */
  readonly holding: Holding
  /**
   * Counts a request; never waits for anything.
   * @param times its window allows so many times the limit; 1
   */
  consume(callerId: string, times?: number): RateState
  /** Exchanges counts with the other servers; to be called about once a second. Rejects when the database is away. */
  sync(): Promise<void>
}

export interface RateLimiterOptions {
  /** A window allows so many requests. */
  readonly limit: number
  readonly database: Database
  /** A window lasts so long; 60 seconds. */
  readonly windowMs?: number
  /** Milliseconds since 1970. Servers whose clocks differ count in different windows for that long. */
  readonly now?: () => number
}

/** So many callers are counted at the same time. Beyond, the least recently seen one starts again at zero. */
const CALLERS_MAX = 100_000

interface Count {
  windowNumber: number
  /** This process counted so many and has not written them yet. */
  unsent: number
  /** All servers counted so many, as of the last exchange. */
  shared: number
  refused: number
}

/**
 * Keeps a fixed window per caller across servers: each counts by itself, and once a second adds its counts to the
 * shared counter and reads the sum. Several servers together let through at most about a second's traffic too much, and
 * no request waits for the database. While the database is away, each server holds the limit for itself.
 */
export function createRateLimiter(options: RateLimiterOptions): RateLimiter {
  const { limit: limitOfOne, database, windowMs = 60_000, now = Date.now } = options
  const counts = new LRUCache<string, Count>({ max: CALLERS_MAX })
  // Never dropped: a caller would begin at zero again.
  const holding = held({
    name: 'http.rate_counts',
    maxBytes: CALLERS_MAX * SMALL_BYTES,
    bytes: () => counts.size * SMALL_BYTES,
  })
  /** These callers have counts to exchange. */
  const active = new Set<string>()

  function countOf(callerId: string, windowNumber: number): Count {
    const known = counts.get(callerId)
    if (known?.windowNumber === windowNumber) return known
    const fresh = { windowNumber, unsent: 0, shared: 0, refused: 0 }
    counts.set(callerId, fresh)
    return fresh
  }

  return {
    holding,
    consume(callerId, times = 1) {
      const limit = limitOfOne * times
      const at = now()
      const windowNumber = Math.floor(at / windowMs)
      const count = countOf(callerId, windowNumber)
      const used = count.shared + count.unsent
      const limited = used >= limit
      if (limited) count.refused++
      else {
        // A refused request is not counted: a caller that keeps hammering gets its full allowance in the next window as well.
        count.unsent++
        active.add(callerId)
      }
      return {
        limited,
        refused: count.refused,
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
          // A server whose clock is minutes off begins the shared count again and again, while what was counted in a window never gets less.
          count.shared = Math.max(consumed, count.shared + own.consumed)
        }
      } catch (error) {
        for (const callerId of sent.keys()) active.add(callerId)
        throw error
      }
    },
  }
}

/**
 * One upsert serves all callers; a row of an older window starts again at zero, one of the next window (a clock a
 * little ahead) is left. One further ahead was written before the clock was put back, and starts again too.
 */
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
      or shared.window_number > excluded.window_number + 1
    returning shared.caller_id, shared.consumed`
}

import type { Database, Tx } from '../db/database.ts'
import { type Counted, type RateState, RateWindow } from '../fair/rate-window.ts'
import type { Holding } from '../resources/holdings.ts'

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

/**
 * Keeps a fixed window per caller across servers: each counts by itself, and once a second adds its counts to the
 * shared counter and reads the sum. Several servers together let through at most about a second's traffic too much, and
 * no request waits for the database. While the database is away, each server holds the limit for itself.
 */
export function createRateLimiter({ database, ...options }: RateLimiterOptions): RateLimiter {
  const window = new RateWindow({ name: 'http.rate_counts', ...options })
  return {
    holding: window.holding,
    consume: (callerId, times) => window.consume(callerId, times),
    sync: () => window.exchange(counted => database.system(tx => exchange(tx, counted))),
  }
}

/**
 * One upsert serves all callers; a row of an older window starts again at zero, one of the next window (a clock a
 * little ahead) is left. One further ahead was written before the clock was put back, and starts again too.
 */
async function exchange(tx: Tx, counted: ReadonlyMap<string, Counted>): Promise<ReadonlyMap<string, number>> {
  const rows = [...counted].map(([caller_id, { windowNumber, count }]) => ({
    caller_id,
    window_number: windowNumber,
    consumed: count,
  }))
  const sums = await tx<{ caller_id: string; consumed: number }[]>`
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
  return new Map(sums.map(({ caller_id, consumed }) => [caller_id, consumed]))
}

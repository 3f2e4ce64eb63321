import type { Tx } from '../db/database.ts'
import { BoundedCache } from '../resources/bounded-cache.ts'
import type { QuotaAllowance, QuotaDefinition } from './quota.ts'

/**
 * Finds what still fits into a quota, at no cost where there is no limit.
 *
 * Far from the limit of what is counted, an estimate decides: a count that is seconds old. It is safe by arithmetic. Let r be
 * what remained at the count. The count is trusted only for (r/2) / FILL_RATE seconds, so at least r/2 remain as long as all
 * servers together fill the quota no faster than FILL_RATE; and a write of n goes ahead on the estimate only when
 * n <= (r/2) / WRITERS, so WRITERS of them at once still fit. All others take turns on a lock and count exactly.
 */
export class QuotaRooms {
  readonly #estimates = new BoundedCache<Estimate>({
    name: 'usage.quota_estimates',
    max: ESTIMATES_MAX,
    maxBytes: ESTIMATES_MAX * 1024,
  })

  async room(tx: Tx, definition: QuotaDefinition, allowance: QuotaAllowance, wanted: number): Promise<number> {
    const { limit } = allowance
    if (limit === null) return wanted
    const place = placeOf(definition, allowance)
    if (!definition.count) {
      await takeTurns(tx, place)
      return roomIn(limit, await usedThisMonth(tx, allowance.workspaceId, definition.name), wanted)
    }
    const remaining = this.#trusted(place, limit)
    if (remaining !== undefined && wanted <= remaining / 2 / WRITERS) {
      this.#add(place, wanted)
      return wanted
    }
    const counted = await definition.count(tx, allowance)
    this.#remember(place, counted)
    if (wanted <= (limit - counted) / 2 / WRITERS) return wanted
    await takeTurns(tx, place)
    const exact = await definition.count(tx, allowance)
    this.#remember(place, exact)
    return roomIn(limit, exact, wanted)
  }

  /** Returns what remains by the estimate, or undefined when it is too old to be trusted. */
  #trusted(place: string, limit: number): number | undefined {
    const estimate = this.#estimates.get(place)
    if (!estimate) return undefined
    const remaining = limit - estimate.used
    const trustedMs = Math.min(ESTIMATE_MS_MAX, (remaining / 2 / FILL_RATE) * 1000)
    return performance.now() - estimate.countedAt <= trustedMs ? remaining : undefined
  }

  #add(place: string, stored: number): void {
    const estimate = this.#estimates.get(place)
    if (estimate) estimate.used += stored
  }

  #remember(place: string, used: number): void {
    this.#estimates.set(place, { used, countedAt: performance.now() })
  }
}

interface Estimate {
  used: number
  readonly countedAt: number
}

/** All servers together may add so much to one quota in a second before the estimate could mislead. */
const FILL_RATE = 10_000
/** So many writing transactions may be under way at once under one quota. */
const WRITERS = 100
const ESTIMATE_MS_MAX = 60_000
const ESTIMATES_MAX = 10_000

/** Names the quota of one holder. */
function placeOf({ name, per }: QuotaDefinition, { workspaceId, accountId }: QuotaAllowance): string {
  return `quota:${name}:${per === 'account' ? accountId : workspaceId}`
}

function roomIn(limit: number, used: number, wanted: number): number {
  return Math.max(0, Math.min(wanted, limit - used))
}

/**
 * The lock is a statement of its own: the count that follows must begin, and so take its snapshot, while the lock is
 * held.
 */
async function takeTurns(tx: Tx, place: string): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtextextended(${place}, 0))`
}

async function usedThisMonth(tx: Tx, workspaceId: string, quota: string): Promise<number> {
  const [row] = await tx<{ used: number }[]>`
    select coalesce(sum(usage.input), 0)::float8 as used
    from core.usage as usage
    where usage.workspace_id = ${workspaceId}
      and usage.metric = ${quota}
      and usage.hour >= date_trunc('month', now(), 'UTC')`
  return row?.used ?? 0
}

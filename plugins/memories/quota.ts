import { type AppError, fail, type Tenant, type Tx } from 'mneme/plugin'
import { countLive } from './queries/quota.ts'

/**
 * Keeps a workspace inside its plan's number of memories, at no cost where there is no limit.
 *
 * Far from the limit an estimate decides: a count that is seconds old. It is safe by arithmetic. Let r be what remained at
 * the count. The count is trusted only for (r/2) / FILL_RATE seconds, so at least r/2 remain as long as all servers together
 * fill the workspace no faster than FILL_RATE; and a write of n memories goes ahead on the estimate only when
 * n <= (r/2) / WRITERS, so WRITERS of them at once still fit. All others take turns on a lock and count exactly.
 */
export class QuotaGuard {
  readonly #estimates = new Map<string, Estimate>()

  /**
   * How many of `wanted` new memories fit: all of them or fewer. Call first in the transaction that stores them.
   */
  async room(tx: Tx, { workspaceId, workspace }: Tenant, wanted: number): Promise<number> {
    const limit = workspace.quotas.memories
    if (limit === null) return wanted
    const remaining = this.#trusted(workspaceId, limit)
    if (remaining !== undefined && wanted <= remaining / 2 / WRITERS) {
      this.#add(workspaceId, wanted)
      return wanted
    }
    const counted = await countLive(tx, workspaceId)
    this.#remember(workspaceId, counted)
    if (wanted <= (limit - counted) / 2 / WRITERS) return wanted
    const exact = await countLive(tx, workspaceId, 'taking turns')
    this.#remember(workspaceId, exact)
    return Math.max(0, Math.min(wanted, limit - exact))
  }

  exceeded({ workspace }: Tenant): AppError {
    return fail('QUOTA_EXCEEDED', {
      message: `The ${workspace.plan} plan's ${workspace.quotas.memories} memories are used up.`,
    })
  }

  /** What remains by the estimate, or undefined when it is too old to be trusted. */
  #trusted(workspaceId: string, limit: number): number | undefined {
    const estimate = this.#estimates.get(workspaceId)
    if (!estimate) return undefined
    const remaining = limit - estimate.used
    const trustedMs = Math.min(ESTIMATE_MS_MAX, (remaining / 2 / FILL_RATE) * 1000)
    return performance.now() - estimate.countedAt <= trustedMs ? remaining : undefined
  }

  #add(workspaceId: string, stored: number): void {
    const estimate = this.#estimates.get(workspaceId)
    if (estimate) estimate.used += stored
  }

  #remember(workspaceId: string, used: number): void {
    // Insertion order makes the first entry the oldest count.
    this.#estimates.delete(workspaceId)
    this.#estimates.set(workspaceId, { used, countedAt: performance.now() })
    if (this.#estimates.size <= ESTIMATES_MAX) return
    const [oldest] = this.#estimates.keys()
    if (oldest !== undefined) this.#estimates.delete(oldest)
  }
}

interface Estimate {
  used: number
  readonly countedAt: number
}

/** Memories a second that all servers together may add to one workspace before the estimate could mislead. */
const FILL_RATE = 10_000
/** Writing transactions under way at once in one workspace, at the most. */
const WRITERS = 100
const ESTIMATE_MS_MAX = 60_000
const ESTIMATES_MAX = 10_000

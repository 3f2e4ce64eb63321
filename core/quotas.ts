import type { Workspace } from './auth/caller.ts'
import { fail } from './errors.ts'

/** What the meter knows of the running month. */
export interface MonthUsage {
  readonly requests: number
  readonly tokens: number
}

/** Refuses work beyond a plan's monthly allowances. */
export interface Quotas {
  /** Throws QUOTA_EXCEEDED when the month's requests or tokens are used up. */
  admit(workspace: Workspace): Promise<void>
  countRequest(workspaceId: string): void
}

export function createQuotas(meter: {
  request(workspaceId: string): void
  monthUsage(workspaceId: string): Promise<MonthUsage>
}): Quotas {
  return {
    async admit({ id, quotas, plan }) {
      if (quotas.requests === null && quotas.tokens === null) return
      const used = await meter.monthUsage(id)
      for (const metric of ['requests', 'tokens'] as const) {
        const limit = quotas[metric]
        if (limit !== null && used[metric] >= limit) {
          throw fail('QUOTA_EXCEEDED', {
            message: `The ${plan} plan's ${limit} ${metric} a month are used up.`,
            retryAfterSeconds: secondsToNextMonth(new Date()),
          })
        }
      }
    },
    countRequest: workspaceId => meter.request(workspaceId),
  }
}

function secondsToNextMonth(now: Date): number {
  return Math.ceil((Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1) - now.getTime()) / 1000)
}

import { ok, type QuotaState, type Tenant, type Workspace } from 'mneme/plugin'
import { summaryExample } from '../examples.ts'
import { compare, withTarget } from '../figures/comparison.ts'
import { type Period, previousOf, readPeriod } from '../figures/period.ts'
import { hoursIn, sumSearches } from '../figures/read.ts'
import { sumOf, usageIn } from '../figures/tokens.ts'
import { SEARCHES } from '../queries/roll-ups.ts'
import { READ, route } from '../route.ts'
import { periodQuery, summaryResponse } from '../schemas.ts'
import type { DashboardScope } from '../scope.ts'

export const getSummaryRoute = route({
  method: 'GET',
  path: '/v1/dashboard/summary',
  access: READ,
  summary: 'Get the key figures',
  description: 'Each beside that of the previous period of the same length and, where it is set, its target.',
  query: periodQuery,
  responses: { 200: summaryResponse },
  examples: { response: summaryExample },
  async handle({ query, scope, tenant }) {
    const now = new Date()
    const period = readPeriod(query, now)
    const current = await figuresOf(scope, tenant, period, now)
    const previous = await figuresOf(scope, tenant, previousOf(period), now)
    const quotas = await scope.quotas.list(tenant.workspace)
    return ok({
      period: { start: period.start.toISOString(), end: period.end.toISOString() },
      memories: withTarget(compare(current.memories, previous.memories), targetOf(tenant.workspace, 'memories')),
      requests: withTarget(compare(current.requests, previous.requests), targetOf(tenant.workspace, 'requests')),
      search_quality: withTarget(
        compare(current.quality, previous.quality),
        targetOf(tenant.workspace, 'search_quality'),
      ),
      zero_result_rate: compare(current.zeroRate, previous.zeroRate),
      quota: { ...quotaOf(quotas, 'memories'), ...quotaOf(quotas, 'requests'), ...quotaOf(quotas, 'tokens') },
    })
  },
})

async function figuresOf(scope: DashboardScope, tenant: Tenant, period: Period, now: Date) {
  const hours = await hoursIn(scope, tenant, ['memory.created', SEARCHES], period, now)
  const usage = await usageIn(scope, tenant, period)
  const { searches, zero, averageScore } = sumSearches(hours)
  return {
    memories: hours.reduce((sum, hour) => (hour.metric === 'memory.created' ? sum + hour.count : sum), 0),
    requests: sumOf(usage, 'requests'),
    quality: averageScore ?? 0,
    zeroRate: searches === 0 ? 0 : zero / searches,
  }
}

/** The target among the workspace's settings, whichever plugin contributes it. */
function targetOf({ settings }: Workspace, name: string): number | null {
  const targets: unknown = Reflect.get(settings, 'targets')
  const target: unknown = typeof targets === 'object' && targets !== null ? Reflect.get(targets, name) : null
  return typeof target === 'number' ? target : null
}

function quotaOf(quotas: readonly QuotaState[], name: string): Record<string, number | null> {
  const quota = quotas.find(known => known.name === name)
  return { [`${name}_used`]: quota?.used ?? 0, [`${name}_limit`]: quota?.limit ?? null }
}

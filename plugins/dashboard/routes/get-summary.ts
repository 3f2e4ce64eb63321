import { type MonthUsage, ok, type QuotaState, type Tenant, usageLog } from 'mneme/plugin'
import { memoriesTarget } from '../../memories/contract.ts'
import { searchQualityTarget } from '../../search/contract.ts'
import { requestsTarget } from '../../workspaces/contract.ts'
import { summaryExample } from '../examples.ts'
import { compare, judge } from '../figures/comparison.ts'
import { previousOf, readPeriod, type Spans } from '../figures/period.ts'
import { figuresAt, readRolledUp, sumSearches } from '../figures/read.ts'
import { periodChecks } from '../period-checks.ts'
import { REQUESTS, SEARCHES } from '../queries/days.ts'
import { READ, route } from '../route.ts'
import { periodQuery, summaryResponse } from '../schemas.ts'
import type { DashboardScope } from '../scope.ts'

export const getSummaryRoute = route({
  method: 'GET',
  path: '/v1/dashboard/summary',
  operationId: 'getDashboardSummary',
  access: READ,
  share: 'heavy',
  beyondQuota: true,
  summary: 'Get the key figures',
  description: 'Each figure with that of the previous period of the same length and, where it is set, its target.',
  query: periodQuery,
  checks: periodChecks,
  responses: { 200: summaryResponse },
  examples: { response: summaryExample },
  async handle({ query, scope, tenant }) {
    const now = new Date()
    const { workspace } = tenant
    const period = readPeriod(query, now)
    const spans: Spans = { starts: [previousOf(period).start, period.start], end: period.end }
    const [{ previous, current, used }, quotas] = await Promise.all([
      figuresOf(scope, tenant, spans, now),
      scope.quotas.list(workspace),
    ])
    return ok({
      period: { start: period.start.toISOString(), end: period.end.toISOString() },
      memories: judge(current.memories, previous.memories, memoriesTarget.of(workspace)),
      requests: judge(current.requests, previous.requests, requestsTarget.of(workspace)),
      search_quality: judge(current.quality, previous.quality ?? 0, searchQualityTarget.of(workspace)),
      zero_result_rate: compare(current.zeroRate, previous.zeroRate ?? 0),
      memories_masked: compare(current.masked, previous.masked),
      quota: Object.assign({}, ...['memories', 'requests', 'tokens'].map(name => quotaOf(quotas, used, name))),
    })
  },
})

const CREATED = 'memory.created'
const MASKED = 'memory.masked'

/**
 * Reads the figures of the previous period and of this, and the month's use. They are read at one instant, since two figures of the same
 * requests in one response have to agree.
 */
async function figuresOf(scope: DashboardScope, tenant: Tenant, spans: Spans, now: Date) {
  const log = scope.wiring.use(usageLog)
  await log.flush()
  const { workspaceId } = tenant
  const wanted = { metrics: [CREATED, MASKED, REQUESTS, SEARCHES], spans }
  const [figures, used] = await readRolledUp(scope, tenant, now, (tx, rolledTo) =>
    Promise.all([figuresAt(scope, tx, workspaceId, wanted, rolledTo, now), log.month(tx, workspaceId)]),
  )
  const of = (place: number) => {
    const own = figures.filter(({ span }) => span === place)
    const { searches, zero, averageScore } = sumSearches(own)
    const countOf = (kind: string) => own.reduce((sum, { metric, count }) => (metric === kind ? sum + count : sum), 0)
    return {
      memories: countOf(CREATED),
      masked: countOf(MASKED),
      requests: countOf(REQUESTS),
      quality: averageScore,
      zeroRate: searches === 0 ? null : zero / searches,
    }
  }
  return { previous: of(0), current: of(1), used }
}

function quotaOf(quotas: readonly QuotaState[], used: MonthUsage, name: string): Record<string, number | null> {
  const quota = quotas.find(known => known.name === name)
  const consumed = quota?.window === 'month' ? (used[name] ?? 0) : quota?.used
  return { [`${name}_used`]: consumed ?? 0, [`${name}_limit`]: quota?.limit ?? null }
}

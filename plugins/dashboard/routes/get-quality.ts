import { ok } from 'mneme/plugin'
import { qualityExample } from '../examples.ts'
import { rounded } from '../figures/comparison.ts'
import { readPeriod } from '../figures/period.ts'
import { figuresIn, sumSearches } from '../figures/read.ts'
import { periodChecks } from '../period-checks.ts'
import { SEARCHES, type SpanFigures, TOKENS } from '../queries/days.ts'
import { READ, route } from '../route.ts'
import { periodQuery, qualityResponse } from '../schemas.ts'

export const getQualityRoute = route({
  method: 'GET',
  path: '/v1/dashboard/quality',
  operationId: 'getSearchQuality',
  access: READ,
  share: 'heavy',
  beyondQuota: true,
  summary: 'Get the quality of searches',
  description: 'Search quality in the period, and the tokens that models used, by operation.',
  query: periodQuery,
  checks: periodChecks,
  responses: { 200: qualityResponse },
  examples: { response: qualityExample },
  async handle({ query, scope, tenant }) {
    const now = new Date()
    const period = readPeriod(query, now)
    const spans = { starts: [period.start], end: period.end }
    const figures = await figuresIn(scope, tenant, { metrics: [SEARCHES, TOKENS], spans, byOperation: true }, now)
    const { searches, zero, averageScore } = sumSearches(figures)
    return ok({
      avg_search_score: rounded(averageScore ?? 0),
      zero_result_rate: searches === 0 ? 0 : rounded(zero / searches),
      total_searches: searches,
      token_usage_by_operation: tokensByOperation(figures),
    })
  },
})

/** Operations that callers know by another name than the kernel, which knows of no memories. */
const PUBLIC_NAMES: Readonly<Record<string, string>> = { writing: 'consolidation' }

function tokensByOperation(figures: readonly SpanFigures[]): Record<string, { input: number; output: number }> {
  const operations = new Map<string, { input: number; output: number }>()
  for (const { metric, operation, count, output } of figures) {
    if (metric !== TOKENS) continue
    const name = PUBLIC_NAMES[operation] ?? operation
    const sum = operations.get(name) ?? { input: 0, output: 0 }
    operations.set(name, { input: sum.input + count, output: sum.output + output })
  }
  return Object.fromEntries([...operations].toSorted(([one], [other]) => (one < other ? -1 : 1)))
}

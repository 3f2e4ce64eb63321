import { ok } from 'mneme/plugin'
import { qualityExample } from '../examples.ts'
import { rounded } from '../figures/comparison.ts'
import { readPeriod } from '../figures/period.ts'
import { hoursIn, sumSearches } from '../figures/read.ts'
import { usageIn } from '../figures/tokens.ts'
import { SEARCHES } from '../queries/roll-ups.ts'
import { READ, route } from '../route.ts'
import { periodQuery, qualityResponse } from '../schemas.ts'

export const getQualityRoute = route({
  method: 'GET',
  path: '/v1/dashboard/quality',
  access: READ,
  summary: 'Get the quality of searches',
  description: 'And the tokens that models used, by operation.',
  query: periodQuery,
  responses: { 200: qualityResponse },
  examples: { response: qualityExample },
  async handle({ query, scope, tenant }) {
    const now = new Date()
    const period = readPeriod(query, now)
    const { searches, zero, averageScore } = sumSearches(await hoursIn(scope, tenant, [SEARCHES], period, now))
    const operations = new Map<string, { input: number; output: number }>()
    for (const { metric, operation, input, output } of await usageIn(scope, tenant, period)) {
      if (metric !== 'tokens') continue
      const sum = operations.get(operation) ?? { input: 0, output: 0 }
      operations.set(operation, { input: sum.input + input, output: sum.output + output })
    }
    return ok({
      avg_search_score: rounded(averageScore ?? 0),
      zero_result_rate: searches === 0 ? 0 : rounded(zero / searches),
      total_searches: searches,
      token_usage_by_operation: Object.fromEntries([...operations].toSorted()),
    })
  },
})

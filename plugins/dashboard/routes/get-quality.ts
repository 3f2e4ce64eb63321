import { ok } from 'mneme/plugin'
import { qualityExample } from '../examples.ts'
import { rounded } from '../figures/comparison.ts'
import { readPeriod } from '../figures/period.ts'
import { figuresIn, sumSearches } from '../figures/read.ts'
import { usageIn } from '../figures/usage.ts'
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
    const whole = { starts: [period.start], end: period.end }
    const { searches, zero, averageScore } = sumSearches(await figuresIn(scope, tenant, [SEARCHES], whole, now))
    const tokens = await usageIn(scope, tenant, 'tokens', whole)
    const operations = tokens.map(({ operation, input, output }) => [operation, { input, output }] as const)
    return ok({
      avg_search_score: rounded(averageScore ?? 0),
      zero_result_rate: searches === 0 ? 0 : rounded(zero / searches),
      total_searches: searches,
      token_usage_by_operation: Object.fromEntries(operations.toSorted(([one], [other]) => (one < other ? -1 : 1))),
    })
  },
})

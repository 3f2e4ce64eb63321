import { ok, type Tenant } from 'mneme/plugin'
import { type QuerySearches, searchStatistics } from '../../search/contract.ts'
import { diagnosisExample } from '../examples.ts'
import { rounded } from '../figures/comparison.ts'
import { readPeriod } from '../figures/period.ts'
import { queriesIn } from '../figures/read.ts'
import { READ, route } from '../route.ts'
import { diagnosisQuery, diagnosisResponse } from '../schemas.ts'
import type { DashboardScope } from '../scope.ts'

/** A result that is called relevant has at least this score; below it a query has only weak results. */
const WEAK_BELOW = 0.66

export const diagnoseSearchesRoute = route({
  method: 'GET',
  path: '/v1/dashboard/search-diagnosis',
  access: READ,
  summary: 'Diagnose searches',
  description: 'The queries with the weakest results and those without any, with what can be done about each.',
  query: diagnosisQuery,
  responses: { 200: diagnosisResponse },
  examples: { response: diagnosisExample },
  async handle({ query, scope, tenant }) {
    const now = new Date()
    const queries = await queriesIn(scope, tenant, readPeriod(query, now), now)
    const worst = queries
      .filter(({ scored, scoreSum }) => scored > 0 && scoreSum / scored < WEAK_BELOW)
      .toSorted((a, b) => a.scoreSum / a.scored - b.scoreSum / b.scored || b.searches - a.searches)
      .slice(0, query.limit)
    const zero = queries
      .filter(row => row.zero > 0)
      .toSorted((a, b) => b.zero - a.zero || (a.queryHash < b.queryHash ? -1 : 1))
      .slice(0, query.limit)
    const texts = await textsOf(scope, tenant, [...worst, ...zero])
    return ok({
      worst_queries: worst.flatMap(row => {
        const text = texts.get(row.queryHash)
        return text === undefined ? [] : [worstOf(row, text)]
      }),
      zero_result_queries: zero.flatMap(row => {
        const text = texts.get(row.queryHash)
        return text === undefined ? [] : [zeroOf(row, text)]
      }),
    })
  },
})

async function textsOf({ wiring }: DashboardScope, tenant: Tenant, rows: readonly QuerySearches[]) {
  const hashes = [...new Set(rows.map(({ queryHash }) => queryHash))]
  return tenant.transaction(
    async tx =>
      (await wiring.find(searchStatistics)?.texts(tx, tenant.workspaceId, hashes)) ?? new Map<string, string>(),
  )
}

function worstOf({ searches, scored, scoreSum }: QuerySearches, query: string) {
  return {
    query,
    count: searches,
    avg_score: rounded(scoreSum / scored),
    advice:
      'Its best memories are only near in meaning: store what it asks for in its own words, or search with expand.',
  }
}

/** The same words that find something at other times are there: what differed is the filter, or the time. */
function zeroOf({ zero, searches }: QuerySearches, query: string) {
  const isFound = searches > zero
  return {
    query,
    count: zero,
    reason: isFound ? 'FILTER_TOO_NARROW' : 'NO_MATCH',
    advice: isFound
      ? 'Other searches of these words found memories: the filter was too narrow, or the memories came or expired meanwhile.'
      : 'No memory holds these words or is near them in meaning: store what it asks for.',
  }
}

import { ok, type Tx } from 'mneme/plugin'
import { type QuerySearches, searchStatistics } from '../../search/contract.ts'
import { diagnosisExample } from '../examples.ts'
import { rounded } from '../figures/comparison.ts'
import { readPeriod } from '../figures/period.ts'
import { queryPeriod } from '../figures/read.ts'
import { readBadQueries } from '../queries/searches.ts'
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
    const period = await queryPeriod(scope, tenant, readPeriod(query, now), now)
    const { worst, zero, texts } = await tenant.transaction(async tx => {
      const bad = await readBadQueries(tx, tenant.workspaceId, period, { weakBelow: WEAK_BELOW, limit: query.limit })
      return { ...bad, texts: await textsOf(scope, tx, tenant.workspaceId, [...bad.worst, ...bad.zero]) }
    })
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

async function textsOf({ wiring }: DashboardScope, tx: Tx, workspaceId: string, rows: readonly QuerySearches[]) {
  const hashes = [...new Set(rows.map(({ queryHash }) => queryHash))]
  return (await wiring.find(searchStatistics)?.texts(tx, workspaceId, hashes)) ?? new Map<string, string>()
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

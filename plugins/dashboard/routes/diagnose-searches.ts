import { ok, type Tenant, type Tx } from 'mneme/plugin'
import { memoryStatistics } from '../../memories/contract.ts'
import { type QuerySearches, searchStatistics } from '../../search/contract.ts'
import { diagnosisExample } from '../examples.ts'
import { rounded } from '../figures/comparison.ts'
import { readPeriod } from '../figures/period.ts'
import { queryPeriod, readRolledUp } from '../figures/read.ts'
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
  beyondQuota: true,
  summary: 'Diagnose searches',
  description: 'The queries with the weakest results and those without any, with what can be done about each.',
  query: diagnosisQuery,
  responses: { 200: diagnosisResponse },
  examples: { response: diagnosisExample },
  async handle({ query, scope, tenant }) {
    const now = new Date()
    const { workspaceId } = tenant
    const period = readPeriod(query, now)
    const { worst, zero, texts, expired } = await readRolledUp(scope, tenant, now, async (tx, rolledTo) => {
      const known = await queryPeriod(scope, tx, workspaceId, period, rolledTo)
      const bad = await readBadQueries(tx, workspaceId, known, { weakBelow: WEAK_BELOW, limit: query.limit })
      const texts = await textsOf(scope, tx, workspaceId, [...bad.worst, ...bad.zero])
      const empty = bad.zero.flatMap(({ queryHash }) => texts.get(queryHash) ?? [])
      return { ...bad, texts, expired: await scope.wiring.use(memoryStatistics).expiredWith(tx, workspaceId, empty) }
    })
    const reasons = await reasonsOf(scope, tenant, zero, texts, expired)
    return ok({
      worst_queries: worst.flatMap(row => {
        const text = texts.get(row.queryHash)
        return text === undefined ? [] : [worstOf(row, text)]
      }),
      zero_result_queries: zero.flatMap(row => {
        const text = texts.get(row.queryHash)
        const reason = reasons.get(row.queryHash)
        return text === undefined || reason === undefined ? [] : [zeroOf(row, text, reason)]
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

type Reason = keyof typeof ADVICE

const ADVICE = {
  FILTER_TOO_NARROW: 'Memories hold these words, or did when others searched for them: the filter was too narrow.',
  EXPIRED:
    'A memory with these words has expired: promote such memories before they do, or store them without an expiry.',
  NO_MATCH: 'No memory holds these words or is near them in meaning: store what it asks for.',
} as const

/** Finds why queries had no result. */
async function reasonsOf(
  { wiring }: DashboardScope,
  tenant: Tenant,
  rows: readonly QuerySearches[],
  texts: ReadonlyMap<string, string>,
  expired: ReadonlySet<string>,
): Promise<ReadonlyMap<string, Reason>> {
  const queries = rows.flatMap(({ queryHash }) => texts.get(queryHash) ?? [])
  const held = (await wiring.find(searchStatistics)?.held(tenant, queries)) ?? new Set()
  return new Map(
    rows.map(({ queryHash, searches, zero }) => {
      const query = texts.get(queryHash) ?? ''
      if (held.has(query)) return [queryHash, 'FILTER_TOO_NARROW']
      if (expired.has(query)) return [queryHash, 'EXPIRED']
      return [queryHash, searches > zero ? 'FILTER_TOO_NARROW' : 'NO_MATCH']
    }),
  )
}

function zeroOf({ zero }: QuerySearches, query: string, reason: Reason) {
  return { query, count: zero, reason, advice: ADVICE[reason] }
}

import { ok } from 'mneme/plugin'
import { memoryStatistics } from '../../memories/contract.ts'
import { type EmptySearch, searchStatistics } from '../../search/contract.ts'
import { diagnosisExample } from '../examples.ts'
import { rounded } from '../figures/comparison.ts'
import { type NamedQuery, namedQueries } from '../figures/named-queries.ts'
import { readPeriod } from '../figures/period.ts'
import { queryPeriod, readRolledUp } from '../figures/read.ts'
import { periodChecks } from '../period-checks.ts'
import { readBadQueries } from '../queries/searches.ts'
import { READ, route } from '../route.ts'
import { diagnosisQuery, diagnosisResponse } from '../schemas.ts'

/** A result that is called relevant has at least this score; below it a query has only weak results. */
const WEAK_BELOW = 0.66

export const diagnoseSearchesRoute = route({
  method: 'GET',
  path: '/v1/dashboard/search-diagnosis',
  operationId: 'diagnoseSearches',
  access: READ,
  share: 'heavy',
  beyondQuota: true,
  summary: 'Diagnose searches',
  description: 'The queries with the weakest results and those without any, with what can be done about each.',
  query: diagnosisQuery,
  checks: periodChecks,
  responses: { 200: diagnosisResponse },
  examples: { response: diagnosisExample },
  async handle({ query, scope, tenant }) {
    const now = new Date()
    const { workspaceId } = tenant
    const period = readPeriod(query, now)
    const { worst, zero } = await readRolledUp(scope, tenant, now, async (tx, rolledTo) => {
      const known = await queryPeriod(scope, tx, workspaceId, period, rolledTo)
      const bad = once((limit: number) => readBadQueries(tx, workspaceId, known, { weakBelow: WEAK_BELOW, limit }))
      const named = (list: 'worst' | 'zero') =>
        namedQueries(scope, tx, workspaceId, query.limit, async limit => (await bad(limit))[list])
      const [worst, zero] = await Promise.all([named('worst'), named('zero')])
      return { worst, zero }
    })
    const texts = zero.map(({ query }) => query)
    const expired = await scope.wiring.use(memoryStatistics).expiredWith(tenant, texts)
    const empty = await scope.wiring.find(searchStatistics)?.emptySearches(
      tenant,
      zero.map(({ queryHash }) => queryHash),
    )
    return ok({
      worst_queries: worst.map(worstOf),
      zero_result_queries: zero.map(({ query, queryHash, zero: count }) => {
        const search = empty?.get(queryHash)
        const reason = reasonOf(search, expired.has(query))
        return { query, count, reason, advice: adviceFor(reason, search) }
      }),
    })
  },
})

/** Both lists are read by one statement. */
function once<T>(read: (limit: number) => Promise<T>): (limit: number) => Promise<T> {
  const known = new Map<number, Promise<T>>()
  return limit => {
    const found = known.get(limit) ?? read(limit)
    known.set(limit, found)
    return found
  }
}

function worstOf({ query, searches, scored, scoreSum }: NamedQuery) {
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
  FILTER_TOO_NARROW: 'Without its filters this search finds memories: they were too narrow.',
  EXCLUDED:
    'Each memory that it searched and that holds the other words also holds one that it excludes: leave the exclusion out.',
  MATCHES_NOW: 'Without filters this search finds memories by now: nothing is missing.',
  EXPIRED:
    'A memory with these words has expired: promote such memories before they do, or store them without an expiry.',
  NO_MATCH: 'No memory holds these words or is near them in meaning: store what it asks for.',
} as const

const NO_MATCH_OF_WORDS =
  'No memory matches these words: store what it asks for, or search in hybrid mode, which also matches by meaning.'

/** Tells why a query had no result, by the newest search of it that had none. */
function reasonOf(search: EmptySearch | undefined, isExpired: boolean): Reason {
  if (search?.matchesNow) return search.isFiltered ? 'FILTER_TOO_NARROW' : 'MATCHES_NOW'
  if (search?.isExcluded) return 'EXCLUDED'
  return isExpired ? 'EXPIRED' : 'NO_MATCH'
}

function adviceFor(reason: Reason, search: EmptySearch | undefined): string {
  return reason === 'NO_MATCH' && search?.mode === 'keyword' ? NO_MATCH_OF_WORDS : ADVICE[reason]
}

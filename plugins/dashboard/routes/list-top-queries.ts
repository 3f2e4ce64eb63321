import { ok } from 'mneme/plugin'
import { searchStatistics } from '../../search/contract.ts'
import { topExample } from '../examples.ts'
import { rounded } from '../figures/comparison.ts'
import { readPeriod } from '../figures/period.ts'
import { queriesIn } from '../figures/read.ts'
import { READ, route } from '../route.ts'
import { topQuery, topResponse } from '../schemas.ts'

export const listTopQueriesRoute = route({
  method: 'GET',
  path: '/v1/dashboard/top-queries',
  access: READ,
  summary: 'List the most frequent queries',
  description:
    'Queries that differ in case and spacing alone count as one. Of each day the 200 most frequent are known, by days in UTC.',
  query: topQuery,
  responses: { 200: topResponse },
  examples: { response: topExample },
  async handle({ query, scope, tenant }) {
    const now = new Date()
    const queries = await queriesIn(scope, tenant, readPeriod(query, now), now)
    const top = queries
      .toSorted((a, b) => b.searches - a.searches || (a.queryHash < b.queryHash ? -1 : 1))
      .slice(0, query.limit)
    const hashes = top.map(({ queryHash }) => queryHash)
    const texts = await tenant.transaction(
      async tx => scope.wiring.find(searchStatistics)?.texts(tx, tenant.workspaceId, hashes) ?? new Map(),
    )
    const data = top.flatMap(({ queryHash, searches, scored, scoreSum }) => {
      const text = texts.get(queryHash)
      return text === undefined
        ? []
        : [{ query: text, count: searches, avg_score: scored === 0 ? 0 : rounded(scoreSum / scored) }]
    })
    return ok({ data, total: queries.length })
  },
})

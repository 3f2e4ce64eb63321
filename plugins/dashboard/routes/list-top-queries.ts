import { ok } from 'mneme/plugin'
import { searchStatistics } from '../../search/contract.ts'
import { topExample } from '../examples.ts'
import { rounded } from '../figures/comparison.ts'
import { readPeriod } from '../figures/period.ts'
import { queryPeriod } from '../figures/read.ts'
import { readTopQueries } from '../queries/searches.ts'
import { READ, route } from '../route.ts'
import { topQuery, topResponse } from '../schemas.ts'

export const listTopQueriesRoute = route({
  method: 'GET',
  path: '/v1/dashboard/top-queries',
  access: READ,
  summary: 'List the most frequent queries',
  description:
    'Queries that differ in case and spacing alone count as one. By days in UTC: of each the 200 most frequent are known, and of a whole month the 1,000 most frequent of these.',
  query: topQuery,
  responses: { 200: topResponse },
  examples: { response: topExample },
  async handle({ query, scope, tenant }) {
    const now = new Date()
    const period = await queryPeriod(scope, tenant, readPeriod(query, now), now)
    const { top, total, texts } = await tenant.transaction(async tx => {
      const { queries, total } = await readTopQueries(tx, tenant.workspaceId, period, query.limit)
      const hashes = queries.map(({ queryHash }) => queryHash)
      const texts = (await scope.wiring.find(searchStatistics)?.texts(tx, tenant.workspaceId, hashes)) ?? new Map()
      return { top: queries, total, texts }
    })
    const data = top.flatMap(({ queryHash, searches, scored, scoreSum }) => {
      const text = texts.get(queryHash)
      return text === undefined
        ? []
        : [{ query: text, count: searches, avg_score: scored === 0 ? 0 : rounded(scoreSum / scored) }]
    })
    return ok({ data, total })
  },
})

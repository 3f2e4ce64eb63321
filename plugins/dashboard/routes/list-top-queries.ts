import { ok } from 'mneme/plugin'
import { searchStatistics } from '../../search/contract.ts'
import { topExample } from '../examples.ts'
import { rounded } from '../figures/comparison.ts'
import { readPeriod } from '../figures/period.ts'
import { queryPeriod, readRolledUp } from '../figures/read.ts'
import { readTopQueries } from '../queries/searches.ts'
import { READ, route } from '../route.ts'
import { topQuery, topResponse } from '../schemas.ts'

export const listTopQueriesRoute = route({
  method: 'GET',
  path: '/v1/dashboard/top-queries',
  access: READ,
  beyondQuota: true,
  summary: 'List the most frequent queries',
  description:
    'Queries that differ in case and spacing alone count as one. By days in UTC: of each, and of whole months and thirds of months, the 200 most frequent are known and 200 that went worst.',
  query: topQuery,
  responses: { 200: topResponse },
  examples: { response: topExample },
  async handle({ query, scope, tenant }) {
    const now = new Date()
    const { workspaceId } = tenant
    const period = readPeriod(query, now)
    const { top, total, texts } = await readRolledUp(scope, tenant, now, async (tx, rolledTo) => {
      const known = await queryPeriod(scope, tx, workspaceId, period, rolledTo)
      const { queries, total } = await readTopQueries(tx, workspaceId, known, query.limit)
      const hashes = queries.map(({ queryHash }) => queryHash)
      const texts = (await scope.wiring.find(searchStatistics)?.texts(tx, workspaceId, hashes)) ?? new Map()
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

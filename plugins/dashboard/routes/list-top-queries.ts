import { ok } from 'mneme/plugin'
import { topExample } from '../examples.ts'
import { rounded } from '../figures/comparison.ts'
import { namedQueries } from '../figures/named-queries.ts'
import { readPeriod } from '../figures/period.ts'
import { queryPeriod, readRolledUp } from '../figures/read.ts'
import { periodChecks } from '../period-checks.ts'
import { readTopQueries } from '../queries/searches.ts'
import { READ, route } from '../route.ts'
import { topQuery, topResponse } from '../schemas.ts'

export const listTopQueriesRoute = route({
  method: 'GET',
  path: '/v1/dashboard/top-queries',
  operationId: 'listTopQueries',
  access: READ,
  share: 'heavy',
  beyondQuota: true,
  summary: 'List the most frequent queries',
  description:
    'Queries that differ in case and spacing alone count as one. By days in UTC: of each, and of whole months and thirds of months, the 200 most frequent are known and 200 that went worst.',
  query: topQuery,
  checks: periodChecks,
  responses: { 200: topResponse },
  examples: { response: topExample },
  async handle({ query, scope, tenant }) {
    const now = new Date()
    const { workspaceId } = tenant
    const period = readPeriod(query, now)
    let total = 0
    const top = await readRolledUp(scope, tenant, now, async (tx, rolledTo) => {
      const known = await queryPeriod(scope, tx, workspaceId, period, rolledTo)
      return namedQueries(scope, tx, workspaceId, query.limit, async limit => {
        const found = await readTopQueries(tx, workspaceId, known, limit)
        total = found.total
        return found.queries
      })
    })
    const data = top.map(({ query, searches, scored, scoreSum }) => {
      return { query, count: searches, avg_score: scored === 0 ? 0 : rounded(scoreSum / scored) }
    })
    return ok({ data, total })
  },
})

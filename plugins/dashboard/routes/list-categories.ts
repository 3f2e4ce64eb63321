import { ok } from 'mneme/plugin'
import { categoriesExample } from '../examples.ts'
import { readPeriod } from '../figures/period.ts'
import { categoriesIn } from '../figures/read.ts'
import { periodChecks } from '../period-checks.ts'
import { READ, route } from '../route.ts'
import { categoriesResponse, periodQuery } from '../schemas.ts'

export const listCategoriesRoute = route({
  method: 'GET',
  path: '/v1/dashboard/categories',
  operationId: 'getCategoryShares',
  access: READ,
  share: 'heavy',
  beyondQuota: true,
  summary: 'Count memories by category',
  description: 'Memories created in the period, by days in UTC, each as it stood at the end of its day.',
  query: periodQuery,
  checks: periodChecks,
  responses: { 200: categoriesResponse },
  examples: { response: categoriesExample },
  async handle({ query, scope, tenant }) {
    const now = new Date()
    const largest = await categoriesIn(scope, tenant, readPeriod(query, now), now)
    const total = largest[0]?.total ?? 0
    const categories = largest.map(({ name, count }) => ({
      name,
      count,
      pct: Math.round((count / total) * 10_000) / 100,
    }))
    return ok({ categories, total })
  },
})

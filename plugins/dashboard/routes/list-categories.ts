import { ok } from 'mneme/plugin'
import { categoriesExample } from '../examples.ts'
import { readPeriod } from '../figures/period.ts'
import { categoriesIn } from '../figures/read.ts'
import { READ, route } from '../route.ts'
import { categoriesResponse, periodQuery } from '../schemas.ts'

const UNCATEGORIZED = 'uncategorized'

export const listCategoriesRoute = route({
  method: 'GET',
  path: '/v1/dashboard/categories',
  access: READ,
  beyondQuota: true,
  summary: 'Count memories by category',
  description: 'Memories created in the period, by days in UTC, each as it stood at the end of its day.',
  query: periodQuery,
  responses: { 200: categoriesResponse },
  examples: { response: categoriesExample },
  async handle({ query, scope, tenant }) {
    const now = new Date()
    const counts = [...(await categoriesIn(scope, tenant, readPeriod(query, now), now))]
    const total = counts.reduce((sum, [, count]) => sum + count, 0)
    const categories = counts
      .map(([category, count]) => ({
        name: category === '' ? UNCATEGORIZED : category,
        count,
        pct: Math.round((count / total) * 10_000) / 100,
      }))
      .toSorted((a, b) => b.count - a.count || (a.name < b.name ? -1 : 1))
    return ok({ categories, total })
  },
})

import { ok } from 'mneme/plugin'
import { countChartExample, tokenChartExample } from '../examples.ts'
import { type Bucket, bucketsOf, readChartPeriod, spansOf } from '../figures/period.ts'
import { figuresIn } from '../figures/read.ts'
import { periodChecks } from '../period-checks.ts'
import { REQUESTS, TOKENS } from '../queries/days.ts'
import { READ, route } from '../route.ts'
import { chartQuery, countChart, tokenChart } from '../schemas.ts'

export const memoriesChartRoute = route({
  method: 'GET',
  path: '/v1/dashboard/charts/memories',
  operationId: 'getMemoryChart',
  access: READ,
  share: 'heavy',
  beyondQuota: true,
  summary: 'Chart memories',
  description: 'How many were created.',
  query: chartQuery,
  checks: periodChecks,
  responses: { 200: countChart },
  examples: { response: countChartExample },
  async handle({ query, scope, tenant }) {
    const now = new Date()
    const period = readChartPeriod(query, now)
    const buckets = bucketsOf(period, query.granularity)
    const figures = await figuresIn(
      scope,
      tenant,
      { metrics: ['memory.created'], spans: spansOf(buckets, period) },
      now,
    )
    return ok(counted(buckets, figures))
  },
})

export const requestsChartRoute = route({
  method: 'GET',
  path: '/v1/dashboard/charts/requests',
  operationId: 'getRequestChart',
  access: READ,
  share: 'heavy',
  beyondQuota: true,
  summary: 'Chart requests',
  description: 'How many were made.',
  query: chartQuery,
  checks: periodChecks,
  responses: { 200: countChart },
  examples: { response: countChartExample },
  async handle({ query, scope, tenant }) {
    const now = new Date()
    const period = readChartPeriod(query, now)
    const buckets = bucketsOf(period, query.granularity)
    const figures = await figuresIn(scope, tenant, { metrics: [REQUESTS], spans: spansOf(buckets, period) }, now)
    return ok(counted(buckets, figures))
  },
})

export const tokensChartRoute = route({
  method: 'GET',
  path: '/v1/dashboard/charts/tokens',
  operationId: 'getTokenChart',
  access: READ,
  share: 'heavy',
  beyondQuota: true,
  summary: 'Chart tokens',
  description: 'What models read and wrote.',
  query: chartQuery,
  checks: periodChecks,
  responses: { 200: tokenChart },
  examples: { response: tokenChartExample },
  async handle({ query, scope, tenant }) {
    const now = new Date()
    const period = readChartPeriod(query, now)
    const buckets = bucketsOf(period, query.granularity)
    const used = await figuresIn(scope, tenant, { metrics: [TOKENS], spans: spansOf(buckets, period) }, now)
    const points = buckets.map(({ date }) => ({ date, input_tokens: 0, output_tokens: 0, total: 0 }))
    for (const { span, count, output } of used) {
      const point = points[span]
      if (!point) continue
      point.input_tokens += count
      point.output_tokens += output
      point.total += count + output
    }
    return ok(points)
  },
})

function counted(buckets: readonly Bucket[], figures: readonly { readonly span: number; readonly count: number }[]) {
  const points = buckets.map(({ date }) => ({ date, count: 0 }))
  for (const { span, count } of figures) {
    const point = points[span]
    if (point) point.count += count
  }
  return points
}

import { ok, type Static, type Tenant } from 'mneme/plugin'
import { countChartExample, tokenChartExample } from '../examples.ts'
import { type Bucket, bucketsOf, readChartPeriod, spansOf } from '../figures/period.ts'
import { figuresIn } from '../figures/read.ts'
import { periodChecks } from '../period-checks.ts'
import { REQUESTS, type SpanFigures, TOKENS } from '../queries/days.ts'
import { READ, route } from '../route.ts'
import { chartQuery, countChart, tokenChart } from '../schemas.ts'
import type { DashboardScope } from '../scope.ts'

/** All charts have this in common. */
const CHART = {
  method: 'GET',
  access: READ,
  share: 'heavy',
  beyondQuota: true,
  query: chartQuery,
  checks: periodChecks,
} as const

export const memoriesChartRoute = route({
  ...CHART,
  path: '/v1/dashboard/charts/memories',
  operationId: 'getMemoryChart',
  summary: 'Chart memories',
  description: 'How many were created.',
  responses: { 200: countChart },
  examples: { response: countChartExample },
  handle: async input => ok(counts(await chart('memory.created', input))),
})

export const requestsChartRoute = route({
  ...CHART,
  path: '/v1/dashboard/charts/requests',
  operationId: 'getRequestChart',
  summary: 'Chart requests',
  description: 'How many were made.',
  responses: { 200: countChart },
  examples: { response: countChartExample },
  handle: async input => ok(counts(await chart(REQUESTS, input))),
})

export const tokensChartRoute = route({
  ...CHART,
  path: '/v1/dashboard/charts/tokens',
  operationId: 'getTokenChart',
  summary: 'Chart tokens',
  description: 'What models read and wrote.',
  responses: { 200: tokenChart },
  examples: { response: tokenChartExample },
  handle: async input => ok(tokens(await chart(TOKENS, input))),
})

interface Chart {
  readonly buckets: readonly Bucket[]
  readonly figures: readonly SpanFigures[]
}

interface ChartInput {
  readonly query: Static<typeof chartQuery>
  readonly scope: DashboardScope
  readonly tenant: Tenant
}

/** Reads a metric over the points of a chart. */
async function chart(metric: string, { query, scope, tenant }: ChartInput): Promise<Chart> {
  const now = new Date()
  const period = readChartPeriod(query, now)
  const buckets = bucketsOf(period, query.granularity)
  const figures = await figuresIn(scope, tenant, { metrics: [metric], spans: spansOf(buckets, period) }, now)
  return { buckets, figures }
}

function counts({ buckets, figures }: Chart) {
  const points = buckets.map(({ date }) => ({ date, count: 0 }))
  for (const { span, count } of figures) {
    const point = points[span]
    if (point) point.count += count
  }
  return points
}

function tokens({ buckets, figures }: Chart) {
  const points = buckets.map(({ date }) => ({ date, input_tokens: 0, output_tokens: 0, total: 0 }))
  for (const { span, count, output } of figures) {
    const point = points[span]
    if (!point) continue
    point.input_tokens += count
    point.output_tokens += output
    point.total += count + output
  }
  return points
}

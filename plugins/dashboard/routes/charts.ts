import { DateTime } from 'luxon'
import { type DayUsage, ok } from 'mneme/plugin'
import { countChartExample, tokenChartExample } from '../examples.ts'
import { bucketOf, bucketsOf, type Granularity, type Period, readPeriod } from '../figures/period.ts'
import { hoursIn } from '../figures/read.ts'
import { usageIn } from '../figures/tokens.ts'
import { READ, route } from '../route.ts'
import { chartQuery, countChart, tokenChart } from '../schemas.ts'

export const memoriesChartRoute = route({
  method: 'GET',
  path: '/v1/dashboard/charts/memories',
  access: READ,
  summary: 'Chart memories',
  description: 'How many were created.',
  query: chartQuery,
  responses: { 200: countChart },
  examples: { response: countChartExample },
  async handle({ query, scope, tenant }) {
    const now = new Date()
    const period = readPeriod(query, now)
    const hours = await hoursIn(scope, tenant, ['memory.created'], period, now)
    const points = hours.map(({ hour, count }) => [bucketOf(hour, period.zone, query.granularity), count] as const)
    return ok(counted(period, query.granularity, points))
  },
})

export const requestsChartRoute = route({
  method: 'GET',
  path: '/v1/dashboard/charts/requests',
  access: READ,
  summary: 'Chart requests',
  description: 'How many were made, by days in UTC.',
  query: chartQuery,
  responses: { 200: countChart },
  examples: { response: countChartExample },
  async handle({ query, scope, tenant }) {
    const period = readPeriod(query, new Date())
    const usage = await usageIn(scope, tenant, period)
    const points = usage
      .filter(({ metric }) => metric === 'requests')
      .map(row => [bucketOfDay(row, query.granularity), row.input] as const)
    return ok(counted(period, query.granularity, points))
  },
})

export const tokensChartRoute = route({
  method: 'GET',
  path: '/v1/dashboard/charts/tokens',
  access: READ,
  summary: 'Chart tokens',
  description: 'What models read and wrote, by days in UTC.',
  query: chartQuery,
  responses: { 200: tokenChart },
  examples: { response: tokenChartExample },
  async handle({ query, scope, tenant }) {
    const period = readPeriod(query, new Date())
    const usage = await usageIn(scope, tenant, period)
    const points = new Map(bucketsOf(period, query.granularity).map(date => [date, { input: 0, output: 0 }]))
    for (const row of usage) {
      const point = row.metric === 'tokens' && points.get(bucketOfDay(row, query.granularity))
      if (!point) continue
      point.input += row.input
      point.output += row.output
    }
    return ok(
      [...points].map(([date, { input, output }]) => ({
        date,
        input_tokens: input,
        output_tokens: output,
        total: input + output,
      })),
    )
  },
})

/** Days are what usage is kept by, so they are taken as they are in any zone. */
function bucketOfDay({ day }: DayUsage, granularity: Granularity): string {
  return DateTime.fromISO(day, { zone: 'UTC' }).startOf(granularity).toISODate() ?? day
}

function counted(period: Period, granularity: Granularity, points: readonly (readonly [string, number])[]) {
  const counts = new Map(bucketsOf(period, granularity).map(date => [date, 0]))
  for (const [date, count] of points) if (counts.has(date)) counts.set(date, (counts.get(date) ?? 0) + count)
  return [...counts].map(([date, count]) => ({ date, count }))
}

import type { Tenant } from 'mneme/plugin'
import type { QuerySearches } from '../../search/contract.ts'
import { type HourRow, readCategories, readHours, readQueries, SEARCHES } from '../queries/roll-ups.ts'
import type { DashboardScope } from '../scope.ts'
import { dayOf, daysOf, midnightOf, type Period } from './period.ts'
import { categoriesOf, hoursOf, queriesOf, rollUp } from './roll-up.ts'

/** The hours of a period: rolled up ones, and the last from the logs themselves. */
export async function hoursIn(
  scope: DashboardScope,
  tenant: Tenant,
  metrics: readonly string[],
  { start, end }: Period,
  now: Date,
): Promise<HourRow[]> {
  const { rolledTo } = await rollUp(scope, tenant, now)
  return tenant.transaction(async tx => {
    const until = new Date(Math.min(end.getTime(), rolledTo.getTime()))
    const from = new Date(Math.max(start.getTime(), rolledTo.getTime()))
    const [rolled, live] = await Promise.all([
      readHours(tx, tenant.workspaceId, metrics, start, until),
      from < end ? hoursOf(scope, tx, tenant.workspaceId, from, end) : [],
    ])
    return [...rolled, ...live.filter(({ metric }) => metrics.includes(metric))]
  })
}

/** The outcome of a period's searches. */
export interface SearchFigures {
  readonly searches: number
  readonly zero: number
  /** Null without a search that found something. */
  readonly averageScore: number | null
}

export function sumSearches(hours: readonly HourRow[]): SearchFigures {
  let searches = 0
  let zero = 0
  let scored = 0
  let scoreSum = 0
  for (const hour of hours) {
    if (hour.metric !== SEARCHES) continue
    searches += hour.count
    zero += hour.zero
    scored += hour.scored
    scoreSum += hour.scoreSum
  }
  return { searches, zero, averageScore: scored > 0 ? scoreSum / scored : null }
}

/** The queries of a period by days (UTC): closed days from the roll-up, the day that is not over from the log. */
export async function queriesIn(
  scope: DashboardScope,
  tenant: Tenant,
  period: Period,
  now: Date,
): Promise<QuerySearches[]> {
  const { rolledTo } = await rollUp(scope, tenant, now)
  const { from, to } = daysOf(period)
  const today = midnightOf(rolledTo)
  return tenant.transaction(async tx => {
    const [closed, open] = await Promise.all([
      readQueries(tx, tenant.workspaceId, from, before(to, today)),
      isOpen(from, to, today) ? queriesOf(scope, tx, tenant.workspaceId, today, period.end) : [],
    ])
    return merged([...closed, ...open])
  })
}

export async function categoriesIn(
  scope: DashboardScope,
  tenant: Tenant,
  period: Period,
  now: Date,
): Promise<Map<string, number>> {
  const { rolledTo } = await rollUp(scope, tenant, now)
  const { from, to } = daysOf(period)
  const today = midnightOf(rolledTo)
  return tenant.transaction(async tx => {
    const [closed, open] = await Promise.all([
      readCategories(tx, tenant.workspaceId, from, before(to, today)),
      isOpen(from, to, today) ? categoriesOf(scope, tx, tenant.workspaceId, today, period.end) : [],
    ])
    const counts = new Map<string, number>()
    for (const { category, count } of [...closed, ...open]) {
      counts.set(category ?? '', (counts.get(category ?? '') ?? 0) + count)
    }
    return counts
  })
}

/** The last closed day that is wanted. */
function before(to: string, today: Date): string {
  const yesterday = dayOf(new Date(today.getTime() - 1))
  return to < yesterday ? to : yesterday
}

function isOpen(from: string, to: string, today: Date): boolean {
  return from <= to && to >= dayOf(today)
}

function merged(rows: readonly QuerySearches[]): QuerySearches[] {
  const queries = new Map<string, QuerySearches>()
  for (const row of rows) {
    const known = queries.get(row.queryHash)
    queries.set(
      row.queryHash,
      known
        ? {
            queryHash: row.queryHash,
            searches: known.searches + row.searches,
            zero: known.zero + row.zero,
            scored: known.scored + row.scored,
            scoreSum: known.scoreSum + row.scoreSum,
          }
        : row,
    )
  }
  return [...queries.values()]
}

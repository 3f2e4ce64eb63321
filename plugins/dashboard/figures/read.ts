import type { Tenant } from 'mneme/plugin'
import type { QuerySearches } from '../../search/contract.ts'
import { readCategories, readQueries, readSpans, SEARCHES, type SpanFigures } from '../queries/roll-ups.ts'
import type { DashboardScope } from '../scope.ts'
import { dayOf, daysOf, midnightOf, type Period, placeIn, type Spans } from './period.ts'
import { categoriesOf, hoursOf, queriesOf, rollUp } from './roll-up.ts'

/** Figures of spans of time: rolled up hours, and the last from the logs themselves. An hour belongs to the span it begins in. */
export async function figuresIn(
  scope: DashboardScope,
  tenant: Tenant,
  metrics: readonly string[],
  spans: Spans,
  now: Date,
): Promise<SpanFigures[]> {
  const { rolledTo } = await rollUp(scope, tenant, now)
  const { starts, end } = spans
  const from = latest(starts[0] ?? end, rolledTo)
  return tenant.transaction(async tx => {
    const [rolled, live] = await Promise.all([
      readSpans(tx, tenant.workspaceId, metrics, { starts, end: earliest(end, rolledTo) }),
      from < end ? hoursOf(scope, tx, tenant.workspaceId, from, end) : [],
    ])
    const lately = live.filter(({ metric }) => metrics.includes(metric))
    return [...rolled, ...lately.map(({ hour, ...figures }) => ({ span: placeIn(spans, hour), ...figures }))]
  })
}

function earliest(one: Date, other: Date): Date {
  return one < other ? one : other
}

function latest(one: Date, other: Date): Date {
  return one > other ? one : other
}

/** The outcome of searches. */
export interface SearchFigures {
  readonly searches: number
  readonly zero: number
  /** Null without a search that found something. */
  readonly averageScore: number | null
}

export function sumSearches(figures: readonly SpanFigures[]): SearchFigures {
  let searches = 0
  let zero = 0
  let scored = 0
  let scoreSum = 0
  for (const figure of figures) {
    if (figure.metric !== SEARCHES) continue
    searches += figure.count
    zero += figure.zero
    scored += figure.scored
    scoreSum += figure.scoreSum
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

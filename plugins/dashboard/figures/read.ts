import type { Tenant } from 'mneme/plugin'
import { readCategories } from '../queries/categories.ts'
import { readSpans, SEARCHES, type SpanFigures } from '../queries/days.ts'
import type { QueryPeriod } from '../queries/searches.ts'
import type { DashboardScope } from '../scope.ts'
import { dayOf, daysOf, monthsWithin, type Period, placeIn, type Spans } from './period.ts'
import { categoriesOf, hoursOf, queriesOf, rollUp } from './roll-up.ts'

/** Figures of spans of time: rolled up ones, and the last hour from the logs themselves. An hour belongs to the span it begins in. */
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
      from < end ? hoursOf(scope, tx, tenant.workspaceId, metrics, from, end) : [],
    ])
    return [...rolled, ...live.map(({ hour, ...figures }) => ({ span: placeIn(spans, hour), ...figures }))]
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

/** Finds where the queries of a period stand, by days (UTC), with those that are not rolled up yet. */
export async function queryPeriod(
  scope: DashboardScope,
  tenant: Tenant,
  period: Period,
  now: Date,
): Promise<QueryPeriod> {
  const { rolledTo } = await rollUp(scope, tenant, now)
  const days = daysOf(period)
  const live = isLive(days, period.end, rolledTo)
    ? await tenant.transaction(tx => queriesOf(scope, tx, tenant.workspaceId, rolledTo, period.end))
    : []
  return { ...days, months: monthsWithin(days, rolledTo), live }
}

export async function categoriesIn(
  scope: DashboardScope,
  tenant: Tenant,
  period: Period,
  now: Date,
): Promise<Map<string, number>> {
  const { rolledTo } = await rollUp(scope, tenant, now)
  const days = daysOf(period)
  return tenant.transaction(async tx => {
    const [rolled, live] = await Promise.all([
      readCategories(tx, tenant.workspaceId, days.from, days.to),
      isLive(days, period.end, rolledTo) ? categoriesOf(scope, tx, tenant.workspaceId, rolledTo, period.end) : [],
    ])
    const counts = new Map<string, number>()
    for (const { category, count } of [...rolled, ...live]) {
      counts.set(category ?? '', (counts.get(category ?? '') ?? 0) + count)
    }
    return counts
  })
}

/** Tells whether days reach into what is not rolled up yet. */
function isLive({ from, to }: { readonly from: string; readonly to: string }, end: Date, rolledTo: Date): boolean {
  const today = dayOf(rolledTo)
  return from <= today && today <= to && rolledTo < end
}

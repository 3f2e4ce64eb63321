import type { Tenant, Tx } from 'mneme/plugin'
import { readCategories } from '../queries/categories.ts'
import { readSpans, SEARCHES, type SpanFigures } from '../queries/days.ts'
import { findProgress } from '../queries/progress.ts'
import type { QueryPeriod } from '../queries/searches.ts'
import type { DashboardScope } from '../scope.ts'
import { liveFigures } from './live.ts'
import { type Days, dayParts, daysOf, type Period, type Spans, wholeDays } from './period.ts'
import { categoriesOf, endedHour, queriesOf, rollUp } from './roll-up.ts'

/** Reads at one instant what is rolled up, and with `rolledTo` what is not; brings the roll-ups up to date before if they lag behind. */
export async function readRolledUp<T>(
  scope: DashboardScope,
  tenant: Tenant,
  now: Date,
  read: (tx: Tx, rolledTo: Date) => Promise<T>,
): Promise<T> {
  const attempt = (until: Date) =>
    tenant.transaction(
      async tx => {
        const progress = await findProgress(tx, tenant.workspaceId)
        return progress && !progress.isAhead && progress.rolledTo >= until
          ? { result: await read(tx, progress.rolledTo) }
          : undefined
      },
      { snapshot: true },
    )
  const first = await attempt(endedHour(now))
  if (first) return first.result
  const { rolledTo } = await rollUp(scope, tenant, now)
  const second = await attempt(rolledTo)
  if (!second) throw new Error('the workspace went while its figures were read')
  return second.result
}

export interface WantedFigures {
  readonly metrics: readonly string[]
  readonly spans: Spans
  /** Left out, tokens are summed up over what they were used for. */
  readonly byOperation?: boolean
}

/** Figures of spans of time: rolled up ones, and the last hour from the logs themselves. Of an hour that a span cuts its share counts. */
export function figuresIn(
  scope: DashboardScope,
  tenant: Tenant,
  wanted: WantedFigures,
  now: Date,
): Promise<SpanFigures[]> {
  return readRolledUp(scope, tenant, now, (tx, rolledTo) =>
    figuresAt(scope, tx, tenant.workspaceId, wanted, rolledTo, now),
  )
}

/** The same within {@link readRolledUp}. */
export async function figuresAt(
  scope: DashboardScope,
  tx: Tx,
  workspaceId: string,
  { metrics, spans, byOperation = false }: WantedFigures,
  rolledTo: Date,
  now: Date,
): Promise<SpanFigures[]> {
  const rolledUp = { starts: spans.starts, end: spans.end < rolledTo ? spans.end : rolledTo }
  const parts = await Promise.all([
    readSpans(tx, workspaceId, metrics, rolledUp, byOperation ? 'apart' : 'together'),
    liveFigures(scope, tx, workspaceId, metrics, spans, rolledTo, now),
  ])
  return parts.flat()
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
  tx: Tx,
  workspaceId: string,
  period: Period,
  rolledTo: Date,
): Promise<QueryPeriod> {
  const days = daysOf(period)
  const live = liveOf(days, rolledTo)
  return {
    parts: dayParts(days, rolledTo),
    live: live ? await queriesOf(scope, tx, workspaceId, live.from, live.to) : [],
  }
}

/** Reads the largest categories of a period, with the sum of all. */
export function categoriesIn(scope: DashboardScope, tenant: Tenant, period: Period, now: Date) {
  const { workspaceId } = tenant
  const days = daysOf(period)
  return readRolledUp(scope, tenant, now, async (tx, rolledTo) => {
    const within = liveOf(days, rolledTo)
    const live = within ? await categoriesOf(scope, tx, workspaceId, within.from, within.to) : []
    return readCategories(tx, workspaceId, days, live)
  })
}

/** The part of whole days that is not rolled up yet. */
function liveOf(days: Days, rolledTo: Date): { readonly from: Date; readonly to: Date } | undefined {
  const { start, end } = wholeDays(days)
  const from = start > rolledTo ? start : rolledTo
  return from < end ? { from, to: end } : undefined
}

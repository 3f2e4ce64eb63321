import { eventLog, type Tenant, type Tx, usageLog } from 'mneme/plugin'
import { memoryStatistics } from '../../memories/contract.ts'
import { type QuerySearches, searchStatistics } from '../../search/contract.ts'
import { replaceCategories } from '../queries/categories.ts'
import { type HourFigures, REQUESTS, replaceDays, SEARCHES, TOKENS } from '../queries/days.ts'
import { beginProgress, findProgress, type Progress, setRolledTo } from '../queries/progress.ts'
import { replaceMonth, replaceQueries } from '../queries/searches.ts'
import type { DashboardScope } from '../scope.ts'
import { dayOf, hourOf, midnightOf, monthsOver } from './period.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** A transaction that began within it may still add rows to an hour that is over: such hours are rolled up again. */
const SETTLED_MS = 2 * HOUR_MS
/** The longest span that one transaction rolls up. */
const SPAN_DAYS = 7
/** Queries that are kept of a day, the most frequent ones: the count of one that ever was among them is short by its rarer days. */
export const QUERIES_A_DAY = 200
/** The events that figures count. */
const COUNTED_KINDS: readonly string[] = ['memory.created', 'memory.failed']
const COUNTED_USES: readonly string[] = [REQUESTS, TOKENS]
const METRICS: readonly string[] = [...COUNTED_KINDS, ...COUNTED_USES, SEARCHES]

/**
 * Rolls the logs of a workspace up to the last full hour. Figures are computed anew and put in place of what was there, never added,
 * so a crash or a second run at the same time changes nothing.
 */
export async function rollUp(scope: DashboardScope, tenant: Tenant, now: Date): Promise<Progress> {
  const { workspaceId } = tenant
  const to = hourOf(now)
  const known = await tenant.transaction(tx => findProgress(tx, workspaceId))
  if (known && known.rolledTo >= to) return known
  if (!known) {
    await tenant.transaction(async tx => {
      const first = await beginning(scope, tx, workspaceId)
      await beginProgress(tx, workspaceId, midnightOf(first ?? to))
    })
  }
  for (;;) {
    const progress = await tenant.transaction(async tx => {
      const held = await findProgress(tx, workspaceId, 'held')
      if (!held || held.rolledTo >= to) return held
      const from = midnightOf(new Date(held.rolledTo.getTime() - SETTLED_MS))
      const until = new Date(Math.min(to.getTime(), from.getTime() + SPAN_DAYS * DAY_MS))
      await rollUpSpan(scope, tx, workspaceId, from, until)
      await setRolledTo(tx, workspaceId, until)
      return { ...held, rolledTo: until }
    })
    if (!progress) throw new Error('the workspace went while its figures were rolled up')
    if (progress.rolledTo >= to) return progress
  }
}

/** @param from the beginning of a day (UTC) */
async function rollUpSpan(scope: DashboardScope, tx: Tx, workspaceId: string, from: Date, to: Date): Promise<void> {
  await replaceDays(tx, workspaceId, from, to, await hoursOf(scope, tx, workspaceId, METRICS, from, to))
  for (let day = from; day < to; day = new Date(day.getTime() + DAY_MS)) {
    // The day that is not over yet is rolled up to its last full hour, and again with each that follows.
    const end = new Date(Math.min(to.getTime(), day.getTime() + DAY_MS))
    await replaceQueries(tx, workspaceId, dayOf(day), await queriesOf(scope, tx, workspaceId, day, end))
    await replaceCategories(tx, workspaceId, dayOf(day), await categoriesOf(scope, tx, workspaceId, day, end))
  }
  for (const month of monthsOver(from, to)) await replaceMonth(tx, workspaceId, month)
}

const NOTHING = { operation: '', output: 0, zero: 0, scored: 0, scoreSum: 0 }

/** The figures of the hours of a span, from the logs themselves. */
export async function hoursOf(
  { wiring }: DashboardScope,
  tx: Tx,
  workspaceId: string,
  metrics: readonly string[],
  from: Date,
  to: Date,
): Promise<HourFigures[]> {
  const kinds = COUNTED_KINDS.filter(kind => metrics.includes(kind))
  const uses = COUNTED_USES.filter(use => metrics.includes(use))
  const [events, used, searches] = await Promise.all([
    kinds.length > 0 ? wiring.use(eventLog).hourly(tx, workspaceId, kinds, from, to) : [],
    uses.length > 0 ? wiring.use(usageLog).hourly(tx, workspaceId, uses, from, to) : [],
    (metrics.includes(SEARCHES) && wiring.find(searchStatistics)?.hourly(tx, workspaceId, from, to)) || [],
  ])
  return [
    ...events.map(({ kind, hour, count }) => ({ ...NOTHING, metric: kind, hour, count })),
    ...used.map(({ metric, operation, hour, input, output }) => {
      return { ...NOTHING, metric, operation, hour, count: input, output }
    }),
    ...searches.map(({ searches: count, ...rest }) => ({ ...NOTHING, metric: SEARCHES, count, ...rest })),
  ]
}

export async function queriesOf(
  { wiring }: DashboardScope,
  tx: Tx,
  workspaceId: string,
  from: Date,
  to: Date,
): Promise<QuerySearches[]> {
  return (await wiring.find(searchStatistics)?.byQuery(tx, workspaceId, from, to, QUERIES_A_DAY)) ?? []
}

export async function categoriesOf(
  { wiring }: DashboardScope,
  tx: Tx,
  workspaceId: string,
  from: Date,
  to: Date,
): Promise<{ category: string | null; count: number }[]> {
  return wiring.use(memoryStatistics).categories(tx, workspaceId, from, to)
}

async function beginning({ wiring }: DashboardScope, tx: Tx, workspaceId: string): Promise<Date | undefined> {
  const firsts = await Promise.all([
    wiring.use(eventLog).beginning(tx, workspaceId),
    wiring.use(usageLog).beginning(tx, workspaceId),
    wiring.find(searchStatistics)?.beginning(tx, workspaceId),
  ])
  return firsts.filter(first => first !== undefined).toSorted((a, b) => a.getTime() - b.getTime())[0]
}

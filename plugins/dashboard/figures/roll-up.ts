import { eventLog, type Tenant, type Tx, usageLog } from 'mneme/plugin'
import { memoryStatistics } from '../../memories/contract.ts'
import { type QuerySearches, searchStatistics } from '../../search/contract.ts'
import { replaceCategories } from '../queries/categories.ts'
import { firstDay, type HourFigures, REQUESTS, replaceDays, SEARCHES, TOKENS } from '../queries/days.ts'
import {
  beginProgress,
  findProgress,
  mendProgress,
  type Progress,
  type RollUpMode,
  setRolledTo,
} from '../queries/progress.ts'
import { QUERIES_KEPT, replaceQueries, replaceSpan } from '../queries/searches.ts'
import type { DashboardScope } from '../scope.ts'
import { dayOf, hourOf, midnightOf, spansOver } from './period.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** A transaction that began within it may still add rows to an hour that is over: such hours are rolled up again. */
const SETTLED_MS = 2 * HOUR_MS
/** The longest span that one transaction rolls up. */
const SPAN_DAYS = 7
const USES: readonly string[] = [REQUESTS, TOKENS]

/**
 * Rolls the logs of a workspace up to the last full hour. Figures are computed anew and put in place of what was there, never added,
 * so a crash or a second run at the same time changes nothing.
 */
export async function rollUp(scope: DashboardScope, tenant: Tenant, now: Date): Promise<Progress> {
  const { workspaceId } = tenant
  const { known, to } = await tenant.transaction(async tx => {
    const to = hourOf(await mendProgress(tx, workspaceId, now))
    return { known: await findProgress(tx, workspaceId), to }
  })
  if (known && known.rolledTo >= to) return known
  // An update of the service rolls all days up once more that logs may have, also of workspaces that are younger.
  const isFarBehind = known && known.rolledTo.getTime() < to.getTime() - SPAN_DAYS * DAY_MS
  if (!known || isFarBehind) {
    await tenant.transaction(async tx => {
      const first = midnightOf((await beginning(scope, tx, workspaceId)) ?? to)
      await (known ? setRolledTo(tx, workspaceId, first) : beginProgress(tx, workspaceId, first))
    })
  }
  for (;;) {
    const progress = await tenant.transaction(async tx => {
      const held = await findProgress(tx, workspaceId, 'held')
      if (!held || held.rolledTo >= to) return held
      const { from, until, mode } = nextSpan(held, to)
      await rollUpSpan(scope, tx, workspaceId, from, until, mode)
      await setRolledTo(tx, workspaceId, until)
      return { ...held, rolledTo: until }
    })
    if (!progress) throw new Error('the workspace went while its figures were rolled up')
    if (progress.rolledTo >= to) return progress
  }
}

/** The span that is rolled up next; it begins with a day (UTC). Days that an earlier version rolled up keep what they hold. */
function nextSpan({ rolledTo, keptTo }: Progress, to: Date): { from: Date; until: Date; mode: RollUpMode } {
  const first = midnightOf(new Date(rolledTo.getTime() - SETTLED_MS))
  const isKept = keptTo !== null && rolledTo < keptTo
  const from = keptTo !== null && !isKept && first < keptTo ? keptTo : first
  const last = isKept && keptTo < to ? keptTo : to
  return {
    from,
    until: new Date(Math.min(last.getTime(), from.getTime() + SPAN_DAYS * DAY_MS)),
    mode: isKept ? 'added' : 'replaced',
  }
}

/** @param from the beginning of a day (UTC) */
async function rollUpSpan(
  scope: DashboardScope,
  tx: Tx,
  workspaceId: string,
  from: Date,
  to: Date,
  mode: RollUpMode,
): Promise<void> {
  await replaceDays(tx, workspaceId, from, to, await hoursOf(scope, tx, workspaceId, from, to), mode)
  for (let day = from; day < to; day = new Date(day.getTime() + DAY_MS)) {
    // The day that is not over yet is rolled up to its last full hour, and again with each that follows.
    const end = new Date(Math.min(to.getTime(), day.getTime() + DAY_MS))
    await replaceQueries(tx, workspaceId, dayOf(day), await queriesOf(scope, tx, workspaceId, day, end), mode)
    await replaceCategories(tx, workspaceId, dayOf(day), await categoriesOf(scope, tx, workspaceId, day, end), mode)
  }
  for (const span of spansOver(from, to)) await replaceSpan(tx, workspaceId, span)
}

const NOTHING = { operation: '', output: 0, zero: 0, scored: 0, scoreSum: 0 }

/** The figures of the hours of a span, from the logs themselves. */
async function hoursOf(
  scope: DashboardScope,
  tx: Tx,
  workspaceId: string,
  from: Date,
  to: Date,
): Promise<HourFigures[]> {
  const metrics = [...eventsOf(scope), ...USES, SEARCHES]
  const parts = await Promise.all([
    loggedHours(scope, tx, workspaceId, metrics, from, to),
    usedHours(scope, tx, workspaceId, metrics, from, to),
  ])
  return parts.flat()
}

/** The events that figures count: those that the feed shows, for its total, and failures for alerts. */
function eventsOf({ activityKinds }: DashboardScope): string[] {
  return [...new Set([...activityKinds.map(({ kind }) => kind), 'memory.failed'])]
}

/** The figures of events and searches of `[from, to)` by hour. */
export async function loggedHours(
  scope: DashboardScope,
  tx: Tx,
  workspaceId: string,
  metrics: readonly string[],
  from: Date,
  to: Date,
): Promise<HourFigures[]> {
  const { wiring } = scope
  const kinds = eventsOf(scope).filter(kind => metrics.includes(kind))
  const [events, searches] = await Promise.all([
    kinds.length > 0 ? wiring.use(eventLog).hourly(tx, workspaceId, kinds, from, to) : [],
    (metrics.includes(SEARCHES) && wiring.find(searchStatistics)?.hourly(tx, workspaceId, from, to)) || [],
  ])
  return [
    ...events.map(({ kind, hour, count }) => ({ ...NOTHING, metric: kind, hour, count })),
    ...searches.map(({ searches: count, ...rest }) => ({ ...NOTHING, metric: SEARCHES, count, ...rest })),
  ]
}

/** The figures of requests and tokens of the hours that begin in `[from, to)`. */
export async function usedHours(
  { wiring }: DashboardScope,
  tx: Tx,
  workspaceId: string,
  metrics: readonly string[],
  from: Date,
  to: Date,
): Promise<HourFigures[]> {
  const uses = USES.filter(use => metrics.includes(use))
  if (uses.length === 0) return []
  const used = await wiring.use(usageLog).hourly(tx, workspaceId, uses, from, to)
  return used.map(({ metric, operation, hour, input, output }) => {
    return { ...NOTHING, metric, operation, hour, count: input, output }
  })
}

export async function queriesOf(
  { wiring }: DashboardScope,
  tx: Tx,
  workspaceId: string,
  from: Date,
  to: Date,
): Promise<QuerySearches[]> {
  return (await wiring.find(searchStatistics)?.byQuery(tx, workspaceId, from, to, QUERIES_KEPT)) ?? []
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

/** The first instant that logs tell of, or figures of logs that are gone. */
async function beginning({ wiring }: DashboardScope, tx: Tx, workspaceId: string): Promise<Date | undefined> {
  const firsts = await Promise.all([
    wiring.use(eventLog).beginning(tx, workspaceId),
    wiring.use(usageLog).beginning(tx, workspaceId),
    wiring.find(searchStatistics)?.beginning(tx, workspaceId),
    firstDay(tx, workspaceId),
  ])
  return firsts.filter(first => first !== undefined).toSorted((a, b) => a.getTime() - b.getTime())[0]
}

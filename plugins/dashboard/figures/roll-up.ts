import { DAY_MS, eventLog, HOUR_MS, type Tenant, type Tx, usageLog, type Wiring } from 'mneme/plugin'
import { type CategoryCount, memoryStatistics, retentionDays } from '../../memories/contract.ts'
import { type QuerySearches, searchStatistics } from '../../search/contract.ts'
import { CATEGORIES_KEPT, replaceCategories } from '../queries/categories.ts'
import { firstDay, type HourFigures, REQUESTS, raiseHours, SEARCHES, TOKENS } from '../queries/days.ts'
import { notePastSpan } from '../queries/past-days.ts'
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
import { dayOf, hourOf, keptDay, midnightOf, spansOver } from './period.ts'

/** An hour is rolled up this long after its end, when the transactions have ended that began within it, but for the longest. */
const ENDED_MS = 60_000
/** These may still add rows to an hour: until it is over for so long, it is rolled up again. */
const SETTLED_MS = 2 * HOUR_MS
/** The longest span that one transaction rolls up. */
const SPAN_DAYS = 7
const USES: readonly string[] = [REQUESTS, TOKENS]

/** Up to here everything is to be rolled up. */
export function endedHour(now: Date): Date {
  return hourOf(new Date(now.getTime() - ENDED_MS))
}

/**
 * Rolls the logs of a workspace up to the last hour that has ended. Figures are computed anew and put in place of what was there, never
 * added, so a crash or a second run at the same time changes nothing.
 */
export async function rollUp(scope: DashboardScope, tenant: Tenant, now: Date): Promise<Progress> {
  const { workspaceId } = tenant
  const { known, to } = await tenant.transaction(async tx => {
    const to = endedHour(await mendProgress(tx, workspaceId, now))
    return { known: await findProgress(tx, workspaceId), to }
  })
  if (known && known.rolledTo >= to) return known
  if (!known) {
    await tenant.transaction(async tx => {
      const first = midnightOf((await beginning(scope, tx, workspaceId)) ?? to)
      await beginProgress(tx, workspaceId, first)
      // Imported memories may be older than all logs.
      const memory = await scope.wiring.use(memoryStatistics).beginning(tx, workspaceId)
      if (memory && memory < first) await notePastSpan(tx, workspaceId, keptDay(memory, now), dayOf(first))
    })
  }
  for (;;) {
    const progress = await tenant.transaction(async tx => {
      const held = await findProgress(tx, workspaceId, 'held')
      if (!held || held.rolledTo >= to) return held
      const from = new Date(held.rolledTo.getTime() - SETTLED_MS)
      const until = new Date(Math.min(to.getTime(), midnightOf(from).getTime() + SPAN_DAYS * DAY_MS))
      await rollUpSpan(scope, tenant, tx, from, until)
      await setRolledTo(tx, workspaceId, until)
      return { ...held, rolledTo: until }
    })
    if (!progress) throw new Error('the workspace went while its figures were rolled up')
    if (progress.rolledTo >= to) return progress
  }
}

/** @param from the beginning of an hour, as `to` */
async function rollUpSpan(scope: DashboardScope, tenant: Tenant, tx: Tx, from: Date, to: Date): Promise<void> {
  const { workspaceId } = tenant
  await raiseHours(tx, workspaceId, from, to, await hoursOf(scope, tx, workspaceId, from, to))
  const modeOf = await wholeLogs(scope, tenant, tx)
  const first = midnightOf(from)
  for (let day = first; day < to; day = new Date(day.getTime() + DAY_MS)) {
    // The day that is not over yet is rolled up to its last full hour, and again with each that follows.
    const end = new Date(Math.min(to.getTime(), day.getTime() + DAY_MS))
    const modes = modeOf(day)
    await replaceQueries(tx, workspaceId, dayOf(day), await queriesOf(scope, tx, workspaceId, day, end), modes.queries)
    const categories = await categoriesOf(scope, tx, workspaceId, day, end)
    await replaceCategories(tx, workspaceId, dayOf(day), categories, modes.categories)
  }
  for (const span of spansOver(first, to)) await replaceSpan(tx, workspaceId, span)
}

/** Reaches the logs of other plugins. */
export interface LogReaders {
  readonly wiring: Pick<Wiring, 'find' | 'use'>
}

/** Tells of days whether searches and memories of them may have been purged, since the workspace keeps its data for a short time. */
export async function wholeLogs({ wiring }: LogReaders, { workspace, workspaceId }: Tenant, tx: Tx) {
  const firstSearch = await wiring.find(searchStatistics)?.beginning(tx, workspaceId)
  const keptDays = retentionDays.of(workspace)
  const firstMemory = keptDays === null ? undefined : new Date(Date.now() - keptDays * DAY_MS)
  const modeOf = (isWhole: boolean): RollUpMode => (isWhole ? 'replaced' : 'raised')
  return (day: Date) => ({
    queries: modeOf(firstSearch !== undefined && firstSearch <= day),
    categories: modeOf(firstMemory === undefined || firstMemory <= day),
  })
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
  { wiring }: LogReaders,
  tx: Tx,
  workspaceId: string,
  from: Date,
  to: Date,
): Promise<CategoryCount[]> {
  return wiring.use(memoryStatistics).categories(tx, workspaceId, from, to, CATEGORIES_KEPT)
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

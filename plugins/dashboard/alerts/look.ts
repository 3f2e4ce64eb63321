import { DAY_MS, readBacklogs, type Tenant } from 'mneme/plugin'
import { webhookHealth } from '../../webhooks/contract.ts'
import { figuresIn, type SearchFigures, sumSearches } from '../figures/read.ts'
import { type AlertType, openAlerts, settleAlerts, type Trouble } from '../queries/alerts.ts'
import { SEARCHES as SEARCH_METRIC } from '../queries/days.ts'
import { findProgress, setCheckedAt } from '../queries/progress.ts'
import type { DashboardScope } from '../scope.ts'

/** The background looks again after this time, which ends a little before its cron of ten minutes comes again. */
export const CHECK_EVERY_MS = 9 * 60_000
/** Whoever asks for alerts gets none older than this: a quota is spent, and raised, at once. */
export const SHOWN_AGE_MS = 10_000

/** Where an alert is raised, and where it is over again: in between it stays as it is, so that a figure near a mark does not raise it often. */
interface Marks {
  readonly raise: number
  readonly resolve: number
}

const QUOTA_SHARE: Marks = { raise: 0.8, resolve: 0.75 }
/** Fewer searches say nothing about their quality. */
const SEARCHES: Marks = { raise: 20, resolve: 10 }
/** The score of a week as a share of that of the week before, which falls. */
const QUALITY_SHARE: Marks = { raise: 0.8, resolve: 0.85 }
const QUALITY_CRITICAL = 0.6
const ZERO_RATE: Marks = { raise: 0.2, resolve: 0.15 }
const ZERO_FACTOR: Marks = { raise: 2, resolve: 1.5 }
const FAILURES: Marks = { raise: 5, resolve: 3 }
const FAILURES_CRITICAL = 50
/** Minutes for which something has waited. */
const LATE: Marks = { raise: 15, resolve: 10 }

/** Chooses the mark by whether an alert of a type, about a subject, is open. */
type MarkOf = (marks: Marks, type: AlertType, subject?: string) => number

/** Looks for alerts of a workspace, unless that was done within `ageMs`. */
export async function lookForAlerts(scope: DashboardScope, tenant: Tenant, now: Date, ageMs: number): Promise<void> {
  const { workspaceId } = tenant
  const [progress, open] = await tenant.transaction(tx =>
    Promise.all([findProgress(tx, workspaceId), openAlerts(tx, workspaceId)]),
  )
  const checkedAt = progress?.checkedAt?.getTime() ?? 0
  // A server whose clock was ahead may have left a time that is yet to come.
  if (checkedAt < now.getTime() + ageMs && now.getTime() - checkedAt < ageMs) return
  const markOf: MarkOf = (marks, type, subject = '') =>
    open.some(alert => alert.type === type && alert.subject === subject) ? marks.resolve : marks.raise
  const troubles = [
    ...(await quotaTroubles(scope, tenant, markOf)),
    ...(await searchTroubles(scope, tenant, now, markOf)),
    ...(await processingTroubles(scope, tenant, now, markOf)),
    ...(await backlogTroubles(scope, tenant, now, markOf)),
    ...(await webhookTroubles(scope, tenant)),
  ]
  await tenant.transaction(async tx => {
    const held = await findProgress(tx, workspaceId, 'held')
    // Somebody looked meanwhile, and may have seen what this look has not.
    if (held?.checkedAt?.getTime() !== progress?.checkedAt?.getTime()) return
    await settleAlerts(tx, workspaceId, troubles)
    await setCheckedAt(tx, workspaceId, now)
  })
}

async function quotaTroubles({ quotas }: DashboardScope, { workspace }: Tenant, markOf: MarkOf): Promise<Trouble[]> {
  const states = await quotas.list(workspace)
  return states.flatMap(({ name, used, limit, window }): Trouble[] => {
    if (limit === null || limit === 0 || used / limit < markOf(QUOTA_SHARE, 'QUOTA_WARNING', name)) return []
    const isSpent = used >= limit
    const share = Math.floor((used / limit) * 100)
    return [
      {
        type: 'QUOTA_WARNING',
        subject: name,
        severity: isSpent ? 'CRITICAL' : 'WARNING',
        title: isSpent ? `The quota of ${name} is used up` : `${share} % of the quota of ${name} is used`,
        message: `${used} of ${limit} ${name} are used${window === 'month' ? ' this month' : ''}.`,
      },
    ]
  })
}

function daysBefore(now: Date, days: number): Date {
  return new Date(now.getTime() - days * DAY_MS)
}

async function searchTroubles(scope: DashboardScope, tenant: Tenant, now: Date, markOf: MarkOf): Promise<Trouble[]> {
  const spans = { starts: [14, 8, 7, 1].map(days => daysBefore(now, days)), end: now }
  const figures = await figuresIn(scope, tenant, { metrics: [SEARCH_METRIC], spans }, now)
  const between = (first: number, last: number) =>
    sumSearches(figures.filter(({ span }) => first <= span && span <= last))
  return [
    ...qualityTroubles(between(2, 3), between(0, 1), markOf),
    ...zeroTroubles(between(3, 3), between(1, 2), markOf),
  ]
}

function qualityTroubles(week: SearchFigures, before: SearchFigures, markOf: MarkOf): Trouble[] {
  const type = 'SEARCH_QUALITY_DROP'
  if (Math.min(week.searches, before.searches) < markOf(SEARCHES, type)) return []
  // Below a score of 0 there is no lower one.
  if (week.averageScore === null || !before.averageScore) return []
  const share = week.averageScore / before.averageScore
  if (share >= markOf(QUALITY_SHARE, type)) return []
  return [
    {
      type,
      subject: '',
      severity: share < QUALITY_CRITICAL ? 'CRITICAL' : 'WARNING',
      title: 'Searches find less fitting memories',
      message: `The average score of the last 7 days is ${week.averageScore.toFixed(2)}, in the 7 days before it was ${before.averageScore.toFixed(2)}.`,
    },
  ]
}

function zeroTroubles(day: SearchFigures, before: SearchFigures, markOf: MarkOf): Trouble[] {
  const type = 'ZERO_RESULT_SPIKE'
  if (day.searches < markOf(SEARCHES, type)) return []
  const rate = day.zero / day.searches
  const isComparable = before.searches >= SEARCHES.raise
  const usual = isComparable ? before.zero / before.searches : 0
  if (rate < markOf(ZERO_RATE, type) || rate < usual * markOf(ZERO_FACTOR, type)) return []
  return [
    {
      type,
      subject: '',
      severity: 'WARNING',
      title: 'Many searches find nothing',
      message: `${percent(rate)} of the searches of the last 24 hours had no result${isComparable ? `, before it was ${percent(usual)}` : ''}.`,
    },
  ]
}

async function processingTroubles(
  scope: DashboardScope,
  tenant: Tenant,
  now: Date,
  markOf: MarkOf,
): Promise<Trouble[]> {
  const spans = { starts: [daysBefore(now, 1)], end: now }
  const figures = await figuresIn(scope, tenant, { metrics: ['memory.failed'], spans }, now)
  const failed = figures.reduce((sum, { count }) => sum + count, 0)
  if (failed < markOf(FAILURES, 'PROCESSING_FAILURES')) return []
  return [
    {
      type: 'PROCESSING_FAILURES',
      subject: '',
      severity: failed >= FAILURES_CRITICAL ? 'CRITICAL' : 'WARNING',
      title: 'Memories could not be processed',
      message: `The processing of memories failed ${failed} times in the last 24 hours. They are found by words, not by meaning. GET /v1/memories?status=FAILED lists them, and POST /v1/memories/reprocess with {} tries all again.`,
    },
  ]
}

async function backlogTroubles(
  { wiring }: DashboardScope,
  tenant: Tenant,
  now: Date,
  markOf: MarkOf,
): Promise<Trouble[]> {
  const type = 'PROCESSING_BACKLOG'
  const backlogs = await tenant.transaction(tx => readBacklogs(tx, wiring, tenant))
  return [...backlogs].flatMap(([kind, { waiting, lateAt }]): Trouble[] => {
    if (lateAt === null) return []
    const minutes = (now.getTime() - lateAt.getTime()) / 60_000
    if (minutes <= markOf(LATE, type, kind)) return []
    return [
      {
        type,
        subject: kind,
        severity: 'WARNING',
        title: `Work has waited for ${Math.floor(minutes)} minutes: ${kind}`,
        message: `${waiting} of ${kind} wait, the oldest since ${timeOf(lateAt)}.`,
      },
    ]
  })
}

async function webhookTroubles({ wiring }: DashboardScope, tenant: Tenant): Promise<Trouble[]> {
  const failing = await tenant.transaction(
    async tx => (await wiring.find(webhookHealth)?.failing(tx, tenant.workspaceId)) ?? [],
  )
  return failing.map(({ webhookId, url, failingSince, gaveUp }) => ({
    type: 'WEBHOOK_FAILING',
    subject: webhookId,
    severity: gaveUp ? 'CRITICAL' : 'WARNING',
    title: gaveUp ? 'Deliveries of a webhook were given up' : 'A webhook does not take its deliveries',
    message: `No delivery to ${url} has succeeded since ${timeOf(failingSince)}.${gaveUp ? ' Those that were given up can be sent again once it works.' : ''}`,
  }))
}

function percent(rate: number): string {
  return `${Math.round(rate * 100)} %`
}

/** Writes an instant for people. */
function timeOf(at: Date): string {
  return `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`
}

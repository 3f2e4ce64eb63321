import type { Tenant } from 'mneme/plugin'
import { webhookHealth } from '../../webhooks/contract.ts'
import { figuresIn, sumSearches } from '../figures/read.ts'
import { settleAlerts, type Trouble } from '../queries/alerts.ts'
import { SEARCHES } from '../queries/days.ts'
import { findProgress, setCheckedAt } from '../queries/progress.ts'
import type { DashboardScope } from '../scope.ts'

const DAY_MS = 86_400_000
/** The background looks again after this time, which ends a little before its cron of ten minutes comes again. */
export const CHECK_EVERY_MS = 9 * 60_000
/** Whoever asks for alerts gets none older than this: a quota is spent, and raised, at once. */
export const SHOWN_AGE_MS = 10_000

const QUOTA_WARNING = 0.8
/** Fewer searches say nothing about their quality. */
const SEARCHES_MIN = 20
const QUALITY_WARNING = 0.8
const QUALITY_CRITICAL = 0.6
const ZERO_RATE_MIN = 0.2
const ZERO_RATE_FACTOR = 2
const FAILURES_WARNING = 5
const FAILURES_CRITICAL = 50

/** Looks for alerts of a workspace, unless that was done within `ageMs`. */
export async function lookForAlerts(scope: DashboardScope, tenant: Tenant, now: Date, ageMs: number): Promise<void> {
  const { workspaceId } = tenant
  const progress = await tenant.transaction(tx => findProgress(tx, workspaceId))
  const checkedAt = progress?.checkedAt?.getTime() ?? 0
  // A server whose clock was ahead may have left a time that is yet to come.
  if (checkedAt < now.getTime() + ageMs && now.getTime() - checkedAt < ageMs) return
  const troubles = [
    ...(await quotaTroubles(scope, tenant)),
    ...(await searchTroubles(scope, tenant, now)),
    ...(await processingTroubles(scope, tenant, now)),
    ...(await webhookTroubles(scope, tenant)),
  ]
  await tenant.transaction(async tx => {
    await settleAlerts(tx, workspaceId, troubles)
    await setCheckedAt(tx, workspaceId, now)
  })
}

async function quotaTroubles({ quotas }: DashboardScope, { workspace }: Tenant): Promise<Trouble[]> {
  const states = await quotas.list(workspace)
  return states.flatMap(({ name, used, limit, window }): Trouble[] => {
    if (limit === null || limit === 0 || used / limit < QUOTA_WARNING) return []
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

async function searchTroubles(scope: DashboardScope, tenant: Tenant, now: Date): Promise<Trouble[]> {
  const spans = { starts: [14, 8, 7, 1].map(days => daysBefore(now, days)), end: now }
  const figures = await figuresIn(scope, tenant, { metrics: [SEARCHES], spans }, now)
  const between = (first: number, last: number) =>
    sumSearches(figures.filter(({ span }) => first <= span && span <= last))
  return [...qualityTroubles(between(2, 3), between(0, 1)), ...zeroTroubles(between(3, 3), between(1, 2))]
}

type Figures = ReturnType<typeof sumSearches>

function qualityTroubles(week: Figures, before: Figures): Trouble[] {
  if (week.searches < SEARCHES_MIN || before.searches < SEARCHES_MIN) return []
  if (week.averageScore === null || before.averageScore === null) return []
  const share = week.averageScore / before.averageScore
  if (share >= QUALITY_WARNING) return []
  return [
    {
      type: 'SEARCH_QUALITY_DROP',
      subject: '',
      severity: share < QUALITY_CRITICAL ? 'CRITICAL' : 'WARNING',
      title: 'Searches find less fitting memories',
      message: `The average score of the last 7 days is ${week.averageScore.toFixed(2)}, in the 7 days before it was ${before.averageScore.toFixed(2)}.`,
    },
  ]
}

function zeroTroubles(day: Figures, before: Figures): Trouble[] {
  if (day.searches < SEARCHES_MIN) return []
  const rate = day.zero / day.searches
  const usual = before.searches < SEARCHES_MIN ? 0 : before.zero / before.searches
  if (rate < ZERO_RATE_MIN || rate < usual * ZERO_RATE_FACTOR) return []
  return [
    {
      type: 'ZERO_RESULT_SPIKE',
      subject: '',
      severity: 'WARNING',
      title: 'Many searches find nothing',
      message: `${percent(rate)} of the searches of the last 24 hours had no result, before it was ${percent(usual)}.`,
    },
  ]
}

async function processingTroubles(scope: DashboardScope, tenant: Tenant, now: Date): Promise<Trouble[]> {
  const spans = { starts: [daysBefore(now, 1)], end: now }
  const figures = await figuresIn(scope, tenant, { metrics: ['memory.failed'], spans }, now)
  const failed = figures.reduce((sum, { count }) => sum + count, 0)
  if (failed < FAILURES_WARNING) return []
  return [
    {
      type: 'PROCESSING_FAILURES',
      subject: '',
      severity: failed >= FAILURES_CRITICAL ? 'CRITICAL' : 'WARNING',
      title: 'Memories could not be processed',
      message: `The processing of ${failed} memories failed in the last 24 hours. They are found by words, not by meaning; POST /v1/memories/:id/reprocess tries again.`,
    },
  ]
}

async function webhookTroubles({ wiring }: DashboardScope, tenant: Tenant): Promise<Trouble[]> {
  const failing = await tenant.transaction(
    async tx => (await wiring.find(webhookHealth)?.failing(tx, tenant.workspaceId)) ?? [],
  )
  return failing.map(({ webhookId, url, failingSince }) => ({
    type: 'WEBHOOK_FAILING',
    subject: webhookId,
    severity: 'WARNING',
    title: 'A webhook does not answer',
    message: `No delivery to ${url} has succeeded since ${failingSince.toISOString()}.`,
  }))
}

function percent(rate: number): string {
  return `${Math.round(rate * 100)} %`
}

import { actorNames, DAY_MS, type ErrorDetail, type EventFilter, eventLog, HOUR_MS, ok } from 'mneme/plugin'
import { activityExample } from '../examples.ts'
import { midnightOf, type Period, type PeriodQuery, readPeriod } from '../figures/period.ts'
import { figuresAt, readRolledUp } from '../figures/read.ts'
import { periodChecks } from '../period-checks.ts'
import { READ, route } from '../route.ts'
import { activityPage, activityQuery } from '../schemas.ts'
import type { DashboardScope } from '../scope.ts'

/** The events of a user or of a period are counted up to this; all there are stand in roll-ups. */
const COUNTED_MAX = 10_000

export const listActivityRoute = route({
  method: 'GET',
  path: '/v1/dashboard/activity',
  operationId: 'listActivity',
  access: READ,
  share: 'heavy',
  beyondQuota: true,
  summary: 'List activity',
  description: 'What happened in the workspace, newest first. It names memories and holds none of their text.',
  query: activityQuery,
  checks: [
    ...periodChecks,
    { fields: ['event_type'], faults: ({ query, scope }) => unknownKinds(scope, query.event_type) },
  ],
  responses: { 200: activityPage },
  examples: { response: { data: [activityExample], total: 1, page: 1, page_size: 20 } },
  async handle({ query, scope, tenant }) {
    const { workspaceId } = tenant
    const { page, limit, user_id: userId } = query
    const now = new Date()
    const kinds = [...new Set(query.event_type ?? scope.activityKinds.map(({ kind }) => kind))]
    const since = new Date(midnightOf(now).getTime() - (scope.activityDays - 1) * DAY_MS)
    const period = periodOf(query, now)
    const filter: EventFilter = { kinds, userId, since, period }
    const log = scope.wiring.use(eventLog)
    const wanted = { metrics: kinds, spans: { starts: [since], end: upTo(now) } }
    const [events, total] = await readRolledUp(scope, tenant, now, (tx, rolledTo) =>
      Promise.all([
        log.list(tx, workspaceId, filter, { limit, offset: (page - 1) * limit }),
        userId === undefined && !period
          ? figuresAt(scope, tx, workspaceId, wanted, rolledTo, now).then(sumCounts)
          : log.count(tx, workspaceId, filter, COUNTED_MAX),
      ]),
    )
    const labels = new Map(scope.activityKinds.map(({ kind, label }) => [kind, label]))
    const actors = new Set(events.flatMap(({ actor }) => actor ?? []))
    const names = await scope.wiring.use(actorNames).of([...actors])
    const data = events.map(({ id, kind, userId, subjectId, createdAt, actor }) => ({
      id,
      event_type: kind,
      label: labels.get(kind) ?? kind,
      user_id: userId,
      resource_id: subjectId,
      actor: actor ? { type: actor.startsWith('session:') ? 'account' : 'key', name: names.get(actor) ?? null } : null,
      created_at: createdAt.toISOString(),
    }))
    return ok({ data, total, page, page_size: limit })
  },
})

/** The period that a request names, if it does. @throws VALIDATION_ERROR */
function periodOf(query: PeriodQuery, now: Date): Period | undefined {
  const period = readPeriod(query, now)
  if (query.days === undefined && query.start_date === undefined && query.end_date === undefined) return undefined
  return query.end_date === undefined ? { ...period, end: upTo(now) } : period
}

/** The database may be ahead of this clock. */
function upTo(now: Date): Date {
  return new Date(now.getTime() + HOUR_MS)
}

function sumCounts(figures: readonly { readonly count: number }[]): number {
  return figures.reduce((sum, { count }) => sum + count, 0)
}

function unknownKinds({ activityKinds }: DashboardScope, given: readonly string[] = []): ErrorDetail[] {
  const known = activityKinds.map(({ kind }) => kind)
  return given.flatMap((kind, n) =>
    known.includes(kind) ? [] : [{ path: `event_type.${n}`, message: `must be one of ${known.join(', ')}` }],
  )
}

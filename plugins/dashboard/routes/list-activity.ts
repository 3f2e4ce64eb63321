import { type EventFilter, eventLog, ok, validationError } from 'mneme/plugin'
import { activityExample } from '../examples.ts'
import { READ, route } from '../route.ts'
import { activityPage, activityQuery } from '../schemas.ts'
import type { DashboardScope } from '../scope.ts'

/** A long feed costs no more than this to count. */
const COUNTED_MAX = 10_000
const DAY_MS = 86_400_000

export const listActivityRoute = route({
  method: 'GET',
  path: '/v1/dashboard/activity',
  access: READ,
  summary: 'List activity',
  description: 'What happened in the workspace, newest first. It names memories and holds none of their text.',
  query: activityQuery,
  responses: { 200: activityPage },
  examples: { response: { data: [activityExample], total: 1, page: 1, page_size: 20 } },
  async handle({ query, scope, tenant }) {
    const { workspaceId } = tenant
    const { page, limit } = query
    const filter: EventFilter = {
      kinds: kindsOf(scope, query.event_type),
      userId: query.user_id,
      since: new Date(Date.now() - scope.activityDays * DAY_MS),
    }
    const log = scope.wiring.use(eventLog)
    const [events, total] = await tenant.transaction(tx =>
      Promise.all([
        log.list(tx, workspaceId, filter, { limit, offset: (page - 1) * limit }),
        log.count(tx, workspaceId, filter, COUNTED_MAX),
      ]),
    )
    const labels = new Map(scope.activityKinds.map(({ kind, label }) => [kind, label]))
    const data = events.map(({ id, kind, userId, subjectId, createdAt }) => ({
      id,
      event_type: kind,
      label: labels.get(kind) ?? kind,
      user_id: userId,
      resource_id: subjectId,
      created_at: createdAt.toISOString(),
    }))
    return ok({ data, total, page, page_size: limit })
  },
})

/** @throws VALIDATION_ERROR for a type that no event has */
function kindsOf({ activityKinds }: DashboardScope, given: readonly string[] | undefined): string[] {
  const known = activityKinds.map(({ kind }) => kind)
  const faults = (given ?? []).flatMap((kind, n) =>
    known.includes(kind) ? [] : [{ path: `event_type.${n}`, message: `must be one of ${known.join(', ')}` }],
  )
  if (faults.length > 0) throw validationError(faults)
  return [...new Set(given ?? known)]
}

import { ok } from 'mneme/plugin'
import { lookForAlerts, SHOWN_AGE_MS } from '../alerts/look.ts'
import { alertExample } from '../examples.ts'
import { readPeriod } from '../figures/period.ts'
import { rollUp } from '../figures/roll-up.ts'
import { periodChecks } from '../period-checks.ts'
import { listAlerts } from '../queries/alerts.ts'
import { READ, route } from '../route.ts'
import { alertsResponse, periodQuery } from '../schemas.ts'

/** More alerts than this are no help. */
const ALERTS_MAX = 100

export const listAlertsRoute = route({
  method: 'GET',
  path: '/v1/dashboard/alerts',
  operationId: 'listAlerts',
  access: READ,
  share: 'heavy',
  beyondQuota: true,
  summary: 'List alerts',
  description:
    'They are checked every ten minutes, and here anew after ten seconds; reported once, they resolve by themselves.',
  query: periodQuery,
  checks: periodChecks,
  responses: { 200: alertsResponse },
  examples: { response: [alertExample] },
  async handle({ query, scope, tenant }) {
    const now = new Date()
    const { start, end } = readPeriod(query, now)
    await rollUp(scope, tenant, now)
    await lookForAlerts(scope, tenant, now, SHOWN_AGE_MS)
    const alerts = await tenant.transaction(tx => listAlerts(tx, tenant.workspaceId, start, end, ALERTS_MAX))
    return ok(
      alerts.map(({ id, type, severity, title, message, created_at, resolved_at }) => ({
        id,
        type,
        severity,
        title,
        message,
        created_at: created_at.toISOString(),
        resolved_at: resolved_at?.toISOString() ?? null,
      })),
    )
  },
})

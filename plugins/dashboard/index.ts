import { DAY_MS, definePlugin, type EventKind, extend, PLUGIN_API_VERSION } from 'mneme/plugin'
import { memoryWriteHooks } from '../memories/contract.ts'
import { DAYS_KEPT } from './figures/period.ts'
import { pastMemories } from './figures/recount.ts'
import { memoriesChartRoute, requestsChartRoute, tokensChartRoute } from './routes/charts.ts'
import { diagnoseSearchesRoute } from './routes/diagnose-searches.ts'
import { getBacklogRoute } from './routes/get-backlog.ts'
import { getQualityRoute } from './routes/get-quality.ts'
import { getSummaryRoute } from './routes/get-summary.ts'
import { listActivityRoute } from './routes/list-activity.ts'
import { listAlertsRoute } from './routes/list-alerts.ts'
import { listCategoriesRoute } from './routes/list-categories.ts'
import { listTopQueriesRoute } from './routes/list-top-queries.ts'
import type { DashboardScope } from './scope.ts'
import { dashboardConfig } from './settings.ts'
import { watchTask } from './tasks/watch.ts'

const KEPT_MS = DAYS_KEPT * DAY_MS
/** As long as events are kept. */
const ALERTS_KEPT_MS = 400 * DAY_MS

/** Kinds that the activity feed shows beside the public ones. */
const PRIVATE_ACTIVITY: readonly string[] = [
  'memory.promoted',
  'memory.feedback',
  'webhook.created',
  'webhook.failed',
  'webhook.recovered',
  'export.completed',
  'template.applied',
  'key.created',
  'key.revoked',
  'connection.created',
  'connection.removed',
  'workspace.created',
  'member.joined',
  'member.removed',
]

/** Shows how it goes: figures, charts, activity and alerts of a workspace. */
export const dashboardPlugin = definePlugin({
  id: 'dashboard',
  version: '0.1.0',
  apiVersion: PLUGIN_API_VERSION,
  requires: ['memories'],
  optional: ['search', 'webhooks', 'workspaces', 'oauth'],
  permissions: [{ name: 'Dashboard', permissions: { 'dashboard.read': 'Read usage, quality and activity.' } }],
  config: dashboardConfig,
  migrations: new URL('./sql/', import.meta.url),
  routes: [
    getSummaryRoute,
    listActivityRoute,
    memoriesChartRoute,
    requestsChartRoute,
    tokensChartRoute,
    getQualityRoute,
    listCategoriesRoute,
    listTopQueriesRoute,
    listAlertsRoute,
    diagnoseSearchesRoute,
    getBacklogRoute,
  ],
  tasks: [watchTask],
  cron: [{ schedule: '*/10 * * * *', task: 'dashboard:watch' }],
  retention: [
    { table: 'dashboard.day', column: 'day', keepMs: KEPT_MS },
    { table: 'dashboard.query_day', column: 'day', keepMs: KEPT_MS },
    { table: 'dashboard.query_span', column: 'first_day', keepMs: KEPT_MS },
    { table: 'dashboard.category_day', column: 'day', keepMs: KEPT_MS },
    // A workspace that nobody uses is not rolled up, and keeps its notes.
    { table: 'dashboard.past_day', column: 'day', keepMs: KEPT_MS },
    { table: 'dashboard.alert', column: 'created_at', keepMs: ALERTS_KEPT_MS },
  ],
  setup({ config, database, tenants, quarantine, quotas, wiring, log, events }) {
    const scope: DashboardScope = {
      database,
      tenants,
      quarantine,
      quotas,
      wiring,
      log,
      activityKinds: events.kinds.filter(isActivity),
      activityDays: config.ACTIVITY_DAYS,
    }
    return { scope, extensions: [extend(memoryWriteHooks, pastMemories)] }
  },
})

function isActivity({ kind, public: isPublic }: EventKind): boolean {
  return isPublic || PRIVATE_ACTIVITY.includes(kind)
}

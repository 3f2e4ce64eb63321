import { Type, tasksOf } from 'mneme/plugin'
import { lookForAlerts } from '../alerts/look.ts'
import { rollUp } from '../figures/roll-up.ts'
import { watchedWorkspaces } from '../queries/progress.ts'
import type { DashboardScope } from '../scope.ts'

const NAME = 'dashboard:watch'
const PAGE = 100
const LEAST = '00000000-0000-0000-0000-000000000000'

/** Rolls up and checks the workspaces whose dashboard was looked at before. */
export const watchTask = tasksOf<DashboardScope>()({
  name: NAME,
  payload: Type.Object({}),
  timeLimitMs: 9 * 60_000,
  async run({ scope, signal }) {
    const { database, quarantine, tenants } = scope
    for (let after = LEAST; ; ) {
      const workspaces = await database.system(tx => watchedWorkspaces(tx, after, PAGE))
      await quarantine.sweep({
        name: NAME,
        items: workspaces,
        workspaceOf: workspaceId => workspaceId,
        signal,
        async work(workspaceId) {
          const tenant = await tenants.tenant(workspaceId)
          await rollUp(scope, tenant, new Date())
          await lookForAlerts(scope, tenant, new Date())
        },
      })
      const last = workspaces.at(-1)
      if (last === undefined || workspaces.length < PAGE) return
      after = last
    }
  },
})

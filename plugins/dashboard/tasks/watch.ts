import { Type, tasksOf } from 'mneme/plugin'
import { lookForAlerts } from '../alerts/look.ts'
import { rollUp } from '../figures/roll-up.ts'
import { watchedWorkspaces } from '../queries/roll-ups.ts'
import type { DashboardScope } from '../scope.ts'

const PAGE = 100
const LEAST = '00000000-0000-0000-0000-000000000000'

/** Rolls up and checks the workspaces whose dashboard was looked at before; one that fails keeps no other from its turn. */
export const watchTask = tasksOf<DashboardScope>()({
  name: 'dashboard:watch',
  payload: Type.Object({}),
  timeLimitMs: 9 * 60_000,
  async run({ scope, signal }) {
    const { database, tenants, log } = scope
    for (let after = LEAST; !signal.aborted; ) {
      const workspaces = await database.system(tx => watchedWorkspaces(tx, after, PAGE))
      for (const workspaceId of workspaces) {
        if (signal.aborted) return
        try {
          const tenant = await tenants.tenant(workspaceId)
          await rollUp(scope, tenant, new Date())
          await lookForAlerts(scope, tenant, new Date())
        } catch (error) {
          log.error({ err: error, workspace: workspaceId }, 'the figures of a workspace could not be rolled up')
        }
      }
      const last = workspaces.at(-1)
      if (last === undefined || workspaces.length < PAGE) return
      after = last
    }
  },
})

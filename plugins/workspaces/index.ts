import { administration, definePlugin, PLUGIN_API_VERSION } from 'mneme/plugin'
import { workspaceErasers } from './contract.ts'
import { distributionChecks } from './distribution.ts'
import { workspaceErrors } from './errors.ts'
import { workspaceEvents } from './events.ts'
import { permissionGroups } from './permissions.ts'
import { acceptInvitationRoute } from './routes/accept-invitation.ts'
import { createKeyRoute } from './routes/create-key.ts'
import { createTokenRoute } from './routes/create-token.ts'
import { createWorkspaceRoute } from './routes/create-workspace.ts'
import { deleteWorkspaceRoute } from './routes/delete-workspace.ts'
import { getWorkspaceRoute } from './routes/get-workspace.ts'
import { inviteMemberRoute } from './routes/invite-member.ts'
import { listKeysRoute } from './routes/list-keys.ts'
import { listMembersRoute } from './routes/list-members.ts'
import { listPermissionsRoute } from './routes/list-permissions.ts'
import { listWorkspacesRoute } from './routes/list-workspaces.ts'
import { removeMemberRoute } from './routes/remove-member.ts'
import { revokeKeyRoute } from './routes/revoke-key.ts'
import { rotateKeyRoute } from './routes/rotate-key.ts'
import { updateKeyRoute } from './routes/update-key.ts'
import { updateMemberRoute } from './routes/update-member.ts'
import { updateWorkspaceRoute } from './routes/update-workspace.ts'
import type { WorkspacesScope } from './scope.ts'
import { workspaceSettings } from './settings.ts'
import { eraseTask } from './tasks/erase.ts'
import { findOrphansTask, rememberErasers, sweepTask } from './tasks/sweep.ts'

export { citusVersion, type TenantTable, tenantTables, versionFault } from './distribution.ts'

/** Workspaces and API keys of accounts, as their owners manage them. The gate that checks them is the kernel's. */
export const workspacesPlugin = definePlugin({
  id: 'workspaces',
  version: '0.1.0',
  apiVersion: PLUGIN_API_VERSION,
  permissions: permissionGroups,
  workspaceSettings,
  errors: workspaceErrors,
  emits: workspaceEvents,
  extensionPoints: [workspaceErasers],
  uses: [administration],
  routes: [
    listWorkspacesRoute,
    createWorkspaceRoute,
    getWorkspaceRoute,
    updateWorkspaceRoute,
    deleteWorkspaceRoute,
    listKeysRoute,
    createKeyRoute,
    listPermissionsRoute,
    updateKeyRoute,
    rotateKeyRoute,
    revokeKeyRoute,
    listMembersRoute,
    inviteMemberRoute,
    acceptInvitationRoute,
    updateMemberRoute,
    removeMemberRoute,
    createTokenRoute,
  ],
  tasks: [eraseTask, sweepTask, findOrphansTask],
  cron: [
    { schedule: '41 * * * *', task: 'workspaces:sweep' },
    { schedule: '23 4 * * *', task: 'workspaces:find-orphans' },
  ],
  async setup(context) {
    const { database, events, jobs, quotas, wiring, log } = context
    const scope: WorkspacesScope = {
      administration: wiring.use(administration),
      database,
      events,
      jobs,
      quotas,
      wiring,
      log,
    }
    return {
      scope,
      healthChecks: await distributionChecks(database),
      chores: [{ name: 'workspaces.erasers', everyMs: ERASERS_MS, run: onceDone(() => rememberErasers(scope)) }],
    }
  },
})

/** Soon after the start, when every plugin is set up; at the latest when the process stops. */
const ERASERS_MS = 5000

/** Runs `work` until it succeeded once. */
function onceDone(work: () => Promise<void>): () => Promise<void> {
  let done = false
  return async () => {
    if (done) return
    await work()
    done = true
  }
}

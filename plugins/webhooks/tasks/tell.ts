import { Type, tasksOf } from 'mneme/plugin'
import { FAILING_ALERT_MS } from '../contract.ts'
import { tellOfFailing } from '../delivering/alert.ts'
import { takeUntold, workspacesUntold } from '../queries/health.ts'
import type { WebhooksScope } from '../scope.ts'

const NAME = 'webhooks:tell'
/** Workspaces that one run looks after; the next one takes those that are left. */
const WORKSPACES_MAX = 500

/** Tells of webhooks that fail for long. An attempt that fails does so itself, but none may come: each delivery has had its attempts. */
export const tellTask = tasksOf<WebhooksScope>()({
  name: NAME,
  payload: Type.Object({}, { additionalProperties: true }),
  async run({ scope: { database, quarantine, events }, signal }) {
    const now = new Date()
    const alertBefore = new Date(now.getTime() - FAILING_ALERT_MS)
    await quarantine.sweep({
      name: NAME,
      items: await database.system(tx => workspacesUntold(tx, alertBefore, WORKSPACES_MAX)),
      workspaceOf: workspaceId => workspaceId,
      signal,
      work: workspaceId =>
        database.workspace(workspaceId, async tx => {
          await tellOfFailing(tx, events, workspaceId, await takeUntold(tx, workspaceId, alertBefore, now))
        }),
    })
  },
})

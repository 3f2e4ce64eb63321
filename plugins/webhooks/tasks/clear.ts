import { snoozeFor, Type, tasksOf } from 'mneme/plugin'
import { CLEAR } from '../jobs.ts'
import { clearDeliveries } from '../queries/upkeep.ts'
import type { WebhooksScope } from '../scope.ts'

/** Removes the deliveries of a webhook that is gone, in short transactions. */
export const clearTask = tasksOf<WebhooksScope>()({
  name: CLEAR,
  payload: Type.Object({ workspace_id: Type.String(), webhook_id: Type.String() }),
  gated: false,
  async run({ payload: { workspace_id: workspaceId, webhook_id: webhookId }, scope: { database } }) {
    const cleared = await database.workspace(workspaceId, tx => clearDeliveries(tx, workspaceId, webhookId))
    if (cleared > 0) return snoozeFor(0, { progressed: true })
  },
})

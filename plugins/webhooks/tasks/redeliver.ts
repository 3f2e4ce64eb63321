import { snoozeFor, Type, tasksOf } from 'mneme/plugin'
import { dispatchJob, REDELIVER } from '../jobs.ts'
import { redeliverFailed } from '../queries/deliveries.ts'
import type { WebhooksScope } from '../scope.ts'

const BATCH = 500

/** Queues what failed between two instants again, in short transactions. */
export const redeliverTask = tasksOf<WebhooksScope>()({
  name: REDELIVER,
  payload: Type.Object({
    workspace_id: Type.String(),
    webhook_id: Type.String(),
    since: Type.String(),
    until: Type.String(),
  }),
  async run({ payload: { workspace_id: workspaceId, webhook_id: webhookId, since, until }, scope }) {
    const queued = await scope.database.workspace(workspaceId, async tx => {
      const window = { since: new Date(since), until: new Date(until), limit: BATCH }
      const count = await redeliverFailed(tx, workspaceId, webhookId, window)
      if (count > 0) await scope.jobs.enqueue(tx, [dispatchJob(workspaceId)])
      return count
    })
    if (queued === BATCH) return snoozeFor(0, { progressed: true })
  },
})

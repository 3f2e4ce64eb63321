import { Type, tasksOf } from 'mneme/plugin'
import { dispatchJob, REDELIVER, redeliverJob } from '../jobs.ts'
import { redeliverFailed } from '../queries/deliveries.ts'
import type { WebhooksScope } from '../scope.ts'

const BATCH = 500

/**
 * Queues what failed between two instants again, in short transactions. Whatever the plan has by now: nothing would add its jobs again, and
 * deliveries that were queued wait for the feature by themselves.
 */
export const redeliverTask = tasksOf<WebhooksScope>()({
  name: REDELIVER,
  payload: Type.Object({
    workspace_id: Type.String(),
    webhook_id: Type.String(),
    since: Type.String(),
    until: Type.String(),
    after: Type.Optional(Type.String()),
  }),
  gated: false,
  async run({ payload, scope: { database, jobs } }) {
    const { workspace_id: workspaceId, webhook_id: webhookId, after } = payload
    const [since, until] = [new Date(payload.since), new Date(payload.until)]
    await database.workspace(workspaceId, async tx => {
      const queued = await redeliverFailed(tx, workspaceId, webhookId, { since, until, after, limit: BATCH })
      const last = queued.at(-1)
      if (last === undefined) return
      // The next job goes on behind these, so that none reads again what earlier ones passed over.
      const rest = queued.length < BATCH ? [] : [redeliverJob({ workspaceId, webhookId, since, until, after: last })]
      await jobs.enqueue(tx, [dispatchJob(workspaceId), ...rest])
    })
  },
})

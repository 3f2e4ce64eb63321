import { hasFeature, Type, tasksOf } from 'mneme/plugin'
import { FAILING_ALERT_MS } from '../contract.ts'
import { tellOfFailing } from '../delivering/alert.ts'
import { dispatchJob } from '../jobs.ts'
import { takeUntold } from '../queries/attempts.ts'
import { dropOrphans, expireRounds, workspacesUntold } from '../queries/upkeep.ts'
import { FEATURE } from '../quota.ts'
import type { WebhooksScope } from '../scope.ts'

const NAME = 'webhooks:sweep'
/** Workspaces that one run looks after; the next one goes on behind them. */
const WORKSPACES_MAX = 500

/** Finds what is due though no job says so: of a process that died, or of a job that was lost; and tells of webhooks that fail for long. */
export const sweepTask = tasksOf<WebhooksScope>()({
  name: NAME,
  payload: Type.Object({}, { additionalProperties: true }),
  async run({ scope: { database, quarantine, tenants, events, queue, jobs }, signal }) {
    await quarantine.sweep({
      name: NAME,
      items: await database.system(tx => queue.dueWorkspaces(tx, WORKSPACES_MAX)),
      workspaceOf: workspaceId => workspaceId,
      signal,
      async work(workspaceId) {
        const workspace = await tenants.find(workspaceId)
        // Where the plan lost the feature, what waits goes on when it is back, or its time is over.
        const isServed = workspace !== undefined && hasFeature(workspace, FEATURE)
        await database.workspace(workspaceId, async tx => {
          await expireRounds(tx, workspaceId)
          await dropOrphans(tx, workspaceId)
          if (isServed) await jobs.enqueue(tx, [dispatchJob(workspaceId)])
        })
      },
    })
    const now = new Date()
    const alertBefore = new Date(now.getTime() - FAILING_ALERT_MS)
    // An attempt that fails tells of its webhook itself, but none may come: each delivery has had its attempts.
    await quarantine.sweep({
      name: `${NAME}:failing`,
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

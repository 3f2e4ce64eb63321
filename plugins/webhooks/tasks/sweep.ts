import { hasFeature, Type, tasksOf } from 'mneme/plugin'
import { dispatchJob } from '../jobs.ts'
import { dropOrphans, expireRounds } from '../queries/upkeep.ts'
import { FEATURE } from '../quota.ts'
import type { WebhooksScope } from '../scope.ts'

const NAME = 'webhooks:sweep'
/** Workspaces that one run looks after; the next one goes on behind them. */
const WORKSPACES_MAX = 500

/** Finds what is due though no job says so: of a process that died, or of a job that was lost. */
export const sweepTask = tasksOf<WebhooksScope>()({
  name: NAME,
  payload: Type.Object({}, { additionalProperties: true }),
  async run({ scope: { database, quarantine, tenants, queue, jobs }, signal }) {
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
          await expireRounds(tx, workspaceId, isServed)
          await dropOrphans(tx, workspaceId)
          if (isServed) await jobs.enqueue(tx, [dispatchJob(workspaceId)])
        })
      },
    })
  },
})

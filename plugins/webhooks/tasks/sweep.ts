import { hasFeature, type Tx, Type, tasksOf } from 'mneme/plugin'
import { dispatchJob } from '../jobs.ts'
import { dropOrphans, expireRounds, forgetTold, LIMIT } from '../queries/upkeep.ts'
import { FEATURE } from '../quota.ts'
import type { WebhooksScope } from '../scope.ts'

const NAME = 'webhooks:sweep'
/** Workspaces that one run looks after; the next one goes on behind them. */
const WORKSPACES_MAX = 500
/** A run clears up in one workspace, and in all of them, for so long; the next one goes on with what is left. */
const PARTS_MS = 5_000
const RUN_MS = 20_000

/** Finds what is due though no job says so: of a process that died, or of a job that was lost. */
export const sweepTask = tasksOf<WebhooksScope>()({
  name: NAME,
  payload: Type.Object({}, { additionalProperties: true }),
  async run({ scope: { database, quarantine, tenants, queue, jobs, metrics }, signal }) {
    const runUntil = performance.now() + RUN_MS
    await quarantine.sweep({
      name: NAME,
      items: await database.system(tx => queue.dueWorkspaces(tx, WORKSPACES_MAX)),
      workspaceOf: workspaceId => workspaceId,
      signal,
      async work(workspaceId) {
        const workspace = await tenants.find(workspaceId)
        // Where the plan lost the feature, what waits goes on when it is back, or its time is over.
        const isServed = workspace !== undefined && hasFeature(workspace, FEATURE)
        const inParts = async (part: (tx: Tx) => Promise<number>, committed?: (count: number) => void) => {
          const until = Math.min(runUntil, performance.now() + PARTS_MS)
          const mayGoOn = () => performance.now() < until && !signal.aborted
          let count: number
          do {
            count = await database.workspace(workspaceId, part)
            committed?.(count)
          } while (count === LIMIT && mayGoOn())
        }
        await inParts(tx => expireRounds(tx, workspaceId, isServed), metrics.gaveUp)
        await inParts(tx => dropOrphans(tx, workspaceId))
        await database.workspace(workspaceId, tx => forgetTold(tx, workspaceId))
        if (isServed) await database.workspace(workspaceId, tx => jobs.enqueue(tx, [dispatchJob(workspaceId)]))
      },
    })
  },
})

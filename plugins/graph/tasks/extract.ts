import { Type } from '@sinclair/typebox'
import { tasksOf } from '../../../core/jobs/task.ts'
import type { GraphScope } from '../scope.ts'
import { embedWaiting } from './embed.ts'
import { extractJob, FEATURE } from './queue-step.ts'
import { readWaiting } from './read-waiting.ts'

const task = tasksOf<GraphScope>()

/** A job of a few seconds ends in time when its process stops. */
const SLICE_MS = 5_000
/** For the vectors of entities; what is left is for the next job, or the one that looks for such. */
const EMBED_MS = 2_000

/** Reads what waits in a workspace for a few seconds, then adds itself again while there is more. */
export const extractTask = task({
  name: 'graph:extract',
  payload: Type.Object({ workspace_id: Type.String({ minLength: 36, maxLength: 36 }) }),
  async run({ scope, payload: { workspace_id: workspaceId }, signal }) {
    const workspace = await scope.tenants.find(workspaceId)
    if (!workspace?.features.has(FEATURE)) return
    const lane = scope.lanes.enter(workspaceId)
    // Enough read here already; they look once more before they end.
    if (!lane) return
    let isEmpty = false
    try {
      const until = performance.now() + SLICE_MS
      while (!isEmpty && performance.now() < until && !signal.aborted) {
        lane.look()
        isEmpty = (await readWaiting(scope, workspaceId, signal)) === 0 && !lane.askedAgain()
      }
    } finally {
      // Before the next job is added, which might start at once and find the lane taken.
      lane.leave()
    }
    await embedWaiting(scope, workspaceId, signal, EMBED_MS)
    if (isEmpty || signal.aborted) return
    await scope.database.workspace(workspaceId, tx => scope.jobs.enqueue(tx, [extractJob(workspaceId)]))
  },
})

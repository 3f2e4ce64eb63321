import { Type } from '@sinclair/typebox'
import { type NewJob, tasksOf } from 'mneme/plugin'
import type { GraphScope } from '../scope.ts'
import { embedWaiting } from './embed.ts'
import { extractJob } from './queue-step.ts'
import { readWaiting } from './read-waiting.ts'

const task = tasksOf<GraphScope>()

/** A job of a few seconds ends in time when its process stops. */
const SLICE_MS = 5_000
/** For the vectors of entities; what is left is for the next job, or the one that looks for such. */
const EMBED_MS = 2_000

/**
 * Memories that fall due so soon have a job of their own: those a killed process had claimed, or that failed a moment
 * ago.
 */
const SOON_MS = 60_000
/** Until one of the other workspaces' readers may be done. */
const FULL_MS = 2_000

/** Reads what waits in a workspace for a few seconds, then adds itself again while there is more. */
export const extractTask = task({
  name: 'graph:extract',
  payload: Type.Object({ workspace_id: Type.String({ minLength: 36, maxLength: 36 }) }),
  async run({ scope, payload: { workspace_id: workspaceId }, signal }) {
    const lane = scope.lanes.enter(workspaceId)
    // Enough read here already; they look once more before they end.
    if (lane === 'told') return
    if (lane === 'full') return enqueue(scope, workspaceId, laterJob(workspaceId, FULL_MS))
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
    if (signal.aborted) return
    if (!isEmpty) return enqueue(scope, workspaceId, extractJob(workspaceId))
    const inMs = await scope.database.workspace(workspaceId, tx => scope.readings.nextDueInMs(tx, workspaceId))
    if (inMs !== undefined && inMs < SOON_MS) await enqueue(scope, workspaceId, laterJob(workspaceId, inMs))
  },
})

function enqueue({ database, jobs }: GraphScope, workspaceId: string, job: NewJob): Promise<void> {
  return database.workspace(workspaceId, tx => jobs.enqueue(tx, [job]))
}

/** With a key of its own: it must not put off what is to run now. */
function laterJob(workspaceId: string, inMs: number): NewJob {
  return { ...extractJob(workspaceId, inMs), key: `graph:extract:later:${workspaceId}` }
}

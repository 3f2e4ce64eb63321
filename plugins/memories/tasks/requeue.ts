import { Type } from '@sinclair/typebox'
import { tasksOf } from '../../../core/jobs/task.ts'
import { claimStuck } from '../queries/processing.ts'
import type { MemoriesScope } from '../scope.ts'

const task = tasksOf<MemoriesScope>()

/**
 * Longer than any pause between two attempts, each of which counts as movement, so that a memory that is being retried is
 * left alone.
 */
const QUIET_SECONDS = 120
const LIMIT = 1000

/**
 * A safety net below the jobs, which are added with the memories in one transaction: what nevertheless waits without anything
 * happening is queued again. Its place in the queue is that of its waiting, so a long queue keeps its order.
 */
export const requeueTask = task({
  name: 'memories:requeue',
  payload: Type.Object({}),
  async run({ scope }) {
    await scope.database.system(async tx => {
      const stuck = await claimStuck(tx, QUIET_SECONDS, LIMIT)
      await scope.jobs.enqueue(
        tx,
        stuck.map(({ workspaceId, id, revision, waitingSince }) => ({
          task: 'memories:process',
          key: `memories:process:${id}`,
          payload: { workspace_id: workspaceId, memory_id: id, revision },
          runAt: waitingSince,
        })),
      )
    })
  },
})

import { Type } from '@sinclair/typebox'
import { tasksOf } from 'mneme/plugin'
import { lengthClass } from '../processing/priority.ts'
import { claimStuck } from '../queries/processing.ts'
import type { MemoriesScope } from '../scope.ts'

const task = tasksOf<MemoriesScope>()

/**
 * Longer than any pause between two attempts, each of which counts as movement, so that a memory that is being retried is
 * left alone.
 */
const QUIET_SECONDS = 120
const LIMIT = 1000
/** Long texts that each run brings forward, the longest waiting first: a few seconds' work for a model. */
const FORWARD = 8

/**
 * A safety net below the jobs, which are added with the memories in one transaction: what nevertheless waits without anything
 * happening is queued again. Its place in the queue is that of its waiting, so a long queue keeps its order. Long texts stay
 * behind ordinary ones there, but for a few at a time: so they get on however much comes in, and still hold nobody up for long.
 */
export const requeueTask = task({
  name: 'memories:requeue',
  payload: Type.Object({}),
  async run({ scope }) {
    await scope.database.system(async tx => {
      const stuck = await claimStuck(tx, QUIET_SECONDS, LIMIT)
      let forward = FORWARD
      const jobs = stuck.map(({ workspaceId, id, revision, waitingSince, characters }) => {
        const standing = lengthClass(characters)
        const priority = standing > 0 && forward-- > 0 ? 0 : standing
        return {
          task: 'memories:process',
          key: `memories:process:${id}`,
          payload: { workspace_id: workspaceId, memory_id: id, revision, characters },
          runAt: waitingSince,
          priority,
        }
      })
      await scope.jobs.enqueue(tx, jobs)
    })
  },
})

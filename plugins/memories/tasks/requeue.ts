import { Type } from '@sinclair/typebox'
import { tasksOf } from 'mneme/plugin'
import { lengthClass } from '../processing/priority.ts'
import { claimStuck } from '../queries/processing.ts'
import type { MemoriesScope } from '../scope.ts'

const task = tasksOf<MemoriesScope>()

/** The time exceeds any pause between two attempts, each of which counts as progress, so memories being retried are left alone. */
const QUIET_SECONDS = 120
const LIMIT = 1000
/** Each run brings this many long texts forward, the longest waiting first: a few seconds of work for a model. */
const FORWARD = 8

/**
 * A safety net for jobs, which are normally queued in the transaction of their memory: memories without progress are queued again, at the
 * place their waiting time gives them, so a long queue keeps its order. Long texts stay behind ordinary ones except for a few per run, so
 * they progress under any load without delaying others for long.
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

import { Type } from '@sinclair/typebox'
import { tasksOf } from 'mneme/plugin'
import { extractionJob } from '../jobs.ts'
import { claimStuck } from '../queries/progress.ts'
import type { ConversationsScope } from '../scope.ts'

const task = tasksOf<ConversationsScope>()

/** Longer than one window takes, with every try of a slow model. */
const QUIET_SECONDS = 900
const LIMIT = 500

/** A safety net below the jobs, which are added with the conversations: what waits without a job gets one, in its place. */
export const requeueTask = task({
  name: 'conversations:requeue',
  payload: Type.Object({}),
  async run({ scope }) {
    await scope.database.system(async tx => {
      const stuck = await claimStuck(tx, QUIET_SECONDS, LIMIT)
      await scope.jobs.enqueue(
        tx,
        stuck.map(({ workspaceId, id, nextTurn, waitingSince }) =>
          extractionJob(workspaceId, id, nextTurn, waitingSince),
        ),
      )
    })
  },
})

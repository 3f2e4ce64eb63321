import { Type } from '@sinclair/typebox'
import { tasksOf } from 'mneme/plugin'
import { extractionJob } from '../jobs.ts'
import { claimStuck, findStuck } from '../queries/progress.ts'
import type { ConversationsScope } from '../scope.ts'

const task = tasksOf<ConversationsScope>()

const NAME = 'conversations:requeue'
/** Longer than one window takes, with every try of a slow model. */
const QUIET_SECONDS = 900
const LIMIT = 500

/** A safety net below the jobs, which are added with the conversations: what waits without a job gets one, in its place. */
export const requeueTask = task({
  name: NAME,
  payload: Type.Object({}),
  async run({ scope: { database, quarantine, jobs }, signal }) {
    await quarantine.sweep({
      name: NAME,
      items: await database.system(tx => findStuck(tx, quarantine, NAME, QUIET_SECONDS, LIMIT)),
      workspaceOf: conversation => conversation.workspaceId,
      idOf: conversation => conversation.id,
      signal,
      work: (workspaceId, own) =>
        database.workspace(workspaceId, async tx => {
          const ids = own.map(({ id }) => id)
          const stuck = await claimStuck(tx, workspaceId, ids, QUIET_SECONDS)
          await jobs.enqueue(
            tx,
            stuck.map(({ id, nextTurn, waitingSince }) => extractionJob(workspaceId, id, nextTurn, waitingSince)),
          )
        }),
    })
  },
})

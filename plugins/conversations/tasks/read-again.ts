import { Type } from '@sinclair/typebox'
import { tasksOf } from 'mneme/plugin'
import { extractionJob } from '../jobs.ts'
import { beginAgain, findToReadAgain } from '../queries/read-again.ts'
import type { ConversationsScope } from '../scope.ts'

const task = tasksOf<ConversationsScope>()

const NAME = 'conversations:read-again'
const LIMIT = 500

/** Lets conversations that were read while the language model was away be read by it, once it is back. */
export const readAgainTask = task({
  name: NAME,
  payload: Type.Object({}),
  async run({ scope: { database, quarantine, jobs, language }, signal }) {
    if (!language.available()) return
    await quarantine.sweep({
      name: NAME,
      items: await database.system(tx => findToReadAgain(tx, quarantine, NAME, LIMIT)),
      workspaceOf: conversation => conversation.workspaceId,
      idOf: conversation => conversation.id,
      signal,
      work: (workspaceId, own) =>
        database.workspace(workspaceId, async tx => {
          const ids = own.map(({ id }) => id)
          const begun = await beginAgain(tx, workspaceId, ids)
          await jobs.enqueue(
            tx,
            begun.map(({ id, nextTurn }) => extractionJob(workspaceId, id, nextTurn)),
          )
        }),
    })
  },
})

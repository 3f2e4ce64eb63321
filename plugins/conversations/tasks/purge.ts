import { Type } from '@sinclair/typebox'
import { tasksOf } from 'mneme/plugin'
import { purgeEmpty } from '../queries/progress.ts'
import type { ConversationsScope } from '../scope.ts'

const task = tasksOf<ConversationsScope>()

const DAYS = 30
/** Rows of a statement, so that none holds its locks for long, and statements of a run. */
const BATCH = 5000
const BATCHES_MAX = 100

/** Forgets conversations of which no memory was made: only the fact that they took place is left of them. */
export const purgeTask = task({
  name: 'conversations:purge',
  payload: Type.Object({}),
  async run({ scope, signal }) {
    for (let n = 0; n < BATCHES_MAX && !signal.aborted; n++) {
      const removed = await scope.database.system(tx => purgeEmpty(tx, DAYS, BATCH))
      if (removed < BATCH) return
    }
  },
})

import { Type } from '@sinclair/typebox'
import { tasksOf } from 'mneme/plugin'
import type { SearchScope } from '../scope.ts'

const task = tasksOf<SearchScope>()

/** Works for a few seconds at bringing memories to the configured embedding model, then adds itself again. */
export const reEmbedTask = task({
  name: 'search:re-embed',
  payload: Type.Object({}),
  run: ({ scope, signal }) => scope.reEmbedding.run(signal),
})

import { Type } from '@sinclair/typebox'
import { tasksOf } from 'mneme/plugin'
import type { SearchScope } from '../scope.ts'

const task = tasksOf<SearchScope>()

/** Re-embeds memories with the configured model for a few seconds, then queues itself again. */
export const reEmbedTask = task({
  name: 'search:re-embed',
  payload: Type.Object({}),
  run: ({ scope, signal }) => scope.reEmbedding.run(signal),
})

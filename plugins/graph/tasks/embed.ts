import { Type } from '@sinclair/typebox'
import { EmbedderUnavailableError, tasksOf } from 'mneme/plugin'
import { embedEntities } from '../describing/embed-entities.ts'
import type { GraphScope } from '../scope.ts'

const task = tasksOf<GraphScope>()

const SLICE_MS = 20_000

/** Gives entities their vectors that nothing else did: those of withdrawn facts, and all of them when the model is another. */
export const embedTask = task({
  name: 'graph:embed',
  payload: Type.Object({}),
  run: ({ scope, signal }) => embedWaiting(scope, undefined, signal, SLICE_MS),
})

/** Embeds for a while; without the model nothing, for it is found by name meanwhile. */
export async function embedWaiting(
  scope: GraphScope,
  workspaceId: string | undefined,
  signal: AbortSignal,
  sliceMs: number,
): Promise<void> {
  const until = performance.now() + sliceMs
  try {
    while (performance.now() < until && !signal.aborted) {
      const { found, limit } = await embedEntities(scope, workspaceId, signal)
      if (found < limit) return
    }
  } catch (error) {
    if (signal.aborted || error instanceof EmbedderUnavailableError) return
    throw error
  }
}

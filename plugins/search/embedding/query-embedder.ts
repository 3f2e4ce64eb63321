import { type Embedder, EmbedderInputError, EmbedderUnavailableError } from '../../../core/models/embedder.ts'
import type { UsageMeter } from '../../../core/usage.ts'
import type { QueryVector } from '../engine/engine.ts'
import type { EmbeddingModel } from './models.ts'

export type EmbeddedQuery =
  | { readonly vector: Omit<QueryVector, 'floor'> }
  | { readonly retryAfterSeconds: number; readonly cause: Error }

/** Embeds what people search for, ahead of anything in the background. */
export interface QueryEmbedder {
  embed(workspaceId: string, text: string): Promise<EmbeddedQuery>
}

/** A search waits no longer than this for its vector; by words alone it can be answered at once. */
const PATIENCE_MS = 10_000

export function createQueryEmbedder(embedder: Embedder, model: EmbeddingModel, usage: UsageMeter): QueryEmbedder {
  return {
    async embed(workspaceId, text) {
      try {
        const [id, [embedding]] = await Promise.all([
          model.id(),
          embedder.embed([text], { priority: 'query', signal: AbortSignal.timeout(PATIENCE_MS) }),
        ])
        if (!embedding) throw new EmbedderUnavailableError('the embedder answered with no vector')
        if (embedding.tokens > 0) usage.tokens(workspaceId, 'search', embedding.tokens)
        return { vector: { model: id, values: embedding.vector } }
      } catch (error) {
        if (!isMissingMeaning(error)) throw error
        const waitMs = error instanceof EmbedderUnavailableError ? error.retryAfterMs : undefined
        return { retryAfterSeconds: Math.max(1, Math.ceil((waitMs ?? 2000) / 1000)), cause: error }
      }
    },
  }
}

function isMissingMeaning(error: unknown): error is Error {
  if (error instanceof EmbedderUnavailableError || error instanceof EmbedderInputError) return true
  return error instanceof Error && (error.name === 'TimeoutError' || error.name === 'AbortError')
}

import { EmbedderInputError, EmbedderUnavailableError, type UsageMeter } from 'mneme/plugin'
import type { SearchMode } from '../../memories/contract.ts'
import type { QueryVector } from '../engine/engine.ts'
import type { ModelRecord } from './model-records.ts'
import { type EmbeddingModels, otherTarget } from './models.ts'

export type EmbeddedQuery =
  | {
      readonly vector: Omit<QueryVector, 'floor'>
      /** One sentence about what the vector cannot find. */
      readonly warning?: string
    }
  /** The model does not support the script of the query, so only words can find it. */
  | { readonly unknown: true }
  | { readonly retryAfterSeconds: number; readonly cause: Error }

/** Embeds queries ahead of all background work. */
export interface QueryEmbedder {
  /** @param mode a semantic search prefers partial results to none */
  embed(workspaceId: string, text: string, mode?: SearchMode): Promise<EmbeddedQuery>
}

/** A search waits this long for its vector; without one it can still match by words. */
const PATIENCE_MS = 10_000

const PARTLY =
  'The former embedding model is not available: only memories that the new one has embedded so far match by meaning.'

export function createQueryEmbedder(models: EmbeddingModels, usage: Pick<UsageMeter, 'tokens'>): QueryEmbedder {
  const embedWith = async (model: ModelRecord, workspaceId: string, text: string) => {
    const options = { priority: 'query', workspaceId, signal: AbortSignal.timeout(PATIENCE_MS) } as const
    const [embedding] = await models.embed(model, [text], options)
    if (!embedding) throw new EmbedderUnavailableError('the embedder returned no vector')
    if (embedding.tokens > 0) usage.tokens(workspaceId, 'search', embedding.tokens)
    return embedding.vector && { model: model.id, values: embedding.vector }
  }
  return {
    async embed(workspaceId, text, mode) {
      const use = await models.use()
      try {
        const vector = await embedWith(use.active, workspaceId, text)
        return vector ? { vector } : { unknown: true }
      } catch (error) {
        if (!isMissingMeaning(error)) throw error
        const other = mode === 'semantic' ? otherTarget(use) : undefined
        const vector = other && (await embedWith(other, workspaceId, text).catch(() => undefined))
        return vector ? { vector, warning: PARTLY } : missing(error)
      }
    },
  }
}

function missing(cause: Error): EmbeddedQuery {
  const waitMs = cause instanceof EmbedderUnavailableError ? cause.retryAfterMs : undefined
  return { retryAfterSeconds: Math.max(1, Math.ceil((waitMs ?? 2000) / 1000)), cause }
}

function isMissingMeaning(error: unknown): error is Error {
  return (
    error instanceof EmbedderUnavailableError ||
    error instanceof EmbedderInputError ||
    (error instanceof Error && error.name === 'AbortError')
  )
}

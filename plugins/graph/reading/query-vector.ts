import { EmbedderInputError, EmbedderUnavailableError, vectorLiteral } from 'mneme/plugin'
import type { GraphScope } from '../scope.ts'
import { vectorModel } from '../vector-model.ts'

/** A query's vector, as SQL reads it, and the model that made it. */
export interface TextVector {
  readonly model: string
  readonly literal: string
}

/** Nobody waits longer than this for a vector; names are found without one. */
const PATIENCE_MS = 5_000

/** The vector of a query; undefined while the model is away, or where it cannot read the query. */
export async function queryVector(
  { embedder, usage }: Pick<GraphScope, 'embedder' | 'usage'>,
  workspaceId: string,
  query: string,
): Promise<TextVector | undefined> {
  try {
    const options = { priority: 'query', workspaceId, signal: AbortSignal.timeout(PATIENCE_MS) } as const
    const [embedding] = await embedder.embed([query], options)
    if (!embedding) return undefined
    if (embedding.tokens > 0) usage.tokens(workspaceId, 'search', embedding.tokens)
    return embedding.vector ? { model: vectorModel(embedder), literal: vectorLiteral(embedding.vector) } : undefined
  } catch (error) {
    if (isAway(error)) return undefined
    throw error
  }
}

function isAway(error: unknown): boolean {
  if (error instanceof EmbedderUnavailableError || error instanceof EmbedderInputError) return true
  return error instanceof Error && (error.name === 'TimeoutError' || error.name === 'AbortError')
}

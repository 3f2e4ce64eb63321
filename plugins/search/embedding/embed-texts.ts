import { type Database, EmbedderInputError, type EmbedOptions, plainArray } from 'mneme/plugin'
import type { MemoryVector, MemoryVectors } from '../contract.ts'
import type { ModelId } from '../engine/engine.ts'
import type { TextEmbedding } from './gaps.ts'
import type { ModelRecord } from './model-records.ts'
import { type EmbeddingModels, otherTarget } from './models.ts'

/**
 * Embeds texts, some of which the model may refuse without affecting the others.
 * @throws EmbedderUnavailableError when the model is unavailable
 */
export async function embedEach(
  models: EmbeddingModels,
  model: ModelRecord,
  texts: readonly string[],
  options?: EmbedOptions,
): Promise<TextEmbedding[]> {
  const made = new Map<number, TextEmbedding>()
  let open = [...texts.entries()]
  // Each round either embeds all remaining texts or finds one that is refused.
  while (open.length > 0) {
    try {
      const embeddings = await models.embed(
        model,
        open.map(([, text]) => text),
        options,
      )
      for (const [n, [index]] of open.entries()) made.set(index, embeddingOf(embeddings[n]))
      break
    } catch (error) {
      const refused = error instanceof EmbedderInputError ? open[error.index] : undefined
      if (!refused || !(error instanceof EmbedderInputError)) throw error
      made.set(refused[0], error)
      open = open.filter(one => one !== refused)
    }
  }
  return texts.map((_, index) => embeddingOf(made.get(index)))
}

function embeddingOf<T>(made: T | undefined): T {
  if (made === undefined) throw new Error('the embedder returned fewer vectors than texts')
  return made
}

/** After the active model has replied, the other one gets this much more time. */
const PATIENCE_MS = 5_000

/**
 * Embeds texts with every model that writes need. During a re-embedding one of the two models is enough; the other vector is added later.
 *
 * @throws EmbedderUnavailableError when no model replies
 */
export async function embedForWrite(
  models: EmbeddingModels,
  texts: readonly string[],
  priority: 'document' | 'background' = 'document',
): Promise<Map<ModelId, TextEmbedding[]>> {
  const use = await models.use()
  const active = embedEach(models, use.active, texts, { priority, passages: true })
  const other = otherTarget(use)
  if (!other) return new Map([[use.active.id, await active]])
  const late = new AbortController()
  const next = embedEach(models, other, texts, { priority, passages: true, signal: late.signal })
  const settled = Promise.allSettled([active, next])
  const timer = await active.then(
    () =>
      setTimeout(
        () => late.abort(new DOMException('the other model has answered long ago', 'TimeoutError')),
        PATIENCE_MS,
      ),
    () => undefined,
  )
  const [ofActive, ofNext] = await settled
  clearTimeout(timer)
  const made = new Map<ModelId, TextEmbedding[]>()
  if (ofActive.status === 'fulfilled') made.set(use.active.id, ofActive.value)
  if (ofNext.status === 'fulfilled') made.set(other.id, ofNext.value)
  if (ofActive.status === 'rejected' && made.size === 0) throw ofActive.reason
  return made
}

/** Reads stored vectors of the active model. */
export function createMemoryVectors(database: Database, models: EmbeddingModels): MemoryVectors {
  return {
    async vectorsOf(workspaceId, ids) {
      if (ids.length === 0) return new Map()
      const { active } = await models.use()
      const rows = await database.workspace(
        workspaceId,
        tx => tx<{ memory_id: string; values: string }[]>`
          select embedding.memory_id, embedding.embedding::text as values
          from search.embedding
          where embedding.workspace_id = ${workspaceId}
            and embedding.memory_id = any(${plainArray(ids)}::uuid[])
            and embedding.model = ${active.id}`,
      )
      return new Map<string, MemoryVector>(
        rows.map(row => [row.memory_id, { modelId: active.modelId, vector: readVector(row.values) }]),
      )
    },
  }
}

/** Parses Postgres's text format of a vector: numbers between brackets. */
function readVector(text: string): Float32Array {
  return Float32Array.from(text.slice(1, -1).split(','), Number)
}

import { EmbedderInputError, type Embedding, type EmbedOptions } from 'mneme/plugin'
import type { ModelId } from '../engine/engine.ts'
import type { ModelRecord } from './model-records.ts'
import { type EmbeddingModels, otherTarget } from './models.ts'

/** What a model made of a text, or why it never makes anything of it. */
export type TextEmbedding = Embedding | EmbedderInputError

/**
 * Embeds texts of which some may be refused; the others do not suffer for it.
 * @throws EmbedderUnavailableError when the model is away
 */
export async function embedEach(
  models: EmbeddingModels,
  model: ModelRecord,
  texts: readonly string[],
  options?: EmbedOptions,
): Promise<TextEmbedding[]> {
  const made = new Map<number, TextEmbedding>()
  let open = [...texts.entries()]
  // Each round either embeds all that are left or finds one that is refused.
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
  if (made === undefined) throw new Error('the embedder answered with fewer vectors than texts')
  return made
}

/** Once the active model has answered, the other gets this much longer. */
const PATIENCE_MS = 5_000

/**
 * What the models that writes need make of the texts, by model: all that answered. While the way to another model goes on, one
 * of the two is enough; a memory that lacks the other's vector is embedded with it later.
 *
 * @throws EmbedderUnavailableError when no model answers
 */
export async function embedForWrite(
  models: EmbeddingModels,
  texts: readonly string[],
  priority: 'document' | 'background' = 'document',
): Promise<Map<ModelId, TextEmbedding[]>> {
  const use = await models.use()
  const active = embedEach(models, use.active, texts, { priority })
  const other = otherTarget(use)
  if (!other) return new Map([[use.active.id, await active]])
  const late = new AbortController()
  const next = embedEach(models, other, texts, { priority, signal: late.signal })
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

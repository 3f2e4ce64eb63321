import { type EmbeddedPassage, EmbedderInputError, type Tenant, type Tx, type UsageMeter } from 'mneme/plugin'
import type { MemoryRecord, ProcessingStep } from '../../memories/contract.ts'
import { embedForWrite, storedPassages, type TextEmbedding } from '../embedding/embed-texts.ts'
import { recordGaps } from '../embedding/gaps.ts'
import type { EmbeddingModels } from '../embedding/models.ts'
import { lockUseForWrite } from '../embedding/use-store.ts'
import type { ModelId, SearchEngine } from '../engine/engine.ts'
import { relateMemories } from './likeness.ts'

interface Embedded {
  /** The vectors of one memory by model; null where the model refuses its text. */
  readonly vectors: ReadonlyMap<ModelId, Float32Array | null>
  /** The passages of a long text by model. */
  readonly passages: ReadonlyMap<ModelId, readonly EmbeddedPassage[]>
  /** The tokens that its workspace uses for them. */
  readonly tokens: number
}

export interface EmbedStep extends ProcessingStep<Embedded> {
  /** `background` yields to memories that somebody waits for. */
  prepare(
    tenant: Tenant,
    memories: readonly MemoryRecord[],
    priority?: 'document' | 'background',
  ): Promise<ReadonlyMap<string, Embedded>>
  /** Counts the tokens. */
  finish(tx: Tx, memories: readonly MemoryRecord[], prepared: ReadonlyMap<string, Embedded>): Promise<void>
}

/** Embeds memories, after which they are found by meaning. */
export function createEmbedStep(
  engine: SearchEngine,
  models: EmbeddingModels,
  usage: Pick<UsageMeter, 'tokensIn'>,
): EmbedStep {
  return {
    id: 'search.embed',
    order: 100,
    async prepare(_tenant, memories, priority = 'document') {
      const made = await embedForWrite(
        models,
        memories.map(memory => memory.text),
        priority,
      )
      const prepared = new Map<string, Embedded>()
      for (const [index, memory] of memories.entries()) {
        const vectors = [...made].map(([model, texts]) => [model, texts[index]] as const)
        // During a re-embedding two models embed the text, but users pay for one.
        const embedding = vectors.find(([, one]) => !(one instanceof EmbedderInputError))?.[1]
        if (!embedding || embedding instanceof EmbedderInputError) throw vectors[0]?.[1]
        prepared.set(memory.id, { ...storedOf(vectors), tokens: embedding.tokens })
      }
      return prepared
    },
    async write(tx, memories, prepared) {
      const [first] = memories
      if (!first) return
      const use = await lockUseForWrite(tx)
      const needed = [use?.active, use?.target].filter(model => model !== undefined)
      if (!memories.every(({ id }) => needed.some(model => prepared.get(id)?.vectors.has(model)))) {
        models.forget()
        throw new Error('the embedding model changed meanwhile')
      }
      for (const model of new Set(needed)) {
        await engine.setEmbeddings(tx, first.workspaceId, model, vectorsOf(memories, prepared, model))
        await engine.setPassages(tx, first.workspaceId, model, passagesOf(memories, prepared, model))
      }
      if (use?.target !== undefined) await note(tx, first.workspaceId, use.target, memories, prepared)
    },
    async finish(tx, memories, prepared) {
      const [first] = memories
      if (first) await relateWritten(tx, models, first.workspaceId, memories, prepared)
      const tokens = memories.reduce((sum, { id }) => sum + (prepared.get(id)?.tokens ?? 0), 0)
      if (first && tokens > 0) await usage.tokensIn(tx, first.workspaceId, 'embedding', tokens)
    },
  }
}

/** Memories without a vector of the active model are related when a later one comes near them. */
async function relateWritten(
  tx: Tx,
  models: EmbeddingModels,
  workspaceId: string,
  memories: readonly MemoryRecord[],
  prepared: ReadonlyMap<string, Embedded>,
): Promise<void> {
  const { active } = await models.use()
  const written = memories.filter(({ id }) => prepared.get(id)?.vectors.get(active.id))
  if (written.length > 0) await relateMemories(tx, workspaceId, active.id, written)
}

function storedOf(
  embeddings: readonly (readonly [ModelId, TextEmbedding | undefined])[],
): Pick<Embedded, 'vectors' | 'passages'> {
  const vectors = embeddings.map(
    ([model, one]) => [model, one instanceof EmbedderInputError ? null : (one?.vector ?? null)] as const,
  )
  const passages = embeddings.flatMap(([model, one]) => {
    const stored = storedPassages(one)
    return stored ? [[model, stored] as const] : []
  })
  return { vectors: new Map(vectors), passages: new Map(passages) }
}

function vectorsOf(
  memories: readonly MemoryRecord[],
  prepared: ReadonlyMap<string, Embedded>,
  model: ModelId,
): Map<string, Float32Array> {
  return new Map(
    memories.flatMap(({ id }) => {
      const vector = prepared.get(id)?.vectors.get(model)
      return vector ? [[id, vector] as const] : []
    }),
  )
}

function passagesOf(
  memories: readonly MemoryRecord[],
  prepared: ReadonlyMap<string, Embedded>,
  model: ModelId,
): Map<string, readonly EmbeddedPassage[]> {
  return new Map(
    memories.flatMap(({ id }) => {
      const passages = prepared.get(id)?.passages.get(model)
      return passages ? [[id, passages] as const] : []
    }),
  )
}

function note(
  tx: Tx,
  workspaceId: string,
  target: ModelId,
  memories: readonly MemoryRecord[],
  prepared: ReadonlyMap<string, Embedded>,
): Promise<void> {
  const made = memories.map(({ id }) => ({ id, vector: prepared.get(id)?.vectors.get(target) }))
  const idsOf = (list: typeof made) => list.map(({ id }) => id)
  return recordGaps(tx, workspaceId, target, {
    filled: idsOf(made.filter(({ vector }) => vector)),
    refused: idsOf(made.filter(({ vector }) => vector === null)),
    owed: idsOf(made.filter(({ vector }) => vector === undefined)),
  })
}

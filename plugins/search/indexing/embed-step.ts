import { EmbedderInputError, type Tenant, type Tx, type UsageMeter } from 'mneme/plugin'
import type { MemoryRecord, ProcessingStep } from '../../memories/contract.ts'
import { embedForWrite } from '../embedding/embed-texts.ts'
import type { TextEmbedding } from '../embedding/gaps.ts'
import { storeEmbedded } from '../embedding/gaps.ts'
import type { EmbeddingModels } from '../embedding/models.ts'
import { lockUseForWrite } from '../embedding/use-store.ts'
import type { ModelId, SearchEngine } from '../engine/engine.ts'
import { relateMemories } from './likeness.ts'

interface Embedded {
  /** Each model made this of the text. */
  readonly byModel: ReadonlyMap<ModelId, TextEmbedding>
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
        const byModel = new Map(
          [...made].flatMap(([model, texts]) => (texts[index] ? [[model, texts[index]] as const] : [])),
        )
        const all = [...byModel.values()]
        // During a re-embedding two models embed the text, but users pay for one.
        const embedding = all.find(one => !(one instanceof EmbedderInputError))
        if (!embedding || embedding instanceof EmbedderInputError) throw all[0]
        prepared.set(memory.id, { byModel, tokens: embedding.tokens })
      }
      return prepared
    },
    async write(tx, memories, prepared) {
      const [first] = memories
      if (!first) return
      const use = await lockUseForWrite(tx)
      const needed = [use?.active, use?.target].filter(model => model !== undefined)
      if (!memories.every(({ id }) => needed.some(model => prepared.get(id)?.byModel.has(model)))) {
        models.forget()
        throw new Error('the embedding model changed meanwhile')
      }
      for (const model of new Set(needed)) {
        const made = memories.map(({ id }) => [id, prepared.get(id)?.byModel.get(model)] as const)
        await storeEmbedded(tx, engine, first.workspaceId, model, made, model === use?.target)
      }
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
  const written = memories.filter(({ id }) => {
    const made = prepared.get(id)?.byModel.get(active.id)
    return made && !(made instanceof EmbedderInputError) && made.vector
  })
  if (written.length > 0) await relateMemories(tx, workspaceId, active.id, written)
}

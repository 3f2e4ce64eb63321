import type { Embedder } from '../../../core/models/embedder.ts'
import type { UsageMeter } from '../../../core/usage.ts'
import type { ProcessingStep } from '../../memories/contract.ts'
import type { EmbeddingModel } from '../embedding/models.ts'
import type { ModelId, SearchEngine } from '../engine/engine.ts'

/** What processing makes of one memory. */
interface Embedded {
  readonly model: ModelId
  readonly vector: Float32Array
}

/** Gives memories their vectors: from here on they are found by meaning. */
export function createEmbedStep(
  engine: SearchEngine,
  embedder: Embedder,
  model: EmbeddingModel,
  usage: UsageMeter,
): ProcessingStep<Embedded> {
  return {
    id: 'search.embed',
    order: 100,
    async prepare({ workspaceId }, memories) {
      const [id, embeddings] = await Promise.all([model.id(), embedder.embed(memories.map(memory => memory.text))])
      const prepared = new Map<string, Embedded>()
      for (const [index, memory] of memories.entries()) {
        const embedding = embeddings[index]
        if (!embedding) throw new Error('the embedder answered with fewer vectors than texts')
        usage.tokens(workspaceId, 'embedding', embedding.tokens)
        prepared.set(memory.id, { model: id, vector: embedding.vector })
      }
      return prepared
    },
    async write(tx, memories, prepared) {
      const [first] = memories
      const models = new Map<ModelId, Map<string, Float32Array>>()
      for (const { id } of memories) {
        const embedded = prepared.get(id)
        if (!embedded) continue
        const vectors = models.get(embedded.model) ?? new Map<string, Float32Array>()
        models.set(embedded.model, vectors.set(id, embedded.vector))
      }
      if (!first) return
      for (const [id, vectors] of models) await engine.setEmbeddings(tx, first.workspaceId, id, vectors)
    },
  }
}

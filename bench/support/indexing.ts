import type { Embedder, Embedding } from '../../core/models/embedder.ts'
import { type BenchService, processed } from './service.ts'

const BATCH = 100

/** Stores texts in batches. @returns how many a second are stored and processed */
export async function indexingRate(service: BenchService, texts: readonly string[]): Promise<number> {
  const startedAt = performance.now()
  for (const part of batches(texts)) {
    const memories = part.map(memory => ({ memory }))
    await service.call('POST', '/v1/memories/batch', { memories })
  }
  await processed(service)
  return (texts.length * 1000) / (performance.now() - startedAt)
}

/** Embeds texts as the processing of memories does, by the model alone. `rate` is texts a second. */
export async function embedAlone(
  embedder: Embedder,
  texts: readonly string[],
): Promise<{ rate: number; embeddings: Embedding[] }> {
  await embedder.embed(['warm up'])
  const embeddings: Embedding[] = []
  const startedAt = performance.now()
  for (const part of batches(texts)) embeddings.push(...(await embedder.embed(part, { passages: true })))
  return { rate: (texts.length * 1000) / (performance.now() - startedAt), embeddings }
}

function batches(texts: readonly string[]): string[][] {
  return Array.from({ length: Math.ceil(texts.length / BATCH) }, (_, n) => texts.slice(n * BATCH, (n + 1) * BATCH))
}

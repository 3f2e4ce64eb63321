import { createEmbedder } from '../../core/models/create-embedder.ts'
import type { OpenEmbedder } from '../../core/models/embedder.ts'
import { onEnd } from '../../test/support/closing.ts'

/** Embeds as the built-in model does. */
export type TextEmbedder = Pick<OpenEmbedder, 'embed' | 'dimensions'>

/** The built-in model, which embeds a text once however often it is asked for until `closeAll`: plain methods and peers share vectors. */
export async function openVectors(): Promise<TextEmbedder> {
  const embedder = await createEmbedder({ kind: 'local', queryCacheMax: 0, warn: message => console.warn(message) })
  onEnd(() => embedder.close())
  const known = new Map<string, Awaited<ReturnType<OpenEmbedder['embed']>>[number]>()
  return {
    dimensions: embedder.dimensions,
    async embed(texts, options) {
      const missing = [...new Set(texts.filter(text => !known.has(text)))]
      const embedded = missing.length > 0 ? await embedder.embed(missing, options) : []
      for (const [n, embedding] of embedded.entries()) known.set(missing[n] ?? '', embedding)
      return texts.flatMap(text => known.get(text) ?? [])
    },
  }
}

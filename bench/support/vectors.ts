import { closeSync, existsSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { EmbeddedPassage, Embedder, Embedding } from '../../core/models/embedder.ts'
import { storedPassages } from '../../plugins/search/embedding/gaps.ts'
import { randomFrom, variedText } from './varied-texts.ts'

/** Texts by number with their vectors: those of the first ones are as the model makes them, those of the others have some noise. */
export interface VectorSource {
  readonly modelId: string
  readonly dimensions: number
  text(n: number): string
  of(n: number): Float32Array
  /** The passages that the product stores of a text; none of a short one. */
  passagesOf(n: number): readonly EmbeddedPassage[]
}

/** Length of the noise beside a vector of length 1; it leaves a cosine of 0.89 to the original. */
const NOISE = 0.5
const BATCH = 32
/** Seeds of the noise differ between the passages of a text. */
const PASSAGES_MAX = 64

/** Makes a source of texts of which some were embedded. */
export function embeddedSource(
  { modelId, dimensions }: Embedder,
  text: (n: number) => string,
  embeddings: readonly Embedding[],
): VectorSource {
  const real = embeddings.length
  return {
    modelId,
    dimensions,
    text,
    of(n) {
      const vector = embeddings[n % real]?.vector
      if (!vector) throw new Error('a text has no vector')
      return n < real ? vector : withNoise(vector, n)
    },
    passagesOf: n =>
      (storedPassages(embeddings[n % real]) ?? []).map((passage, ordinal) => ({
        ...passage,
        vector: n < real ? passage.vector : withNoise(passage.vector, n * PASSAGES_MAX + ordinal),
      })),
  }
}

/** Embeds the first `real` varied texts, unless a file of an earlier run has them: 30,000 take about three minutes. */
export async function vectorSource(embedder: Embedder, real: number): Promise<VectorSource> {
  const { modelId, dimensions } = embedder
  const file = join(tmpdir(), `mneme-bench-${modelId.replace(/\W+/g, '-')}-${real}.f32`)
  if (!existsSync(file)) await embedTo(file, embedder, real)
  const bytes = readFileSync(file)
  const vectors = new Float32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 4)
  const original = (n: number) => vectors.subarray((n % real) * dimensions, ((n % real) + 1) * dimensions)
  return {
    modelId,
    dimensions,
    text: variedText,
    of: n => (n < real ? original(n) : withNoise(original(n), n)),
    passagesOf: () => [],
  }
}

async function embedTo(file: string, embedder: Embedder, real: number): Promise<void> {
  const unfinished = `${file}.${process.pid}`
  const output = openSync(unfinished, 'w')
  for (let from = 0; from < real; from += BATCH) {
    const texts = Array.from({ length: Math.min(BATCH, real - from) }, (_, n) => variedText(from + n))
    for (const { vector } of await embedder.embed(texts)) {
      if (!vector) throw new Error('a varied text has no vector')
      writeSync(output, new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength))
    }
  }
  closeSync(output)
  renameSync(unfinished, file)
}

function withNoise(vector: Float32Array, seed: number): Float32Array {
  const random = randomFrom(seed)
  // Box–Muller, so that the noise has no direction of its own.
  const normal = () => Math.sqrt(-2 * Math.log(random() + 1e-12)) * Math.cos(2 * Math.PI * random())
  const scale = NOISE / Math.sqrt(vector.length)
  const noisy = vector.map(value => value + scale * normal())
  const length = Math.hypot(...noisy)
  return noisy.map(value => value / length)
}

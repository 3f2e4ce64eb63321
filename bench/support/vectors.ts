import { closeSync, existsSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Embedder } from '../../core/models/embedder.ts'
import { randomFrom, variedText } from './varied-texts.ts'

/** Vectors of the varied texts: of the first ones as the model makes them, of the others those with some noise. */
export interface VectorSource {
  readonly modelId: string
  readonly dimensions: number
  of(n: number): Float32Array
}

/** Length of the noise beside a vector of length 1; it leaves a cosine of 0.89 to the original. */
const NOISE = 0.5
const BATCH = 32

/** Embeds the first `real` texts, unless a file of an earlier run has them: 30,000 take about three minutes. */
export async function vectorSource(embedder: Embedder, real: number): Promise<VectorSource> {
  const { modelId, dimensions } = embedder
  const file = join(tmpdir(), `mneme-bench-${modelId.replace(/\W+/g, '-')}-${real}.f32`)
  if (!existsSync(file)) await embedTo(file, embedder, real)
  const bytes = readFileSync(file)
  const vectors = new Float32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 4)
  const original = (n: number) => vectors.subarray((n % real) * dimensions, ((n % real) + 1) * dimensions)
  return { modelId, dimensions, of: n => (n < real ? original(n) : withNoise(original(n), n)) }
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

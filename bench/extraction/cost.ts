/**
 * Measures what reading a memory of 200 characters costs beyond its embedding, which is reused, and what the first text costs a server.
 *
 *   bun bench/extraction/cost.ts
 */

import { createEmbedder } from '../../core/models/create-embedder.ts'
import type { Embedder } from '../../core/models/embedder.ts'
import { noLanguageModel } from '../../core/models/language/language-model.ts'
import type { MemoryToExtract } from '../../plugins/graph/contract.ts'
import { openExtractor } from '../../plugins/graph/extraction/open-extractor.ts'
import { readHalf } from './labelled.ts'

const MEMORIES = 500
const CHARACTERS = 200
const WARM_UP = 50
const createdAt = new Date('2026-06-15T12:00:00Z')

const model = await createEmbedder({ kind: 'local', queryCacheMax: 0 })
await model.ready()
let embedded = 0
let embeddingMs = 0
const embedder: Embedder = {
  ...{ modelId: model.modelId, dimensions: model.dimensions },
  ready: () => model.ready(),
  async embed(texts, options) {
    const start = performance.now()
    const made = await model.embed(texts, options)
    embedded += texts.length
    embeddingMs += performance.now() - start
    return made
  },
}

const extractor = openExtractor({ language: noLanguageModel, embedder, log: console })
const signal = AbortSignal.timeout(600_000)
const memories: MemoryToExtract[] = []
for (const [i, text] of (await texts()).entries()) {
  const [embedding] = await model.embed([text])
  memories.push({ ...memoryOf(text, i), ...(embedding?.vector ? { vector: embedding.vector } : {}) })
}
// The embedder's own memory grows with the first texts.
const before = residentMb()
const first = await gapsDuring(() =>
  extractor.extract('bench', [memoryOf('Ada moved to Lisbon last year.', 0)], signal),
)
console.log(`first text    ${first.ms.toFixed(0)} ms, the event loop held for ${first.gapMs.toFixed(0)} ms at the most`)
const opened = residentMb()
embedded = 0
embeddingMs = 0
for (const memory of memories.slice(0, WARM_UP)) await extractor.extract('bench', [memory], signal)
const warm = { embedded, embeddingMs }
const took: number[] = []
for (const memory of memories.slice(WARM_UP)) {
  const embeddingBefore = embeddingMs
  const start = performance.now()
  await extractor.extract('bench', [memory], signal)
  took.push(performance.now() - start - (embeddingMs - embeddingBefore))
}
took.sort((a, b) => a - b)
const at = (share: number) => (took[Math.floor(share * (took.length - 1))] ?? Number.NaN).toFixed(2)
const mean = took.reduce((sum, ms) => sum + ms, 0) / took.length
console.log(`a memory      mean ${mean.toFixed(2)} ms, p50 ${at(0.5)}, p95 ${at(0.95)}, p99 ${at(0.99)}, most ${at(1)}`)
const sentences = embedded - warm.embedded
console.log(
  `sentences embedded apart: ${sentences} in ${took.length} memories, ${((embeddingMs - warm.embeddingMs) / took.length).toFixed(2)} ms a memory`,
)

const long = memories.map(({ text }) => text).join(' ')
const reading = await gapsDuring(() => extractor.extract('bench', [memoryOf(long.slice(0, 50_000), 0)], signal))
console.log(
  `50,000 characters  ${reading.ms.toFixed(0)} ms, the event loop held for ${reading.gapMs.toFixed(0)} ms at the most`,
)
console.log(`memory        ${before} MB before, ${opened} MB after the first text, ${residentMb()} MB at the end`)
await model.close()

function memoryOf(text: string, i: number): MemoryToExtract {
  return { id: `m${i}`, text, userId: 'user-1', createdAt }
}

/** Texts of the length, each of whole sentences as far as it goes. */
async function texts(): Promise<string[]> {
  const english = (await readHalf('dev')).filter(({ language }) => language === 'en').map(({ text }) => text)
  const made: string[] = []
  for (let text = '', i = 0; made.length < MEMORIES + WARM_UP; i++) {
    text = `${text} ${english[i % english.length]}`.trim()
    if (text.length < CHARACTERS) continue
    made.push(text.slice(0, CHARACTERS))
    text = ''
  }
  return made
}

/** The longest time in which the event loop made no turn. */
async function gapsDuring(work: () => Promise<unknown>): Promise<{ ms: number; gapMs: number }> {
  let gapMs = 0
  let over = false
  let last = performance.now()
  const turn = () => {
    const now = performance.now()
    gapMs = Math.max(gapMs, now - last)
    last = now
    if (!over) setImmediate(turn)
  }
  setImmediate(turn)
  const start = performance.now()
  await work()
  over = true
  const ms = performance.now() - start
  return { ms, gapMs: Math.max(gapMs, performance.now() - last) }
}

function residentMb(): number {
  return Math.round(process.memoryUsage.rss() / 1e6)
}

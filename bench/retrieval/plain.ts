/**
 * Plain methods on the folders that bench/retrieval/run.ts measures: `bun bench/retrieval/plain.ts --data FOLDER [--data FOLDER …]`.
 * Cosine by the built-in model, BM25 (k1 1.2, b 0.75) over lower-case words without stems, and the sum of both as z-scores.
 */
import { parseArgs } from 'node:util'
import { createEmbedder } from '../../core/models/create-embedder.ts'
import { DEPTH, measure, ranksOf } from '../../plugins/search/evaluation/measures.ts'
import { type Conversation, readConversations } from './corpus.ts'
import { type Asked, COLUMNS, figures, row } from './report.ts'

const METHODS = ['cosine', 'BM25', 'sum of z-scores'] as const
const K1 = 1.2
const B = 0.75

const { values: options } = parseArgs({ options: { data: { type: 'string', multiple: true } } })
if (!options.data) throw new Error('--data FOLDER is required')
const embedder = await createEmbedder({ kind: 'local', queryCacheMax: 0, warn: message => console.warn(message) })
for (const folder of options.data) await measureFolder(folder)
await embedder.close()

async function measureFolder(folder: string): Promise<void> {
  const asked = new Map<string, Asked[]>(METHODS.map(method => [method, []]))
  for (const conversation of await readConversations(folder)) {
    const vectors = await embed(conversation.turns.map(({ text }) => text))
    const words = new WordIndex(conversation.turns.map(({ text }) => text))
    for (const question of conversation.questions) {
      const [query = new Float32Array()] = await embed([question.question])
      const cosines = vectors.map(vector => dot(query, vector))
      const scores = words.scores(question.question)
      const sum = add(standardised(cosines), standardised(scores))
      for (const [method, of] of [cosines, scores, sum].entries()) {
        asked.get(METHODS[method] ?? '')?.push(judged(conversation, question, of))
      }
    }
  }
  console.log(`\n${row(folder, 'n', COLUMNS)}`)
  for (const [method, all] of asked) {
    console.log(
      row(
        method,
        String(all.length),
        figures(all).map(figure => figure.toFixed(4)),
      ),
    )
  }
}

function judged(
  { name, turns }: Conversation,
  { category, evidence }: Conversation['questions'][number],
  scores: readonly number[],
): Asked {
  const best = turns.map(({ id }, n) => ({ id, score: scores[n] ?? 0 })).toSorted((a, b) => b.score - a.score)
  const found = best.slice(0, DEPTH).map(({ id }) => id)
  return {
    file: name,
    category: category === undefined ? undefined : String(category),
    found,
    measures: measure(ranksOf(found, evidence)),
  }
}

async function embed(texts: readonly string[]): Promise<Float32Array[]> {
  const embedded = await embedder.embed(texts)
  return embedded.map(({ vector }) => vector ?? new Float32Array(embedder.dimensions))
}

class WordIndex {
  readonly #counts: readonly ReadonlyMap<string, number>[]
  readonly #lengths: readonly number[]
  readonly #documents = new Map<string, number>()

  constructor(texts: readonly string[]) {
    const all = texts.map(wordsOf)
    this.#lengths = all.map(words => words.length)
    this.#counts = all.map(words => {
      const counts = new Map<string, number>()
      for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)
      return counts
    })
    for (const counts of this.#counts) {
      for (const word of counts.keys()) this.#documents.set(word, (this.#documents.get(word) ?? 0) + 1)
    }
  }

  scores(query: string): number[] {
    const average = this.#lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, this.#lengths.length)
    const words = [...new Set(wordsOf(query))]
    return this.#counts.map((counts, n) => {
      const relativeLength = 1 - B + (B * (this.#lengths[n] ?? 0)) / average
      return words.reduce((score, word) => {
        const frequency = counts.get(word) ?? 0
        const documents = this.#documents.get(word) ?? 0
        const weight = Math.log(1 + (this.#counts.length - documents + 0.5) / (documents + 0.5))
        return score + (weight * frequency * (K1 + 1)) / (frequency + K1 * relativeLength)
      }, 0)
    })
  }
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? []
}

function dot(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, n) => sum + value * (b[n] ?? 0), 0)
}

function add(a: readonly number[], b: readonly number[]): number[] {
  return a.map((value, n) => value + (b[n] ?? 0))
}

function standardised(values: readonly number[]): number[] {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  const deviation = Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length)
  return values.map(value => (deviation > 0 ? (value - mean) / deviation : 0))
}

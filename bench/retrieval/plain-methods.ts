import { DEPTH, measure, ranksOf } from '../../plugins/search/evaluation/evaluate.ts'
import type { Conversation } from './corpus.ts'
import type { Asked } from './report.ts'
import type { TextEmbedder } from './vectors.ts'

const K1 = 1.2
const B = 0.75
/** Reciprocal rank fusion adds this to each rank. */
const FUSION = 60
/** Characters of a beginning, about what the built-in model reads at once. */
const BEGINNING = 900
const PASSAGE = 600

/**
 * Asks all questions by each plain method: cosine by the built-in model, BM25 (k1 1.2, b 0.75) over lower-case words without stems, and
 * their sums. Texts that are long are also taken by their beginnings and by their passages.
 */
export async function askPlain(
  conversations: readonly Conversation[],
  embedder: TextEmbedder,
): Promise<ReadonlyMap<string, Asked[]>> {
  const asked = new Map<string, Asked[]>()
  for (const conversation of conversations) {
    const scores = await openFile(conversation, embedder)
    for (const question of conversation.questions) {
      for (const [method, of] of Object.entries(await scores(question.question))) {
        const all = asked.get(method) ?? []
        asked.set(method, all)
        all.push(judged(conversation, question, of))
      }
    }
  }
  return asked
}

/** Reads a file's texts; the function scores all of them for a question by each method. */
async function openFile(
  { turns }: Conversation,
  embedder: TextEmbedder,
): Promise<(question: string) => Promise<Record<string, number[]>>> {
  const texts = turns.map(({ text }) => text)
  const beginnings = texts.map(text => text.slice(0, BEGINNING))
  const vectors = await embed(embedder, texts)
  const begun = await embed(embedder, beginnings)
  const passages = await Promise.all(texts.map(text => embed(embedder, passagesOf(text))))
  const words = new WordIndex(texts)
  const begunWords = new WordIndex(beginnings)
  return async question => {
    const [query = new Float32Array()] = await embed(embedder, [question])
    const cosine = vectors.map(vector => dot(query, vector))
    const ofBeginnings = begun.map(vector => dot(query, vector))
    const bm25 = words.scores(question)
    return {
      cosine,
      [`cosine of the first ${BEGINNING}`]: ofBeginnings,
      [`best passage of ${PASSAGE}`]: passages.map(all => Math.max(...all.map(vector => dot(query, vector)))),
      BM25: bm25,
      'reciprocal rank fusion': fused(cosine, bm25),
      'sum of z-scores': add(standardised(cosine), standardised(bm25)),
      [`sum, both of the first ${BEGINNING}`]: add(
        standardised(ofBeginnings),
        standardised(begunWords.scores(question)),
      ),
    }
  }
}

function passagesOf(text: string): string[] {
  const count = Math.max(1, Math.ceil(text.length / PASSAGE))
  return Array.from({ length: count }, (_, n) => text.slice(n * PASSAGE, (n + 1) * PASSAGE))
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

async function embed(embedder: TextEmbedder, texts: readonly string[]): Promise<Float32Array[]> {
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

/** Reciprocal rank fusion (Cormack, Clarke and Büttcher 2009). */
function fused(...lists: readonly (readonly number[])[]): number[] {
  return lists.map(scores => reciprocalRanks(scores)).reduce(add)
}

function reciprocalRanks(scores: readonly number[]): number[] {
  const ranks = new Array<number>(scores.length)
  const best = scores.map((score, n) => ({ score, n })).toSorted((a, b) => b.score - a.score)
  for (const [rank, { n }] of best.entries()) ranks[n] = 1 / (FUSION + rank + 1)
  return ranks
}

function standardised(values: readonly number[]): number[] {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  const deviation = Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length)
  return values.map(value => (deviation > 0 ? (value - mean) / deviation : 0))
}

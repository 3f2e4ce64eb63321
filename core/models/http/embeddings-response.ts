import { unitVector } from '../unit-vector.ts'
import { parseJson } from './post-json.ts'

export interface Embeddings {
  /** In the order of the inputs, of length 1, all of one dimension. */
  readonly vectors: readonly Float32Array[]
  /** Counts the tokens of the whole batch, where the endpoint says so. */
  readonly tokens: number | undefined
}

/**
 * Returns undefined when the text is not a complete response for `count` inputs, and `bad-vector` when it is one but for
 * a vector of zeros or without numbers, as models that fail at one text have it.
 */
export function parseEmbeddings(text: string, count: number): Embeddings | 'bad-vector' | undefined {
  const body = parseJson(text)
  const { data, usage } = Object(body)
  if (!Array.isArray(data) || data.length !== count) return undefined
  const vectors = new Map<number, Float32Array | undefined>()
  for (const [position, item] of data.entries()) {
    // `index` gives the order; a few servers leave it out and keep to the order of the inputs.
    const { index = position, embedding } = Object(item)
    if (!Number.isInteger(index) || index < 0 || index >= count) return undefined
    vectors.set(index, isNumbers(embedding) ? unitVector(embedding) : undefined)
  }
  if (vectors.size !== count) return undefined
  const ordered = [...vectors].sort(([a], [b]) => a - b).flatMap(([, vector]) => vector ?? [])
  const dimensions = ordered[0]?.length
  if (ordered.some(vector => vector.length !== dimensions)) return undefined
  if (ordered.length !== count) return 'bad-vector'
  const tokens: unknown = Object(usage).prompt_tokens
  return { vectors: ordered, tokens: Number.isSafeInteger(tokens) && Number(tokens) > 0 ? Number(tokens) : undefined }
}

/**
 * Splits a batch's tokens among its inputs, in proportion to their lengths: one each (no input has none), the rest
 * by cumulative rounding, so that the parts add up to the whole.
 */
export function spreadTokens(total: number, lengths: readonly number[]): number[] {
  const each = total >= lengths.length ? 1 : 0
  const rest = total - each * lengths.length
  const sum = lengths.reduce((a, b) => a + b, 0) || 1
  let covered = 0
  let given = 0
  return lengths.map(length => {
    covered += length
    const due = Math.round((rest * covered) / sum)
    const part = due - given
    given = due
    return each + part
  })
}

function isNumbers(value: unknown): value is number[] {
  return Array.isArray(value) && value.length > 0 && value.every(item => typeof item === 'number')
}

import { unitVector } from '../unit-vector.ts'

/** 2,048 vectors of 3,072 numbers take about 130 MB of JSON; a batch of ours is far below this. */
const ANSWER_BYTES_MAX = 64 * 1024 * 1024

export interface Embeddings {
  /** In the order of the inputs, of length 1, all of one dimension. */
  readonly vectors: readonly Float32Array[]
  /** Counts the tokens of the whole batch, where the endpoint says so. */
  readonly tokens: number | undefined
}

/**
 * Reads the body as text.
 * @throws Error when it is larger than a batch can be
 */
export async function readBounded(response: Response, bytesMax = ANSWER_BYTES_MAX): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length
    if (bytes > bytesMax) throw new Error('the response is too large')
    text += decoder.decode(chunk, { stream: true })
  }
  return text + decoder.decode()
}

/** Returns undefined when the text is not a complete response for `count` inputs. */
export function parseEmbeddings(text: string, count: number): Embeddings | undefined {
  const body = parseJson(text)
  const { data, usage } = Object(body)
  if (!Array.isArray(data) || data.length !== count) return undefined
  const vectors = new Map<number, Float32Array>()
  for (const [position, item] of data.entries()) {
    // `index` gives the order; a few servers leave it out and keep to the order of the inputs.
    const { index = position, embedding } = Object(item)
    const vector = isNumbers(embedding) ? unitVector(embedding) : undefined
    if (!vector || !Number.isInteger(index) || index < 0 || index >= count) return undefined
    vectors.set(index, vector)
  }
  const ordered = [...vectors].sort(([a], [b]) => a - b).map(([, vector]) => vector)
  const dimensions = ordered[0]?.length
  if (ordered.length !== count || ordered.some(vector => vector.length !== dimensions)) return undefined
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

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function isNumbers(value: unknown): value is number[] {
  return Array.isArray(value) && value.length > 0 && value.every(item => typeof item === 'number')
}

// Single tokens in their place, beside the vector of a whole text. Of a text's tokens only the signs are told, a bit a dimension: 48 bytes for 384.

/** The tokens of a text that asks, in its order, without those that mark its ends. */
export interface QueryTokens {
  /** A rare token counts more. */
  readonly weights: Float32Array
  /** The vectors one after another, each of length 1. */
  readonly vectors: Float32Array
}

/** Further tokens of a query are left out. */
const QUERY_TOKENS_MAX = 32

/** The vocabulary of BERT (Devlin et al. 2019) has the words from this one on, ordered by how often they occur. */
const FIRST_WORD = 1996

/** The logarithm of a frequency falls with that of its place (Zipf 1935), as the weight of a word in an index does. */
function rarity(id: number): number {
  return Math.log(1 + Math.max(1, id - FIRST_WORD + 1))
}

/** Reads the tokens of a query from a pass over it. */
export function queryTokensOf(ids: Int32Array, states: Float32Array): QueryTokens {
  const dimensions = states.length / ids.length
  const count = Math.min(QUERY_TOKENS_MAX, ids.length - 2)
  const vectors = states.slice(dimensions, (1 + count) * dimensions)
  for (let at = 0; at < vectors.length; at += dimensions) {
    const one = vectors.subarray(at, at + dimensions)
    const length = Math.sqrt(one.reduce((sum, value) => sum + value * value, 0))
    for (const [index, value] of one.entries()) one[index] = value / length
  }
  return { weights: Float32Array.from(ids.subarray(1, 1 + count), rarity), vectors }
}

/** Reads the signs of a text's tokens from a pass over it: eight dimensions a byte, the first in the lowest bit. */
export function tokenSignsOf(ids: Int32Array, states: Float32Array): Uint8Array {
  const dimensions = states.length / ids.length
  const signs = new Uint8Array(((ids.length - 2) * dimensions) / 8)
  for (let at = 0; at < signs.length * 8; at++) {
    if ((states[dimensions + at] ?? 0) >= 0) signs[at >> 3] = (signs[at >> 3] ?? 0) | (1 << (at & 7))
  }
  return signs
}

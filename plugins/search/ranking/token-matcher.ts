import type { QueryTokens } from '../engine/engine.ts'

/**
 * Late interaction (Khattab and Zaharia, "ColBERT", 2020): each token of a query looks for the token of a text that is nearest to it in its
 * place. Of a text only the signs of its tokens' vectors are known, whose product with the query's estimates the cosine.
 */
export class TokenMatcher {
  readonly #weights: Float32Array
  /** Bytes that hold one token of a text. */
  readonly #width: number
  /** By token of the query, byte and its value: the sum of the eight dimensions with these signs. */
  readonly #sums: Float32Array

  constructor({ weights, vectors }: QueryTokens) {
    const dimensions = vectors.length / weights.length
    // The product of a unit vector and the signs of another is this many times their cosine, on average.
    const scale = Math.sqrt((2 * dimensions) / Math.PI)
    this.#weights = weights
    this.#width = dimensions / 8
    this.#sums = new Float32Array(weights.length * this.#width * 256)
    const scaled = vectors.map(value => value / scale)
    for (let byte = 0; byte < weights.length * this.#width; byte++) this.#fill(byte, scaled)
  }

  /**
   * The weighted mean over the query's tokens of about the best cosine with one of each text, in the order of the texts. A token that all of
   * them are like tells none from the others, and so counts less.
   */
  likenesses(texts: readonly Uint8Array[]): number[] {
    const bests = texts.map(signs => this.#weights.map((_, token) => this.#best(token, signs)))
    const weights = this.#weights.map(
      (weight, token) =>
        weight * Math.max(0, 1 - bests.reduce((sum, best) => sum + (best[token] ?? 0), 0) / texts.length),
    )
    const total = weights.reduce((sum, weight) => sum + weight, 0)
    return bests.map(
      best => best.reduce((sum, cosine, token) => sum + cosine * (weights[token] ?? 0), 0) / (total || 1),
    )
  }

  #best(token: number, signs: Uint8Array): number {
    const [sums, width] = [this.#sums, this.#width]
    const first = token * width * 256
    let best = signs.length === 0 ? 0 : Number.NEGATIVE_INFINITY
    for (let at = 0; at < signs.length; at += width) {
      let sum = 0
      for (let byte = 0; byte < width; byte++) sum += sums[first + byte * 256 + (signs[at + byte] ?? 0)] ?? 0
      if (sum > best) best = sum
    }
    return best
  }

  /** Each value of a byte has one bit more than a smaller one, whose sum is known. */
  #fill(byte: number, vectors: Float32Array): void {
    const [from, sums] = [byte * 256, this.#sums]
    for (let bit = 0; bit < 8; bit++) sums[from] = (sums[from] ?? 0) - (vectors[byte * 8 + bit] ?? 0)
    for (let value = 1; value < 256; value++) {
      const bit = 31 - Math.clz32(value)
      sums[from + value] = (sums[from + value - (1 << bit)] ?? 0) + 2 * (vectors[byte * 8 + bit] ?? 0)
    }
  }
}

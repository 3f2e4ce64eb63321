import { expect, test } from 'bun:test'
import { TokenMatcher } from './token-matcher.ts'

const DIMENSIONS = 384

/** Vectors of length 1 that lie all over the sphere, the same in each run. */
function vectorsOf(count: number, seed: number): Float32Array {
  let state = seed
  const next = () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31
    return state / 2 ** 31
  }
  const gauss = () => Math.sqrt(-2 * Math.log(next() + 1e-9)) * Math.cos(2 * Math.PI * next())
  const vectors = Float32Array.from({ length: count * DIMENSIONS }, gauss)
  for (let at = 0; at < vectors.length; at += DIMENSIONS) {
    const length = Math.hypot(...vectors.subarray(at, at + DIMENSIONS))
    for (let n = at; n < at + DIMENSIONS; n++) vectors[n] = (vectors[n] ?? 0) / length
  }
  return vectors
}

function signsOf(vectors: Float32Array): Uint8Array {
  const signs = new Uint8Array(vectors.length / 8)
  for (const [at, value] of vectors.entries()) if (value >= 0) signs[at >> 3] = (signs[at >> 3] ?? 0) | (1 << (at & 7))
  return signs
}

const QUERY = vectorsOf(3, 1)
const token = (n: number) => QUERY.slice(n * DIMENSIONS, (n + 1) * DIMENSIONS)
const noise = (seed: number) => vectorsOf(4, seed)
const text = (...vectors: Float32Array[]) => signsOf(Float32Array.from(vectors.flatMap(vector => [...vector])))
const matcher = new TokenMatcher({ weights: Float32Array.of(1, 1, 2), vectors: QUERY })

test('estimates the cosine of each token with its nearest one', () => {
  const [same = 0, other = 0] = matcher.likenesses([text(QUERY), text(vectorsOf(1, 99))])
  expect(same).toBeCloseTo(1, 1)
  expect(Math.abs(other)).toBeLessThan(0.1)
})

test('tokens count by their weights, wherever the text has them', () => {
  const [none = 0, light = 0, heavy = 0] = matcher.likenesses([
    text(noise(77)),
    text(noise(77), token(0)),
    text(noise(77), token(2)),
  ])
  expect(light - none).toBeGreaterThan(0.15)
  expect(heavy - none).toBeGreaterThan(1.5 * (light - none))
})

test('a token that every text has counts little', () => {
  const [shared = 0, both = 0] = matcher.likenesses([text(noise(5), token(2)), text(noise(6), token(2), token(0))])
  const [alone = 0, without = 0] = matcher.likenesses([text(noise(5), token(2)), text(noise(6))])
  expect(alone - without).toBeGreaterThan(0.2)
  expect(both - shared).toBeGreaterThan(0.2)
})

test('a text without tokens is like nothing', () => {
  expect(matcher.likenesses([new Uint8Array(), text(QUERY)])[0]).toBe(0)
})

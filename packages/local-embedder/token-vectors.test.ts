import { expect, test } from 'bun:test'
import { queryTokensOf, tokenSignsOf } from './token-vectors.ts'

// Two tokens of eight dimensions between those that mark the ends.
const IDS = Int32Array.of(101, 1996, 20_000, 102)
const STATES = Float32Array.from([
  ...[9, 9, 9, 9, 9, 9, 9, 9],
  ...[3, -4, 0, 0, 0, 0, 0, 0],
  ...[-1, 1, -1, 1, -1, 1, -1, 1],
  ...[9, 9, 9, 9, 9, 9, 9, 9],
])

test("a text's tokens are the signs of their vectors, the first dimension in the lowest bit", () => {
  expect([...tokenSignsOf(IDS, STATES)]).toEqual([0b1111_1101, 0b1010_1010])
})

test("a query's tokens are vectors of length 1, and the rare one counts more", () => {
  const { weights, vectors } = queryTokensOf(IDS, STATES)
  expect([...vectors.subarray(0, 8)].map(value => Math.round(value * 10) / 10)).toEqual([0.6, -0.8, 0, 0, 0, 0, 0, 0])
  expect(Math.hypot(...vectors.subarray(8))).toBeCloseTo(1, 5)
  expect(weights[1]).toBeGreaterThan(10 * (weights[0] ?? 0))
})

test('a long query keeps its first 32 tokens', () => {
  const ids = Int32Array.from({ length: 60 }, () => 2000)
  const { weights, vectors } = queryTokensOf(ids, new Float32Array(60 * 8).fill(1))
  expect([weights.length, vectors.length]).toEqual([32, 32 * 8])
})

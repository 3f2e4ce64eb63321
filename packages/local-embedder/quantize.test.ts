import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { quantizedMatrix, quantizeInto } from './quantize.ts'

const INPUTS = 5
/** The stored weights are half-precision, so nothing is nearer to zero than 6e-8. */
const halfFloat = fc.double({ min: -4, max: 4, noNaN: true }).map(Math.f16round)
const matrix = (rows: number) => fc.array(halfFloat, { minLength: rows * INPUTS, maxLength: rows * INPUTS })

test('two matrices side by side come back within half a step, transposed, and never past 7 bits', () => {
  fc.assert(
    fc.property(matrix(18), matrix(3), (first, second) => {
      const target = quantizedMatrix(INPUTS, 21)
      quantizeInto(target, Float32Array.from(first), INPUTS, 0)
      quantizeInto(target, Float32Array.from(second), INPUTS, 18)
      const weights = [...first, ...second]
      for (const [at, weight] of weights.entries()) {
        const output = Math.floor(at / INPUTS)
        const scale = target.scales[output] ?? Number.NaN
        const value = target.values[(at % INPUTS) * 21 + output] ?? Number.NaN
        expect(Math.abs(value)).toBeLessThanOrEqual(63)
        expect(Math.abs(value * scale - weight)).toBeLessThanOrEqual(scale * 0.501)
      }
    }),
  )
})

test('a row of zeros stays zero', () => {
  const target = quantizedMatrix(INPUTS, 1)
  quantizeInto(target, new Float32Array(INPUTS), INPUTS, 0)
  expect([...target.values]).toEqual([0, 0, 0, 0, 0])
  expect(target.scales[0]).toBe(1)
})

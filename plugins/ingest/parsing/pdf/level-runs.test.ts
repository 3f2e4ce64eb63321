import { describe, expect, test } from 'bun:test'
import { pdfInCMap, pdfOfOperators, textOf } from '../fixtures.test-support.ts'

/** Lines whose baselines have this angle, in degrees, each of words that are placed one by one. */
function linesAt(degrees: number, lines: readonly string[], [x, y] = [300, 400]): string {
  const radians = (degrees * Math.PI) / 180
  const [cos, sin] = [Math.cos(radians), Math.sin(radians)]
  // A number of a PDF has no exponent.
  const numbers = (...values: readonly number[]) => values.map(value => value.toFixed(4)).join(' ')
  const place = (along: number, down: number) => [x + along * cos + down * sin, y + along * sin - down * cos]
  const words = lines.flatMap((line, n) => {
    const before = (index: number) => line.slice(0, index).length * 5.5
    return [...line.matchAll(/\S+/g)].map(
      ({ 0: word, index }) => `${numbers(cos, sin, -sin, cos, ...place(before(index), n * 14))} Tm (${word}) Tj`,
    )
  })
  return `BT /F1 11 Tf ${words.join(' ')} ET`
}

const LINES = ['Ghent Bruges Leuven', 'lie in Flanders,', 'as Antwerp does.']
const READ = 'Ghent Bruges Leuven lie in Flanders, as Antwerp does.'

describe('lines of a PDF', () => {
  test.each([0, 90, 180, 270, 1.5, 88.5, 45])('with baselines at %d degrees are read along them', async degrees => {
    expect((await textOf('PDF', pdfOfOperators([linesAt(degrees, LINES)]))).replace(/\s+/g, ' ')).toBe(READ)
  })

  test('in a direction of their own come behind those of most letters', async () => {
    const stamp = linesAt(90, ['A stamp', 'of two lines.'], [30, 300])
    const read = (await textOf('PDF', pdfOfOperators([stamp + linesAt(0, LINES)]))).replace(/\s+/g, ' ')
    expect(read).toBe(`${READ} A stamp of two lines.`)
  })

  test('of vertical writing are read downwards, from the right', async () => {
    // Two lines, of two letters and of one.
    const codes = '65E5672C> Tj -20 0 Td <8A9E'
    expect(await textOf('PDF', pdfInCMap('UniJIS-UCS2-V', 'Japan1', codes))).toBe('日本語')
  })
})

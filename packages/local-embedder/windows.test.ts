import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { PASSAGES_MAX, WINDOWS_MAX, windowRanges } from './windows.ts'

const TOKENS_MAX = 10
/** The words have one to six tokens, fewer in all than WINDOWS_MAX windows hold. */
const shortText = fc
  .array(fc.integer({ min: 1, max: 6 }), { maxLength: 25 })
  .map(words => words.flatMap(length => ['word', ...Array<string>(length - 1).fill('##part')]))

describe('windowRanges', () => {
  test('covers a text without gap or overlap, in windows that fit and begin at a word', () => {
    fc.assert(
      fc.property(shortText, tokens => {
        const ranges = windowRanges(tokens, TOKENS_MAX, false)
        fc.pre(ranges.length < WINDOWS_MAX)
        expect(ranges.flatMap(({ start, end }) => tokens.slice(start, end))).toEqual(tokens)
        for (const { start, end } of ranges) {
          expect(end - start).toBeLessThanOrEqual(TOKENS_MAX)
          expect(tokens[start]).toBe('word')
        }
      }),
    )
  })

  test('leaves no stump: windows of single-token words differ by one token at most', () => {
    const sizes = windowRanges(Array<string>(31).fill('word'), TOKENS_MAX, false).map(({ start, end }) => end - start)
    expect(sizes).toEqual([8, 8, 8, 7])
  })

  test('cuts a word that is longer than a window', () => {
    const tokens = ['word', ...Array<string>(24).fill('##part')]
    expect(windowRanges(tokens, TOKENS_MAX, false).map(({ end }) => end)).toEqual([9, 17, 25])
  })

  test('samples a text of many windows from its first to its last', () => {
    const ranges = windowRanges(Array<string>(10_000).fill('word'), TOKENS_MAX, false)
    expect(ranges).toHaveLength(WINDOWS_MAX)
    expect(ranges[0]?.start).toBe(0)
    expect(ranges.at(-1)?.end).toBe(10_000)
  })

  test.each([
    [150, 15],
    [500, 50],
    [10_000, PASSAGES_MAX],
  ])('passages of %i tokens are %i windows, and the whole is made of the same as without them', (length, count) => {
    const tokens = Array<string>(length).fill('word')
    const ranges = windowRanges(tokens, TOKENS_MAX, true)
    expect(ranges).toHaveLength(count)
    expect(ranges.filter(({ ofWhole }) => ofWhole)).toEqual(windowRanges(tokens, TOKENS_MAX, false))
    expect(ranges.map(({ start }) => start)).toEqual(ranges.map(({ start }) => start).sort((a, b) => a - b))
  })

  test('gives a text without tokens no window', () => {
    expect(windowRanges([], TOKENS_MAX, false)).toEqual([])
  })
})

import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { textOf } from '../fixtures.test-support.ts'
import { line, lines, ORDERS, OTHERS, PAGES, PROSE, pdfOf, RESULTS, table, widthOf } from './drawn.test-support.ts'

describe('the text of a PDF', () => {
  for (const [what, words] of Object.entries(PAGES)) {
    test(`does not depend on the order in which ${what} was drawn`, async () => {
      const read = await textOf('PDF', await pdfOf(words))
      for (const [name, order] of Object.entries(ORDERS))
        expect([name, await textOf('PDF', await pdfOf(order(words)))]).toEqual([name, read])
      const any = fc.shuffledSubarray([...words], { minLength: words.length })
      await fc.assert(
        fc.asyncProperty(any, fc.boolean(), async (shuffled, isTurned) => {
          expect(await textOf('PDF', await pdfOf(shuffled, isTurned))).toBe(read)
        }),
        { numRuns: 12 },
      )
    })
  }

  test('has each value in the row of its name, and columns of prose one after the other', async () => {
    const results = await textOf('PDF', await pdfOf(ORDERS['from right to left']?.(table(RESULTS, 700)) ?? []))
    expect(results.split('\n')).toEqual(RESULTS.map(row => row.join('; ')))
    const prose = await textOf('PDF', await pdfOf(PAGES['two columns of prose']?.toReversed() ?? []))
    expect(prose.replace(/\s+/g, ' ')).toBe([...PROSE, ...OTHERS].join(' '))
  })

  test.each([
    ['numbers', ['1', '100', '200', '25']],
    ['signs', ['+', '17', '%', '(3)']],
    ['sums and dates', ['2026-07-01', '12,50', '€', '-3']],
  ])('without a letter runs to the right: %s', async (_, row) => {
    const words = table([row, row], 700)
    for (const order of Object.values(ORDERS)) {
      expect((await textOf('PDF', await pdfOf(order(words)))).split('\n')).toEqual([row.join('; '), row.join('; ')])
    }
  })

  test('has cells that are wrapped whole, also where the cells beside them stand at half their height', async () => {
    const rows = (top: number, long: readonly string[], short: string) => [
      ...lines(long, 60, top),
      ...line(short, 400, top - 7),
    ]
    const words = [
      ...rows(
        700,
        ['a lock that was opened when the town had too many ships for', 'the one beside the old mill'],
        '1907',
      ),
      ...rows(660, ['a bridge that turns, of which the wheels were made in a yard', 'near the castle'], '1912'),
    ]
    expect((await textOf('PDF', await pdfOf(words))).split('\n')).toEqual([
      'a lock that was opened when the town had too many ships for the one beside the old mill; 1907',
      'a bridge that turns, of which the wheels were made in a yard near the castle; 1912',
    ])
  })
})

describe('a large letter before a text', () => {
  const texts = [...PROSE.slice(0, 3), ...OTHERS.slice(1, 3)]
  const whole = `The ${texts.join(' ')}`

  test.each([
    ['two', 28, 14],
    ['three', 48, 28],
  ])('as high as %s of its lines begins the first of them', async (_, size, down) => {
    const words = texts.flatMap((text, n) => {
      const x = n * 14 <= down ? 60 + size * 0.7 : 60
      return line(n === 0 ? `he ${text}` : text, x, 700 - n * 14)
    })
    const cap = { text: 'T', x: 60, y: 700 - down, size }
    for (const drawn of [
      [cap, ...words],
      [...words, cap],
    ]) {
      expect((await textOf('PDF', await pdfOf(drawn))).replace(/\s+/g, ' ')).toBe(whole)
    }
  })

  test('stays by itself where one line is beside it', async () => {
    const read = await textOf(
      'PDF',
      await pdfOf([{ text: 'T', x: 60, y: 686, size: 28 }, ...line('he mayor', 82, 700)]),
    )
    expect(read).not.toContain('The')
  })
})

describe('letters that are drawn twice', () => {
  const words = ['PAYMENT DUE', 'Bill of till filling, illicit', 'bookkeeper 1100'].flatMap((text, n) =>
    line(text, 60, 700 - n * 40),
  )
  const letters = words.flatMap(({ text, x, y }) =>
    [...text].map((letter, n) => ({ text: letter, x: x + widthOf(text.slice(0, n)), y })),
  )

  test.each([
    ['word by word', words, [0, 0.3]],
    ['letter by letter', letters, [0, 0.3]],
    ['three times', letters, [0, 0.2, 0.4]],
    ['with a shadow', words, [0, 0.8]],
  ])('are one: %s', async (_, drawn, copies) => {
    const plain = await textOf('PDF', await pdfOf(words))
    expect(plain).toContain('bookkeeper 1100')
    expect(await textOf('PDF', await pdfOf(drawn, false, copies))).toBe(plain)
    expect(await textOf('PDF', await pdfOf([...drawn, ...drawn.map(one => ({ ...one, x: one.x + 0.3 }))]))).toBe(plain)
    expect(await textOf('PDF', await pdfOf([...words, ...drawn]))).toBe(plain)
  })
})

import { describe, expect, test } from 'bun:test'
import { textOf } from '../fixtures.test-support.ts'
import { type Drawn, line, ORDERS, PROSE, pdfOf, pdfOfPages, table, widthOf } from './drawn.test-support.ts'

const rowsOf = async (words: readonly Drawn[]) => (await textOf('PDF', await pdfOf(words))).split(/\n+/)

const RIGHTS = [110, 200, 290, 380, 470]

/** A table whose cells end where their columns do. */
function toTheRight(rows: readonly (readonly string[])[], top: number): Drawn[] {
  return rows.flatMap((row, n) =>
    row.flatMap((cell, column) => line(cell, (RIGHTS[column] ?? 0) - widthOf(cell), top - n * 16)),
  )
}

describe('an empty cell of a table in a PDF', () => {
  test.each([
    [
      'of an invoice',
      [
        ['Item', 'Qty', 'Discount', 'Tax', 'Total'],
        ['Chair', '2', '', '38.00', '238.00'],
        ['Desk', '1', '10%', '', '180.00'],
        ['Lamp', '', '5%', '', '19.00'],
      ],
      toTheRight,
    ],
    [
      'of a week',
      [
        ['Task', 'Mon', 'Tue', 'Wed'],
        ['Front desk', 'Ana', '', 'Ben'],
        ['Archive', '', 'Dora'],
        ['Yard', '', '', 'Ana'],
      ],
      table,
    ],
    [
      'below names that are narrower than the values',
      [
        ['Room', 'a', 'b', 'c'],
        ['Single', '1000000', '2000000', '3000000'],
        ['Double', '', '', '9'],
        ['Suite', '5000000', '', '7000000'],
      ],
      (rows: readonly (readonly string[])[], top: number) => [
        ...table(rows.slice(0, 1), top),
        ...rows
          .slice(1)
          .flatMap((row, n) =>
            row.flatMap((cell, column) => line(cell, 110 + column * 130 - widthOf(cell), top - 16 - n * 16)),
          ),
      ],
    ],
  ])('keeps its place: %s', async (_, rows, drawn) => {
    const expected = rows.map(cells => cells.join('; '))
    expect(await rowsOf(drawn(rows, 700))).toEqual(expected)
    expect(await rowsOf(ORDERS['column by column']?.(drawn(rows, 700)) ?? [])).toEqual(expected)
  })

  test('keeps it on the next page, where the names of the columns are not told again', async () => {
    const names = ['Date', 'Details', 'Paid out', 'Paid in']
    const pages = [7, 11, 23].map(n => [
      [`${n} August`, `Rent ${n * 3}`, `${n},40`],
      [`${n} August`, `Salary ${n * 5}`, '', `${n},70`],
    ])
    const bytes = await pdfOfPages(pages.map(rows => table([names, ...rows], 760)))
    expect((await textOf('PDF', bytes)).split(/\n+/)).toEqual([names, ...pages.flat()].map(cells => cells.join('; ')))
  })

  test('is not told of rows that stand below no columns, or of another table', async () => {
    const week = [
      ['Task', 'Mon', 'Tue', 'Wed'],
      ['Yard', 'Ana', 'Ben', 'Cem'],
    ]
    const apart = table([['Bank', '', 'Ghent']], 500)
    expect((await rowsOf([...table(week, 700), ...apart])).at(-1)).toBe('Bank; Ghent')
    const behind = [...table(week, 700), ...line(PROSE[0] ?? '', 60, 660), ...table([['Bank', '', 'Ghent']], 640)]
    expect((await rowsOf(behind)).at(-1)).toBe('Bank; Ghent')
    const beside = [...table(week, 700), ...line('Harbour', 60, 668), ...line('Ghent', 135, 668)]
    expect((await rowsOf(beside)).at(-1)).toBe('Harbour; Ghent')
  })
})

import { expect, test } from 'bun:test'
import { textOf } from '../fixtures.test-support.ts'
import { type Drawn, line, lines, OTHERS, PROSE, pdfOfPages, table } from './drawn.test-support.ts'

async function linesOfText(pages: readonly (readonly Drawn[])[]): Promise<string[]> {
  return (await textOf('PDF', await pdfOfPages(pages))).split(/\n+/)
}

test('the names of a report and of its columns are told once, where they stand on each of its pages', async () => {
  const donors = [0, 1, 2, 3].map(page =>
    [1, 2, 3, 4, 5].map(n => [`Donor ${page * 7 + n * 31}`, `Town ${n}`, `${page * n * 3},50`]),
  )
  const pages = donors.map((rows, n) => [
    ...line('Vote Yes for Better Parks', 60, 780),
    ...table([['Name', 'City', 'Amount'], ...rows], 750),
    ...line(`Page ${n + 1} of 4`, 280, 40),
  ])
  expect(await linesOfText(pages)).toEqual([
    'Vote Yes for Better Parks',
    ...[['Name', 'City', 'Amount'], ...donors.flat()].map(cells => cells.join('; ')),
  ])
})

test('what is beside a page number is told with the first of them', async () => {
  const pages = [7, 31, 44].map((total, n) => [
    ...table([['Statement of account 4711', '', '', `Page ${n + 1} of 3`]], 780),
    ...lines([`The balance is ${total} euros.`], 60, 700),
  ])
  expect(await linesOfText(pages)).toEqual([
    'Statement of account 4711; Page 1 of 3',
    ...[7, 31, 44].map(total => `The balance is ${total} euros.`),
  ])
})

test('footers, and headers of left pages, do not come between the lines of a paragraph', async () => {
  const page = (n: number, prose: readonly string[]) => [
    ...(n % 2 === 0 ? line('The ports of Flanders', 60, 800) : []),
    ...lines(prose, 60, 760),
    ...line('Printed in Ghent', 60, 40),
  ]
  const prose = [PROSE.slice(0, 4), PROSE.slice(4), OTHERS.slice(0, 3), OTHERS.slice(3), PROSE, OTHERS]
  const read = await textOf('PDF', await pdfOfPages(prose.map((some, n) => page(n + 1, some))))
  expect(read.replace(/\s+/g, ' ')).toContain([...PROSE, ...OTHERS].join(' '))
  expect(read.match(/The ports of Flanders|Printed in Ghent/g)?.toSorted()).toEqual([
    'Printed in Ghent',
    'The ports of Flanders',
  ])
})

import { describe, expect, test } from 'bun:test'
import { linesOf } from './lines.ts'
import type { TextRun } from './rows.ts'

const SIZE = 10

function run(text: string, x: number, y: number, width = text.length * 5): TextRun {
  return { text, x, y, width, size: SIZE }
}

function textsOf(runs: readonly TextRun[]): string[] {
  return linesOf(runs, 1).map(({ text }) => text)
}

const left = (n: number) => run(`left column, line ${n + 10} of prose`, 50, 700 - n * 14)
const right = (n: number) => run(`right column, line ${n + 10} of prose`, 320, 700 - n * 14)
const numbers = Array.from({ length: 12 }, (_, n) => n)

describe('columns', () => {
  test('written line by line are read one after the other', () => {
    const texts = textsOf(numbers.flatMap(n => [left(n), right(n)]))
    expect(texts).toEqual([...numbers.map(n => left(n).text), ...numbers.map(n => right(n).text)])
  })

  test('with a narrow gutter are not joined to one line', () => {
    const near = (n: number) => run(`right column, line ${n + 10} of prose`, 50 + left(n).width + 12, 700 - n * 14)
    const texts = textsOf(numbers.flatMap(n => [left(n), near(n)]))
    expect(texts[1]).toBe(left(1).text)
  })

  test('written one after the other stay so, with the tables in them', () => {
    const row = (n: number) => [
      run('Ada', 50, 500 - n * 14),
      run('Rome', 110, 500 - n * 14),
      run('17', 170, 500 - n * 14),
    ]
    const table = [0, 1, 2, 3, 4, 5, 6].flatMap(row)
    const texts = textsOf([...numbers.map(left), ...table, ...numbers.map(right)])
    const rows = Array.from({ length: 7 }, () => 'Ada Rome 17')
    expect(texts).toEqual([...numbers.map(n => left(n).text), ...rows, ...numbers.map(n => right(n).text)])
  })

  test('below and above a line across the page are read apart', () => {
    const title = run('A heading that stands across both of the columns of the page', 50, 700 - 6.5 * 14, 500)
    const above = numbers.filter(n => n <= 6)
    const below = numbers.filter(n => n > 6)
    const both = (n: number) => [left(n), right(n)]
    const texts = textsOf([...above.flatMap(both), title, ...below.flatMap(both)])
    const inColumns = (part: readonly number[]) => [...part.map(n => left(n).text), ...part.map(n => right(n).text)]
    expect(texts).toEqual([...inColumns(above), title.text, ...inColumns(below)])
  })

  test('of a table with long cells are rows where short ones stand beside these', () => {
    const rows = numbers.flatMap(n => [
      run(`DHAW${n}`, 50, 700 - n * 14),
      run(`the payee of the travel, number ${n}`, 110, 700 - n * 14),
      run(`from the city to the capital, day ${n}`, 320, 700 - n * 14),
      run(`${n}.00`, 530, 700 - n * 14),
    ])
    expect(textsOf(rows)[1]).toBe('DHAW1 the payee of the travel, number 1 from the city to the capital, day 1 1.00')
  })

  test('of a table with short cells are rows', () => {
    const rows = numbers.flatMap(n => [run(`Name ${n}`, 50, 700 - n * 14), run(`${n} kg`, 320, 700 - n * 14)])
    expect(textsOf(rows)[0]).toBe('Name 0 0 kg')
  })
})

test('numbers further apart than words are cells of their own', () => {
  const row = (n: number) => [
    run(`Ghent ${n}`, 50, 700 - n * 14, 40),
    run('197', 150, 700 - n * 14, 15),
    run('289', 178, 700 - n * 14, 15),
  ]
  expect(linesOf([0, 1, 2].flatMap(row), 1).map(({ cells }) => cells)[1]).toEqual(['Ghent 1', '197', '289'])
  const prose = [run('in 1999', 50, 700, 35), run('and', 97, 700, 15), run('2004', 115, 700, 20)]
  expect(linesOf(prose, 1).map(({ text, cells }) => [text, cells])).toEqual([['in 1999 and 2004', undefined]])
})

test('a cell close behind another is one where those of other rows begin there', () => {
  const far = [1, 2, 3].flatMap(n => [run(`Ghent ${n}`, 50, 700 - n * 14, 40), run('open', 150, 700 - n * 14, 20)])
  const near = [run('Sint-Niklaas (Waas)', 50, 644, 85), run('closed', 150, 644, 30)]
  expect(linesOf([...far, ...near], 1).at(-1)?.cells).toEqual(['Sint-Niklaas (Waas)', 'closed'])
  expect(linesOf(near, 1)[0]?.cells).toBeUndefined()
})

test('rows of which all cells are long are one each, where others of their columns are longer', () => {
  const row = (name: string, value: string, y: number) => [run(name, 50, y), run(value, 220, y)]
  const income = [
    row('Income level of the person', '% of the area median income', 700),
    row('Moderate-income', 'At least 50 and less than 80', 688),
    row('The middle-income', 'At least 80 and less than 12', 676),
  ]
  expect(linesOf(income.flat(), 1).map(({ cells }) => cells?.[0])).toEqual([
    'Income level of the person',
    'Moderate-income',
    'The middle-income',
  ])
})

test('dots that lead to a number are left out, and the number is a cell', () => {
  const contents = [run('1 Harbours . . . . . . . . . 5', 50, 700, 300), run('2 Ships.......... 17', 50, 686, 300)]
  expect(linesOf(contents, 1).map(({ cells }) => cells)).toEqual([
    ['1 Harbours', '5'],
    ['2 Ships', '17'],
  ])
  expect(textsOf([run('And so on... The end', 50, 700)])).toEqual(['And so on... The end'])
})

describe('a raised number', () => {
  const raised = (text: string, x: number) => ({ text, x, y: 104, width: text.length * 3, size: 6 })

  test('is told from the number or word before it', () => {
    expect(
      textsOf([
        run('Area 10', 50, 100),
        raised('6', 85),
        run(' km', 88, 100),
        raised('2', 103),
        run(' measured', 106, 100),
        raised('12', 151),
      ]),
    ).toEqual(['Area 10^6 km2 measured^12'])
  })

  test('stays as it is behind a sign, and so do small letters and what stands lower', () => {
    const lowered = { ...raised('2', 60), y: 97 }
    expect(
      textsOf([run('It ended.', 50, 100), raised('12', 95), run(' On the 1', 101, 100), raised('st', 146)]),
    ).toEqual(['It ended.12 On the 1st'])
    expect(textsOf([run('CO', 50, 100), lowered])).toEqual(['CO2'])
  })
})

describe('a line that runs to the left', () => {
  // The words of one line, from the right of the page to its left; each is in reading order.
  const words = [
    run('שלום', 260, 100),
    run('עולם', 230, 100),
    run('2024', 200, 100),
    run('Acme', 170, 100),
    run('טוב', 140, 100),
  ]
  const read = 'שלום עולם Acme 2024 טוב'

  test('is read from the right, whichever way its words were written', () => {
    expect(textsOf(words)).toEqual([read])
    expect(textsOf(words.toReversed())).toEqual([read])
  })

  test('leaves a line of other letters that quotes it as it is', () => {
    const quoting = [
      run('They say', 50, 100),
      run('עולם', 120, 100),
      run('שלום', 95, 100),
      run('to all of us', 145, 100),
    ]
    expect(textsOf(quoting)).toEqual(['They say שלום עולם to all of us'].map(() => 'They say עולם שלום to all of us'))
  })
})

import { type Measures, mean } from '../../plugins/search/evaluation/evaluate.ts'

/** Scores one question's ranking, with the place of the question. */
export interface Asked {
  readonly file: string
  readonly category: string | undefined
  /** The ids of the texts that were found, best first. */
  readonly found: readonly unknown[]
  readonly measures: Measures
}

export const COLUMNS = ['recall@5', 'recall@10', 'recall@20', 'hit@10', 'MRR'] as const

/** So many files have a line each. */
const FILES_MAX = 40

/** A line for all questions, each file and each category, and how far the figures hang on a single file. */
export function printReport(asked: readonly Asked[]): void {
  console.log(row('group', 'n', COLUMNS))
  console.log(rowOf('all', asked))
  const files = distinct(asked.map(({ file }) => file))
  for (const file of files.length > FILES_MAX ? [] : files) {
    console.log(
      rowOf(
        `file ${file}`,
        asked.filter(one => one.file === file),
      ),
    )
  }
  for (const category of distinct(asked.flatMap(one => one.category ?? [])).sort()) {
    console.log(
      rowOf(
        `category ${category}`,
        asked.filter(one => one.category === category),
      ),
    )
  }
  if (files.length > 1 && files.length <= FILES_MAX) printSpread(asked, files)
}

/** The lowest and highest figure that remain when one file is left out. */
function printSpread(asked: readonly Asked[], files: readonly string[]): void {
  const without = files.map(left => figures(asked.filter(({ file }) => file !== left)))
  const column = (of: (...values: number[]) => number) =>
    COLUMNS.map((_, index) => of(...without.map(figuresOfOne => figuresOfOne[index] ?? 0)).toFixed(4))
  console.log(row('one file left out, min', '', column(Math.min)))
  console.log(row('one file left out, max', '', column(Math.max)))
}

function rowOf(name: string, asked: readonly Asked[]): string {
  return row(
    name,
    String(asked.length),
    figures(asked).map(figure => figure.toFixed(4)),
  )
}

export function figures(asked: readonly Asked[]): number[] {
  const { recall5, recall10, recall20, hit10, reciprocalRank } = mean(asked.map(({ measures }) => measures))
  return [recall5, recall10, recall20, hit10, reciprocalRank]
}

export function row(name: string, count: string, cells: readonly string[]): string {
  return [name.padEnd(28), count.padEnd(5), ...cells.map(cell => cell.padEnd(9))].join(' ').trimEnd()
}

function distinct(names: readonly string[]): string[] {
  return [...new Set(names)]
}

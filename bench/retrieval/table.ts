import { MEM0_VERSION } from '../peers/mem0-process.ts'
import { type Asked, figures } from './report.ts'

/** The results of one family, by Mneme and by others. */
export interface Family {
  readonly name: string
  readonly plain: ReadonlyMap<string, readonly Asked[]>
  readonly mem0: readonly Asked[] | undefined
  readonly mneme: readonly Asked[]
}

const SHOWN = ['recall@5', 'recall@10', 'recall@20', 'MRR'] as const
/** The places of these among all figures. */
const PLACES = [0, 1, 2, 4] as const

/**
 * Prints the families beside each other as Markdown, and their mean, in which each family counts alike. Of the plain methods each figure
 * is that of whichever method is best at it.
 */
export function printTable(families: readonly Family[]): void {
  const columns = ['best plain', ...(families.some(({ mem0 }) => mem0) ? [`mem0ai ${MEM0_VERSION}`] : []), 'Mneme']
  console.log(`\n| ${SHOWN.join(' / ')} | questions | ${columns.join(' | ')} |`)
  console.log(`|---|${'---|'.repeat(columns.length + 1)}`)
  const rows = families.map(family => ({ family, best: bestOf(family.plain), mneme: shownFigures(family.mneme) }))
  for (const { family, best, mneme } of rows) {
    const mem0 = family.mem0 ? [cell(shownFigures(family.mem0))] : []
    console.log(`| ${[family.name, family.mneme.length, cell(best), ...mem0, cell(mneme)].join(' | ')} |`)
  }
  const mem0 = families.flatMap(one => (one.mem0 ? [shownFigures(one.mem0)] : []))
  const [best, mneme] = [meanOf(rows.map(one => one.best)), meanOf(rows.map(one => one.mneme))]
  console.log(`| ${['mean', '', cell(best), ...(mem0[0] ? [cell(meanOf(mem0))] : []), cell(mneme)].join(' | ')} |`)
  const differences = mneme.map((figure, n) => figure - (best[n] ?? 0))
  console.log(`Mneme less the best plain, mean: ${differences.map(signed).join(' / ')}`)
  for (const { name, plain } of families) {
    console.log(`${name}: ${SHOWN.map((figure, n) => `${figure} by ${bestMethod(plain, n)}`).join(', ')}`)
  }
}

function shownFigures(asked: readonly Asked[]): number[] {
  const all = figures(asked)
  return PLACES.map(place => all[place] ?? 0)
}

function bestOf(plain: Family['plain']): number[] {
  const all = [...plain.values()].map(shownFigures)
  return SHOWN.map((_, n) => Math.max(...all.map(one => one[n] ?? 0)))
}

function bestMethod(plain: Family['plain'], figure: number): string | undefined {
  const methods = [...plain].map(([method, asked]) => ({ method, worth: shownFigures(asked)[figure] ?? 0 }))
  return methods.toSorted((a, b) => b.worth - a.worth)[0]?.method
}

function meanOf(all: readonly (readonly number[])[]): number[] {
  return SHOWN.map((_, n) => all.reduce((sum, one) => sum + (one[n] ?? 0), 0) / Math.max(1, all.length))
}

function cell(values: readonly number[]): string {
  return values.map(value => value.toFixed(3)).join(' / ')
}

function signed(value: number): string {
  return `${value < 0 ? '' : '+'}${value.toFixed(3)}`
}

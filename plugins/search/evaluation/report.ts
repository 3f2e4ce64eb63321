import type { ModeFigures } from './evaluate.ts'

/** The width fits the longest name in the table's head. */
const WIDTH = 12

/** The figures by the names that `--json`, `--require` and the table use. */
export const FIGURES = {
  'recall@5': figures => figures.recall5,
  'recall@10': figures => figures.recall10,
  'recall@20': figures => figures.recall20,
  mrr: figures => figures.reciprocalRank,
  'hit@10': figures => figures.hit10,
  'zero-results': figures => figures.zeroResults,
} satisfies Record<string, (figures: ModeFigures) => number>

/** Formats a table with a line for each mode, then failures and misses. */
export function reportLines(all: readonly ModeFigures[], questions: number, missesShown: number): string[] {
  const names = Object.keys(FIGURES)
  const head = ['mode'.padEnd(9), ...names.map(cell), cell('p50 ms'), cell('p95 ms')].join('  ')
  return [
    `${questions} ${questions === 1 ? 'question' : 'questions'}`,
    '',
    head,
    ...all.map(lineOf),
    ...all.flatMap(warningLines),
    ...all.slice(0, 1).flatMap(figures => missLines(figures, missesShown)),
  ]
}

function lineOf(figures: ModeFigures): string {
  const shares = Object.values(FIGURES).map(figure => cell(figure(figures).toFixed(3)))
  const times = [figures.p50Ms, figures.p95Ms].map(ms => cell(ms.toFixed(1)))
  return [figures.mode.padEnd(9), ...shares, ...times].join('  ')
}

function cell(text: string): string {
  return text.padStart(WIDTH)
}

function warningLines({ mode, warnings }: ModeFigures): string[] {
  return Object.entries(warnings).map(([warning, count]) => `${mode}: ${count} responses warned: ${warning}`)
}

function missLines({ mode, misses }: ModeFigures, shown: number): string[] {
  if (misses.length === 0 || shown === 0) return []
  const lines = misses.slice(0, shown).map(({ query, found, bestRank }) => {
    const what =
      bestRank === null ? 'nothing expected' : `${Math.round(found * 100)} % of what is expected, first at ${bestRank}`
    return `  ${query}: ${what}`
  })
  return ['', `Not all found among the first 20 (${mode}): ${misses.length}`, ...lines]
}

/** Formats the same figures as JSON. */
export function reportJson(all: readonly ModeFigures[], questions: number): string {
  const modes = all.map(figures => ({
    mode: figures.mode,
    ...Object.fromEntries(
      Object.entries(FIGURES).map(([name, figure]) => [name.replace('@', '_at_').replace('-', '_'), figure(figures)]),
    ),
    p50_ms: figures.p50Ms,
    p95_ms: figures.p95Ms,
    warnings: figures.warnings,
    misses: figures.misses.map(({ query, found, bestRank }) => ({ query, found, best_rank: bestRank })),
  }))
  return JSON.stringify({ questions, modes }, null, 2)
}

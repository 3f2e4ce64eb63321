import { SIGNAL_IDS } from '../../plugins/search/ranking/signals.ts'
import { askCaptured, type Captured } from './capture.ts'
import { type Asked, COLUMNS, figures, row } from './report.ts'

/**
 * Ranks the candidates of all questions with all signals and without each of them, and prints what leaving it out does: below zero
 * the signal helps. "better" and "worse" count the files whose sum of figures the signal raises or lowers.
 */
export function ablate(captured: readonly Captured[]): void {
  const all = askCaptured(captured)
  console.log(row('', '', [...COLUMNS, 'better', 'worse']))
  console.log(
    row(
      'all signals',
      '',
      figures(all).map(figure => figure.toFixed(4)),
    ),
  )
  for (const signal of SIGNAL_IDS) {
    const without = askCaptured(captured, { without: new Set([signal]) })
    const changes = differences(without, all).map(change => `${change > 0 ? '+' : ''}${change.toFixed(4)}`)
    const files = [...new Set(captured.map(({ file }) => file))]
    const sums = files.map(name =>
      differences(ofFile(without, name), ofFile(all, name)).reduce((sum, change) => sum + change, 0),
    )
    const better = sums.filter(sum => sum < 0).length
    const worse = sums.filter(sum => sum > 0).length
    console.log(row(`without ${signal}`, '', [...changes, String(better), String(worse)]))
  }
}

function ofFile(asked: readonly Asked[], name: string): Asked[] {
  return asked.filter(({ file }) => file === name)
}

function differences(without: readonly Asked[], all: readonly Asked[]): number[] {
  const before = figures(all)
  return figures(without).map((figure, index) => figure - (before[index] ?? 0))
}

import { SIGNALS } from '../../plugins/search/ranking/rank.ts'
import { type AskOptions, askAll } from './ask.ts'
import type { Conversation } from './corpus.ts'
import { openInProcess } from './in-process.ts'
import { type Asked, COLUMNS, figures, row } from './report.ts'

/**
 * Asks everything once with all signals and once without each of them, and prints what leaving it out does: below zero the
 * signal helps. "better" and "worse" count the files whose sum of figures the signal raises or lowers.
 */
export async function ablate(
  store: Readonly<Record<string, string>>,
  conversations: readonly Conversation[],
  options: AskOptions,
): Promise<void> {
  const askWithout = async (signal: string): Promise<Asked[]> => {
    const { client, stop } = await openInProcess(store, { SEARCH_WITHOUT: signal })
    const { asked } = await askAll(client, conversations, options)
    await stop()
    return asked
  }
  const all = await askWithout('')
  console.log(row('', '', [...COLUMNS, 'better', 'worse']))
  console.log(
    row(
      'all signals',
      '',
      figures(all).map(figure => figure.toFixed(4)),
    ),
  )
  for (const signal of SIGNALS) {
    const without = await askWithout(signal)
    const changes = differences(without, all).map(change => `${change > 0 ? '+' : ''}${change.toFixed(4)}`)
    const sums = conversations.map(({ name }) =>
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

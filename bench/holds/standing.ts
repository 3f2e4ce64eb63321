/**
 * Measures whether statements that hold for every conversation are told from others: instructions to the assistant, diet and health, the user's name.
 *
 *   bun bench/holds/standing.ts [SENTENCES.json] [--faults]
 *
 * A sentence has `text` and `kind`: `instruction`, `constraint`, `identity`, or `none` for what looks alike and is none of them.
 */
import { readFileSync } from 'node:fs'
import { standingOf } from '../../packages/reader/standing.ts'
import { report } from '../support/measure.ts'

interface Sentence {
  readonly text: string
  readonly kind: string
}

const args = process.argv.slice(2)
const file = args.find(arg => !arg.startsWith('--')) ?? new URL('./standing.json', import.meta.url).pathname
const sentences: readonly Sentence[] = JSON.parse(readFileSync(file, 'utf8'))
const judged = sentences.map(sentence => ({ ...sentence, found: standingOf(sentence.text) ?? 'none' }))
const found = judged.filter(one => one.found !== 'none')
const right = found.filter(one => one.kind !== 'none')
const real = judged.filter(({ kind }) => kind !== 'none')
const share = (name: string, part: readonly unknown[], whole: readonly unknown[]) =>
  report(`${name} (${part.length} of ${whole.length})`, (100 * part.length) / whole.length, '%')

share('precision', right, found)
share('recall', right, real)
share(
  'of the right kind',
  right.filter(one => one.found === one.kind),
  right,
)
if (args.includes('--faults'))
  for (const { text, kind, found } of judged) if (found !== kind) console.log(`${kind} taken for ${found}: ${text}`)

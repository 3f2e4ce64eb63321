/**
 * Ranks each family of texts with weights that were chosen on the others, and prints what that gives beside the product's weights:
 *   bun bench/retrieval/leave-out.ts --data FOLDER --data FOLDER [--data FOLDER …] [--native URL] [--kept FOLDER]
 * Folders are as bench/retrieval/run.ts takes them. Each is stored and searched once; its candidates are then ranked again with other
 * weights. `--kept` keeps the candidates in files of that folder and takes them from there the next time, without storing anything.
 * Weights are chosen by the mean of recall@10 and MRR over the other families, which count alike whatever their size: by coordinate ascent
 * from a plain cosine and from the middle of what may be chosen, since one signal alone can look best in place of two. All that were tried
 * and are as good but for chance count: their mean is taken, not the one that happened to be best.
 */
import { parseArgs } from 'node:util'
import { SIGNALS } from '../../plugins/search/ranking/signals.ts'
import { closeAll } from '../../test/support/closing.ts'
import { askCaptured, type Captured } from './capture.ts'
import { captureFolder } from './capture-folder.ts'
import { figures, row } from './report.ts'

const { values: options } = parseArgs({
  options: {
    data: { type: 'string', multiple: true, default: [] },
    native: { type: 'string' },
    kept: { type: 'string' },
  },
})
if (options.data.length < 2)
  throw new Error('--data FOLDER is required at least twice: one is judged, the others choose')

type Weights = Readonly<Record<string, number>>

const WEIGHTS: Weights = Object.fromEntries(SIGNALS.map(({ id, weight }) => [id, weight]))

/** The weights that are chosen. Cosines keep the weight 1, and no family here has names for the graph to connect. */
const CHOICES = {
  words: [0, 0.04, 0.06, 0.08, 0.1, 0.15, 0.2],
  coverage: [0, 0.2, 0.3, 0.4, 0.5, 0.6],
  proximity: [0, 0.2, 0.4, 0.8],
  neighbours: [0, 0.3, 0.6, 0.9, 1.2],
  session: [0, 0.1, 0.2, 0.3, 0.4],
} as const satisfies Record<string, readonly number[]>
const CHOSEN = Object.keys(CHOICES) as (keyof typeof CHOICES)[]
const COSINE: Weights = { ...WEIGHTS, words: 0, coverage: 0, proximity: 0, neighbours: 0, session: 0 }
const MIDDLE: Weights = { ...COSINE, ...Object.fromEntries(CHOSEN.map(name => [name, middleOf(CHOICES[name])])) }
const ROUNDS_MAX = 6
/** Sums of recall@10 and MRR that differ by no more are alike: one question of a small family moves the mean over six by as much. */
const NOISE = 0.005

interface Family {
  readonly name: string
  readonly captured: readonly Captured[]
  /** Recall@10 and MRR by the weights that were tried. */
  readonly tried: Map<string, readonly [number, number]>
}

try {
  const families: Family[] = []
  for (const folder of options.data) {
    const captured = await captureFolder(folder, options.native, options.kept)
    families.push({ name: folder.split('/').at(-1) ?? folder, captured, tried: new Map() })
  }
  print(families)
} finally {
  await closeAll()
}
process.exit(0)

function print(families: readonly Family[]): void {
  const [given, unseen] = ['with the weights of the product', 'with weights chosen without it']
  console.log(row('family: recall@10 MRR', 'n', [given.padEnd(32), unseen.padEnd(32), CHOSEN.join(' ')]))
  const rows = families.map(family => {
    const chosen = choose(families.filter(other => other !== family))
    return { family, chosen, given: judged(family, WEIGHTS), unseen: judged(family, chosen) }
  })
  for (const { family, chosen, given, unseen } of rows) {
    const weights = CHOSEN.map(name => chosen[name]).join(' ')
    console.log(row(family.name, String(family.captured.length), [shown(given), shown(unseen), weights]))
  }
  console.log(
    row('mean', '', [shown(meanOf(rows.map(({ given }) => given))), shown(meanOf(rows.map(({ unseen }) => unseen)))]),
  )
}

function choose(families: readonly Family[]): Weights {
  const tried = new Map<Weights, number>()
  const worth = (weights: Weights) => {
    const known = tried.get(weights)
    if (known !== undefined) return known
    const value = meanOf(families.map(family => judged(family, weights))).reduce((a, b) => a + b)
    tried.set(weights, value)
    return value
  }
  for (const start of [COSINE, MIDDLE]) climb(start, worth)
  const best = Math.max(...tried.values())
  const near = [...tried].flatMap(([weights, value]) => (value >= best - NOISE ? [weights] : []))
  const centre = (name: string) => near.reduce((sum, weights) => sum + (weights[name] ?? 0), 0) / near.length
  return { ...COSINE, ...Object.fromEntries(CHOSEN.map(name => [name, Math.round(centre(name) * 1000) / 1000])) }
}

function climb(start: Weights, worth: (weights: Weights) => number): Weights {
  let best = start
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const before = best
    for (const name of CHOSEN) {
      for (const value of CHOICES[name]) {
        const weights = { ...best, [name]: value }
        if (worth(weights) > worth(best)) best = weights
      }
    }
    if (best === before) break
  }
  return best
}

function middleOf(choices: readonly number[]): number {
  return choices[Math.floor(choices.length / 2)] ?? 0
}

function judged({ captured, tried }: Family, weights: Weights): readonly [number, number] {
  const key = JSON.stringify(weights)
  const known = tried.get(key)
  if (known) return known
  const [, recall10 = 0, , , reciprocalRank = 0] = figures(askCaptured(captured, { tried: weights }))
  tried.set(key, [recall10, reciprocalRank])
  return [recall10, reciprocalRank]
}

function meanOf(all: readonly (readonly [number, number])[]): readonly [number, number] {
  const average = (index: 0 | 1) => all.reduce((sum, one) => sum + one[index], 0) / Math.max(1, all.length)
  return [average(0), average(1)]
}

function shown([recall10, reciprocalRank]: readonly [number, number]): string {
  return `${recall10.toFixed(4)} ${reciprocalRank.toFixed(4)}`.padEnd(32)
}

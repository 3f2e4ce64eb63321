import type { FilledIn } from './filled-in.ts'
import type { LevelRuns } from './level-runs.ts'
import type { TextRun } from './lines.ts'

/** Where nothing is printed that a text could belong to, its letters are taken to be so large. */
const USUAL_SIZE = 10
/** The usual width of a letter, as a share of its size. */
const LETTER_WIDTH = 0.5

/** Labels are looked for among all that is printed on a page: further texts stand behind it. */
const LABELLED_MAX = 2000

interface Box {
  readonly x: number
  readonly right: number
  readonly bottom: number
  readonly top: number
}

/** The printed run that a text belongs to, and whether the text is read before or behind it. */
interface Label {
  readonly run: TextRun
  readonly order: 'before' | 'behind'
}

/**
 * Puts each text where it is read: behind what is printed before it on its line, as `Name:` is, or else before what follows there, as the
 * words at a box to tick do, or else behind what is printed above it.
 */
export function withFilledIn({ runs, level }: LevelRuns, texts: readonly FilledIn[]): TextRun[] {
  const printed = runs.filter(({ text }) => text.trim())
  const before = new Map<TextRun, TextRun[]>()
  const behind = new Map<TextRun, TextRun[]>()
  const unlabelled: TextRun[] = []
  const boxes = texts.map(one => ({ text: one.text, box: boxOf(one, level) }))
  for (const [n, { text, box }] of boxes.toSorted((a, b) => a.box.x - b.box.x).entries()) {
    const label = n < LABELLED_MAX ? labelOf(printed, box) : undefined
    const run = runIn(box, text, label?.run)
    if (label) {
      const places = label.order === 'before' ? before : behind
      places.set(label.run, [...(places.get(label.run) ?? []), run])
    } else unlabelled.push(run)
  }
  return [...runs.flatMap(run => [...(before.get(run) ?? []), run, ...(behind.get(run) ?? [])]), ...unlabelled]
}

function boxOf({ corners: [x1, y1, x2, y2] }: FilledIn, level: LevelRuns['level']): Box {
  const [a, b] = [level({ x: x1, y: y1 }), level({ x: x2, y: y2 })]
  return {
    x: Math.min(a.x, b.x),
    right: Math.max(a.x, b.x),
    bottom: Math.min(a.y, b.y),
    top: Math.max(a.y, b.y),
  }
}

function labelOf(printed: readonly TextRun[], box: Box): Label | undefined {
  const beside = printed.filter(({ y, size }) => y > box.bottom - size / 2 && y < box.top)
  const left = beside.filter(({ x, width }) => x + width / 2 < box.x)
  const last = best(left, ({ x }) => x)
  if (last) return { run: last, order: 'behind' }
  const next = best(beside, ({ x }) => -x)
  if (next) return { run: next, order: 'before' }
  const above = printed.filter(({ x, y, width }) => y >= box.top && x < box.right && x + width > box.x)
  const nearest = best(above, ({ y }) => -y)
  return nearest && { run: nearest, order: 'behind' }
}

function best(runs: readonly TextRun[], worth: (run: TextRun) => number): TextRun | undefined {
  let found: TextRun | undefined
  for (const run of runs) if (!found || worth(run) > worth(found)) found = run
  return found
}

/** Its lines are one, so that they stay together behind their label. */
function runIn(box: Box, text: string, label: TextRun | undefined): TextRun {
  const size = label?.size ?? USUAL_SIZE
  const isBeside = label !== undefined && label.y < box.top
  const words = text.replace(/\s+/g, ' ')
  const width = Math.min(box.right - box.x, words.length * size * LETTER_WIDTH)
  return { text: words, x: box.x, y: isBeside ? label.y : box.top - size, width, size }
}

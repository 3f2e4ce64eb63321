import type { FilledIn } from './filled-in.ts'
import type { LevelRuns } from './level-runs.ts'
import type { TextRun } from './rows.ts'

/** Where nothing is printed beside a text, its letters are taken to be so large. */
const USUAL_SIZE = 10
/** The usual width of a letter, as a share of its size. */
const LETTER_WIDTH = 0.5

interface Box {
  readonly x: number
  readonly right: number
  readonly bottom: number
  readonly top: number
}

/** The runs of a page with what was filled in, each on the line of what is printed before it, or else of what follows there. */
export function withFilledIn({ runs, level }: LevelRuns, texts: readonly FilledIn[]): TextRun[] {
  const printed = runs.filter(({ text }) => text.trim())
  return [...runs, ...texts.map(one => runIn(boxOf(one, level), one.text, printed))]
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

/** Its lines are one, so that they stay together. */
function runIn(box: Box, text: string, printed: readonly TextRun[]): TextRun {
  const label = labelOf(printed, box)
  const size = label?.size ?? USUAL_SIZE
  const words = text.replace(/\s+/g, ' ')
  const width = Math.min(box.right - box.x, words.length * size * LETTER_WIDTH)
  return { text: words, x: box.x, y: label?.y ?? box.top - size, width, size }
}

function labelOf(printed: readonly TextRun[], { x, bottom, top }: Box): TextRun | undefined {
  let found: TextRun | undefined
  const rank = (run: TextRun) => (run.x + run.width / 2 < x ? run.x : -1e6 - run.x)
  for (const run of printed) {
    if (run.y <= bottom - run.size / 2 || run.y >= top) continue
    if (!found || rank(run) > rank(found)) found = run
  }
  return found
}

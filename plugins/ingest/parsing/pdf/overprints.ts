import type { TextRun } from './rows.ts'

/** Letters that are drawn twice, to look bold or to have a shadow, are so little apart, as a part of their size. */
const APART_MAX = 0.2
/** Places within a run are told by its letters' mean width, which is wrong by so much of the run's. */
const PLACE_ERROR = 0.1
/** Usual widths of letters, as a part of their size. */
const [NARROW, USUAL] = [0.25, 0.52]
const NARROW_LETTERS = /[\sfijlrtI.,:;!|'’()[\]]/g

/** The runs of a row, from left to right, of which those that are drawn over others with the same letters are left out. */
export function withoutOverprints(runs: readonly TextRun[]): TextRun[] {
  let isDrawnTwice = false
  let kept: TextRun[] = []
  /** Those of `kept` that the next run may be drawn over. */
  let reached: TextRun[] = []
  for (const run of runs) {
    reached = reached.filter(other => other.x + other.width > run.x)
    let rest: TextRun | undefined = run
    for (const other of reached.filter(one => isLevelWith(one, run))) {
      if (rest && holds(rest, other)) {
        kept = kept.filter(one => one !== other)
        reached = reached.filter(one => one !== other)
        isDrawnTwice = true
      } else if (rest) {
        rest = holds(other, rest) ? undefined : behind(other, rest)
        isDrawnTwice ||= rest !== run
      }
    }
    if (!rest) continue
    kept.push(rest)
    if (rest.text.trim()) reached.push(rest)
  }
  return isDrawnTwice ? kept.map(once) : kept
}

function isLevelWith(other: TextRun, { y, size, text }: TextRun): boolean {
  return (
    text.trim() !== '' && Math.abs(other.y - y) < size * APART_MAX && Math.abs(other.size - size) < size * APART_MAX
  )
}

/** Tells whether a run has the letters of another one at the place of these. */
function holds(run: TextRun, { text, x, width, size }: TextRun): boolean {
  const own = text.trim()
  const error = size * APART_MAX + (own.length < run.text.trim().length ? run.width * PLACE_ERROR : 0)
  for (let at = run.text.indexOf(own); at !== -1; at = run.text.indexOf(own, at + 1)) {
    const [from, to] = [placeIn(run, at), placeIn(run, at + own.length)]
    if (Math.abs(from - x) < error && Math.abs(to - x - width) < error) return true
  }
  return false
}

/** A run without the letters at its beginning that another one has at its end, in the same place. */
function behind(other: TextRun, run: TextRun): TextRun {
  const end = other.text.trimEnd()
  const right = other.x + other.width
  for (let n = Math.min(end.length, run.text.length - 1); n > 0; n--) {
    const error = run.size * APART_MAX + (right - run.x) * PLACE_ERROR
    if (!end.endsWith(run.text.slice(0, n)) || Math.abs(placeIn(run, n) - right) > error) continue
    return { ...run, text: run.text.slice(n), x: right, width: run.x + run.width - right }
  }
  return run
}

/** Where the letter of this number stands, by the usual widths of the letters before it. */
function placeIn({ text, x, width }: TextRun, at: number): number {
  return x + (width * widthOf(text.slice(0, at))) / widthOf(text)
}

/** Narrow letters that are drawn twice come in one run: these are told by its width. */
function once(run: TextRun): TextRun {
  const error = (text: string) => Math.abs(widthOf(text) * run.size - run.width)
  const texts = [run.text, ...[/(\S)\1/gu, /(\S)\1\1/gu].map(repeated => run.text.replace(repeated, '$1'))]
  const text = texts.toSorted((a, b) => error(a) - error(b))[0] ?? run.text
  return text === run.text ? run : { ...run, text }
}

function widthOf(text: string): number {
  const narrow = text.match(NARROW_LETTERS)?.length ?? 0
  return narrow * NARROW + (text.length - narrow) * USUAL
}

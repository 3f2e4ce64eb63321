import { highest, lowest } from '../extremes.ts'

/** A run of text by its place on the page; x and y in points. */
export interface Span {
  readonly x: number
  readonly right: number
  readonly y: number
  readonly characters: number
}

/** A gutter is looked for in steps of this, and is at least so wide. */
const STEP = 2
const GUTTER_MIN = 10
/** Titles, abstracts and captions may stand across all columns: so much of a page's text may cross a gutter. */
const ACROSS_MAX = 0.3
/** A column of prose has at least so many lines, of so many characters in the middle. Cells of tables have fewer. */
const COLUMN_LINES_MIN = 6
const COLUMN_CHARS_MIN = 20

/**
 * Finds the columns of a page's prose by the empty stripes between them.
 * @returns the middles of the gutters from left to right; none for a page of one column
 */
export function columnsOf(spans: readonly Span[]): number[] {
  if (spans.length < 2 * COLUMN_LINES_MIN) return []
  const from = lowest(spans.map(({ x }) => x))
  const to = highest(spans.map(({ right }) => right))
  const gutters = emptyStripes(spans, from, to)
    .filter(stripe => stripe.to - stripe.from >= GUTTER_MIN)
    .map(stripe => (stripe.from + stripe.to) / 2)
  const isProse = (left: number, right: number) =>
    holdsProse(spans.filter(span => span.x >= left && span.right <= right))
  // Beside a column of prose, a margin with numbers or a table's cells is none.
  return gutters.filter((gutter, n) => {
    const left = gutters[n - 1] ?? Number.NEGATIVE_INFINITY
    const right = gutters[n + 1] ?? Number.POSITIVE_INFINITY
    return isProse(left, gutter) && isProse(gutter, right)
  })
}

/** The column that something stands in, from 0; undefined for what stands across a gutter. */
export function columnAt(gutters: readonly number[], { x, right }: Pick<Span, 'x' | 'right'>): number | undefined {
  if (gutters.some(gutter => x < gutter && right > gutter)) return undefined
  return gutters.filter(gutter => gutter <= x).length
}

interface Stripe {
  readonly from: number
  to: number
  readonly crossing: number
}

/** The stripes that little text crosses: of those that touch each other, only the one that the least does. */
function emptyStripes(spans: readonly Span[], from: number, to: number): Stripe[] {
  const crossing = new Float64Array(Math.ceil((to - from) / STEP) + 1)
  let all = 0
  for (const { x, right, characters } of spans) {
    all += characters
    for (let n = Math.floor((x - from) / STEP); n < (right - from) / STEP; n++) {
      crossing[n] = (crossing[n] ?? 0) + characters
    }
  }
  const stripes: Stripe[] = []
  let isWithin = false
  for (const [n, characters] of crossing.entries()) {
    const x = from + n * STEP
    const open = stripes.at(-1)
    if (characters > all * ACROSS_MAX) isWithin = false
    else if (!isWithin || !open || characters < open.crossing) {
      if (isWithin) stripes.pop()
      stripes.push({ from: x, to: x + STEP, crossing: characters })
      isWithin = true
    } else if (characters === open.crossing && open.to === x) open.to = x + STEP
  }
  return stripes.filter(stripe => stripe.from > from && stripe.to < to)
}

/** Runs may be words or whole lines, so the characters of each baseline are what counts. */
function holdsProse(spans: readonly Span[]): boolean {
  const byLine = new Map<number, number>()
  for (const { y, characters } of spans) {
    const line = Math.round(y / 2)
    byLine.set(line, (byLine.get(line) ?? 0) + characters)
  }
  const lengths = [...byLine.values()].toSorted((a, b) => a - b)
  return lengths.length >= COLUMN_LINES_MIN && (lengths[Math.floor(lengths.length / 2)] ?? 0) >= COLUMN_CHARS_MIN
}

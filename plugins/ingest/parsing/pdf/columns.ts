import { highest, lowest } from '../extremes.ts'
import { type Row, rowsOf, type TextRun } from './rows.ts'

/** Gutters are looked for at so many places of a page, at most so close to each other, and are at least so wide; in points. */
const PLACES = 500
const STEP = 2
const GUTTER_MIN = 10
/** So much of a letter's size apart, two runs are no words of one line of a column. */
export const APART = 0.9
/** A gutter has at least so many lines of prose on either side, of so many characters in the middle. Cells of tables have fewer. */
const COLUMN_LINES_MIN = 6
const COLUMN_CHARS_MIN = 20
/** A row so far below another, as a part of its letters' size, begins something new. In columns of prose that is seldom so in both. */
const NEW_PART = 1.6
const ROWS_TOGETHER_MIN = 4

/** Consecutive rows of a page with a gutter between two columns of prose. */
interface Band {
  readonly from: number
  /** The row behind it. */
  readonly to: number
  readonly lines: number
}

/**
 * Divides the runs of a page into the parts that are read one after the other: columns of prose, and what stands above, between and below
 * them, across their gutters.
 * @param isLeftward whether the page is read from the right
 */
export function partsOf(runs: readonly TextRun[], isLeftward: boolean): (readonly TextRun[])[] {
  const rows = rowsOf(runs)
  const found = rows.length < COLUMN_LINES_MIN ? undefined : findGutter(rows)
  if (!found) return [runs]
  const { gutter, bands } = found
  const parts: (readonly TextRun[])[] = []
  const read = (some: readonly TextRun[]) => {
    if (some.length > 0) parts.push(...partsOf(some, isLeftward))
  }
  let done = 0
  for (const { from, to } of bands) {
    read(rows.slice(done, from).flatMap(row => row.runs))
    const within = rows.slice(from, to).flatMap(row => row.runs)
    const columns = [within.filter(run => run.x < gutter), within.filter(run => run.x >= gutter)]
    for (const column of isLeftward ? columns.toReversed() : columns) read(column)
    done = to
  }
  read(rows.slice(done).flatMap(row => row.runs))
  return parts
}

/** Runs that stand close together, from left to right. */
export interface Piece {
  readonly runs: TextRun[]
  readonly x: number
  right: number
}

/** @param apart so much of the row's letters' size is between two pieces */
export function piecesOf({ runs, size }: Row, apart: number): Piece[] {
  const pieces: Piece[] = []
  for (const run of runs) {
    const piece = pieces.at(-1)
    const right = run.x + run.width
    if (piece && run.x - piece.right < size * apart) {
      piece.runs.push(run)
      piece.right = Math.max(piece.right, right)
    } else pieces.push({ runs: [run], x: run.x, right })
  }
  return pieces
}

interface Span {
  readonly x: number
  readonly right: number
  readonly characters: number
}

/** The place that most lines of prose stand on either side of, all over the rows. */
function findGutter(rows: readonly Row[]): { gutter: number; bands: Band[] } | undefined {
  const spans = rows.map(row => piecesOf(row, APART).map(spanOf))
  const [from, to] = [lowest(spans.flat().map(({ x }) => x)), highest(spans.flat().map(({ right }) => right))]
  const step = Math.max(STEP, (to - from) / PLACES)
  let best = { lines: COLUMN_LINES_MIN - 1, first: 0, last: 0 }
  for (let x = from + GUTTER_MIN; x < to - GUTTER_MIN; x += step) {
    const lines = bandsAt(x, rows, spans).reduce((sum, band) => sum + band.lines, 0)
    if (lines > best.lines) best = { lines, first: x, last: x }
    else if (lines === best.lines && best.last > x - step * 1.5) best.last = x
  }
  if (best.lines < COLUMN_LINES_MIN) return undefined
  const gutter = (best.first + best.last) / 2
  return { gutter, bands: bandsAt(gutter, rows, spans) }
}

function spanOf({ runs, x, right }: Piece): Span {
  return { x, right, characters: runs.reduce((sum, { text }) => sum + text.length, 0) }
}

function bandsAt(x: number, rows: readonly Row[], spans: readonly (readonly Span[])[]): Band[] {
  const bands: Band[] = []
  let from = 0
  for (let n = 0; n <= spans.length; n++) {
    const isAcross = spans[n]?.some(span => span.x < x + GUTTER_MIN / 2 && span.right > x - GUTTER_MIN / 2)
    if (n < spans.length && !isAcross) continue
    const band = n - from > 1 && bandOf(x, rows, spans, from, n)
    if (band) bands.push(band)
    from = n + 1
  }
  return bands
}

function bandOf(
  x: number,
  rows: readonly Row[],
  spans: readonly (readonly Span[])[],
  start: number,
  end: number,
): Band | undefined {
  const [left, right]: [number[], number[]] = [[], []]
  let [from, to, breaks, ofTable] = [-1, start, 0, 0]
  for (let n = start; n < end; n++) {
    const beside = spans[n] ?? []
    const before = beside.findLast(span => span.right <= x)
    const after = beside.find(span => span.x >= x)
    if (beside.some(span => span !== before && span !== after && span.characters < COLUMN_CHARS_MIN)) ofTable++
    if (before) left.push(before.characters)
    if (after) {
      right.push(after.characters)
      if (from === -1) from = n
    }
    // The left column goes on below the right one; what stands there by itself goes with what is across the gutter below.
    const isNew = (rows[n - 1]?.y ?? 0) - (rows[n]?.y ?? 0) > (rows[n]?.size ?? 0) * NEW_PART
    if (isNew) breaks++
    if (after || end === rows.length || (to === n && !isNew)) to = n + 1
  }
  // Most rows of a table have short cells beside those that are as long as prose.
  if (end - start < breaks * ROWS_TOGETHER_MIN || ofTable * 2 > end - start) return undefined
  const isProse = [left, right].every(lengths => lengths.length > 1 && middle(lengths) >= COLUMN_CHARS_MIN)
  return isProse ? { from, to, lines: Math.min(left.length, right.length) } : undefined
}

function middle(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}

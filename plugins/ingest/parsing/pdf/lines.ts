import { unicodeForm } from 'mneme/plugin'
import { highest, lowest } from '../extremes.ts'
import { signOfRaised } from '../off-the-line.ts'
import { APART, type Piece, partsOf, piecesOf } from './columns.ts'
import { withoutOverprints } from './overprints.ts'
import { type Row, rowsOf, type TextRun } from './rows.ts'
import type { Place } from './table-columns.ts'

/** A line of text on a page. */
export interface Line {
  readonly text: string
  readonly x: number
  readonly right: number
  readonly y: number
  readonly size: number
  readonly page: number
  /** The cells of a line that stands in several columns, as the row of a table does; one that is wrapped is several lines. */
  readonly cells?: readonly string[]
  readonly places?: readonly Place[]
  /** It stands in the same place of other pages, and here first. */
  readonly isRepeated?: boolean
}

/** So much of a letter's size apart is a space; so much, another cell. */
const SPACE = 0.18
const GUTTER = 2.2
/** A raised number is smaller by so much than its line, and stands so much of the line's size above it. */
const RAISED_SIZE = 0.85
const RAISED_HEIGHT = 0.15

/**
 * The lines of a page in reading order. Only the places of its runs tell that, since writers draw them in any order: values before their labels,
 * tables column by column or from the right, one word of a sentence last.
 */
export function linesOf(runs: readonly TextRun[], page: number): Line[] {
  const shown = runs.flatMap(run => {
    const text = clean(run.text)
    // A gap is told as a space of its width.
    return text ? [{ ...run, text, width: text.trim() ? run.width : 0 }] : []
  })
  const single = rowsOf(withoutDropCaps(shown)).flatMap(row => withoutOverprints(row.runs))
  const isLeftward = runsToTheLeft(single)
  return partsOf(single, isLeftward).flatMap(part =>
    recordsOf(part).flatMap(record => lineOf(record, page, isLeftward)),
  )
}

/** A letter at the beginning of a text that is so much larger than it, and as high as two of its lines or more, begins the first of them. */
const DROP_CAP = /^["'“„«»]?\p{Lu}$/u
const DROP_CAP_SIZE = 1.8

/** Sets such letters as the text is, before its first word. */
function withoutDropCaps(runs: readonly TextRun[]): TextRun[] {
  return runs.map(run => (DROP_CAP.test(run.text.trim()) ? (inFirstLine(run, runs) ?? run) : run))
}

function inFirstLine(cap: TextRun, runs: readonly TextRun[]): TextRun | undefined {
  const right = cap.x + cap.width
  const beside = runs.filter(({ text, x, y, size }) => {
    const isBehind = x > right - 1 && x - right < cap.size / 2
    return (
      /^\p{L}/u.test(text) &&
      isBehind &&
      size * DROP_CAP_SIZE < cap.size &&
      y > cap.y - size / 2 &&
      y < cap.y + cap.size
    )
  })
  const [first] = beside.toSorted((a, b) => b.y - a.y || a.x - b.x)
  // The tops of both are level, and another line begins below the first one.
  if (!first || Math.abs(cap.y + CAP_HEIGHT * (cap.size - first.size) - first.y) > first.size / 2) return undefined
  if (!beside.some(({ y }) => first.y - y > first.size / 2)) return undefined
  const width = (cap.width * first.size) / cap.size
  return { text: cap.text.trim(), x: first.x - width, y: first.y, width, size: first.size }
}

/** The usual height of capitals, as a part of their letters' size. */
const CAP_HEIGHT = 0.7

/** A row with the rows below in which its cells go on, as they are wrapped; those beside them may stand at half their height. */
interface Record {
  readonly cells: Cell[]
  readonly y: number
  readonly size: number
}

interface Cell {
  readonly x: number
  right: number
  /** Where its last line ends, and the height of that. */
  end: number
  y: number
  text: string
}

/** So much of a letter's size below a row is the next one of a cell; less is a row between two lines of other cells. */
const [BETWEEN, NEXT] = [0.8, 1.5]
/** Shorter cells are words or numbers, which fill their columns by chance. */
const WRAPPED_CHARS_MIN = 15

function recordsOf(part: readonly TextRun[]): Record[] {
  const found = rowsOf(part)
  const begun = found.map(row =>
    piecesOf(row, GUTTER)
      .slice(1)
      .map(({ x }) => x),
  )
  const rows = found.map((row, n) => {
    const near = begun.slice(Math.max(0, n - NEAR_ROWS), n + NEAR_ROWS + 1)
    return { row, cells: cellsIn(row, near).flatMap(piece => cellsOf(piece, row)) }
  })
  const records: Record[] = []
  for (const [n, { row, cells }] of rows.entries()) {
    const { y, size } = row
    const open = records.at(-1)
    const near = rows.slice(Math.max(0, n - 3), n + 4).flatMap(others => others.cells)
    if (open && goesOn(open, cells, near)) for (const cell of cells) addTo(open, cell)
    else if (cells.length > 0) records.push({ cells, y, size })
  }
  return records
}

/** A cell that stands close behind another begins where cells of so many of the nearest rows begin that stand apart. */
const [NEAR_ROWS, ALIGNED_MIN, ALIGNED] = [8, 3, 1]

/** Two numbers that are further apart than the words of a line are two cells. */
function cellsIn(row: Row, near: readonly (readonly number[])[]): Piece[] {
  const cells: Piece[] = []
  for (const piece of piecesOf(row, APART)) {
    const cell = cells.at(-1)
    const isAligned = () => near.filter(xs => xs.some(x => Math.abs(x - piece.x) < ALIGNED)).length >= ALIGNED_MIN
    const isApart =
      cell &&
      (piece.x - cell.right >= row.size * GUTTER || (isNumber(cell, row) && isNumber(piece, row)) || isAligned())
    if (cell && !isApart) {
      cell.runs.push(...piece.runs)
      cell.right = Math.max(cell.right, piece.right)
    } else cells.push({ ...piece, runs: [...piece.runs] })
  }
  return cells
}

function isNumber(piece: Piece, row: Row): boolean {
  return /^[-+(]?\p{Sc}?\d[\d.,]*[%)]?$/u.test(textOf(piece, row).trim())
}

/** Dots that lead to a value, as to a number of a page. */
const LEADERS = /\s*(?:\.\s?){5,}\s*/

/** A piece with leaders is several cells, in places by the share of its letters before each. */
function cellsOf(piece: Piece, row: Row): Cell[] {
  const text = textOf(piece, row).trim()
  const width = (piece.right - piece.x) / text.length
  let at = 0
  return text.split(LEADERS).flatMap(part => {
    at = text.indexOf(part, at)
    const [x, right] =
      part.length === text.length
        ? [piece.x, piece.right]
        : [piece.x + at * width, piece.x + (at + part.length) * width]
    at += part.length
    return part ? [{ x, right, end: right, y: row.y, text: part }] : []
  })
}

/** @param near cells of this row and of those around it */
function goesOn({ cells, size }: Record, next: readonly Cell[], near: readonly Cell[]): boolean {
  const bottom = lowest(cells.map(({ y }) => y))
  const above = next.map(cell => cells.filter(other => isAbove(other, cell)))
  if (above.every(others => others.length === 0)) return next.every(({ y }) => bottom - y < size * BETWEEN)
  // Beside lines that go on, a cell may begin; a row in which most do is another one.
  if (cells.length === 1 || above.filter(others => others.length === 0).length * 2 >= next.length) return false
  return next.every((cell, n) => {
    const [former, ...others] = above[n] ?? []
    if (!former) return bottom - cell.y < size * NEXT
    const below = former.y - cell.y
    if (others.length > 0 || below > size * NEXT || below < size * BETWEEN) return false
    // A line is full where the first word of the next one would reach what stands beside it, or out of the cell.
    // Seldom do all cells of a row go on: where others of their columns are wider, it is the next row.
    const widest = next.length < cells.length ? former.right : highest(rightsIn(former, near), former.right)
    const beside = lowest(near.filter(({ x }) => x > former.right).map(({ x }) => x))
    const room = Math.min(beside, widest + size) - former.end
    const [word = ''] = cell.text.split(/\s/)
    const needed = ((cell.right - cell.x) * word.length) / cell.text.length + size / 2
    return former.text.length - former.text.lastIndexOf('\n') > WRAPPED_CHARS_MIN && needed > room
  })
}

/** Where cells of a column end. */
function rightsIn({ x }: Cell, near: readonly Cell[]): number[] {
  return near.filter(other => Math.abs(other.x - x) < ALIGNED).map(({ right }) => right)
}

function isAbove(cell: Cell, { x, right }: Cell): boolean {
  return cell.x < right && cell.right > x
}

function addTo({ cells }: Record, cell: Cell): void {
  const former = cells.find(other => isAbove(other, cell))
  if (!former) cells.push(cell)
  else {
    former.text += `\n${cell.text}`
    former.end = cell.right
    former.y = cell.y
    former.right = Math.max(former.right, cell.right)
  }
}

function lineOf({ cells, y, size }: Record, page: number, isLeftward: boolean): Line {
  const placed = cells.toSorted((a, b) => (isLeftward ? b.x - a.x : a.x - b.x))
  const texts = placed.map(({ text }) => text)
  const text = texts.join(' ').replaceAll('\n', ' ')
  const [x, right] = [lowest(cells.map(cell => cell.x)), highest(cells.map(cell => cell.right))]
  return {
    text,
    x,
    right,
    y,
    size,
    page,
    ...(texts.length > 1 ? { cells: texts, places: placed.map(cell => ({ x: cell.x, right: cell.right })) } : {}),
  }
}

/** Ligatures, letters in the shape that they have within a word, and spaces of other widths. */
const SHAPES = /[\u00a0\u00b5\u037e\u0eb3\u2000-\u200a\u2126\u202f\ufb00-\ufdff\ufe70-\ufefc]/g

function clean(text: string): string {
  return (
    text
      // A mark that stands alone would come with a blank before it, in the middle of a word.
      .replace(SHAPES, shape => unicodeForm(shape, 'NFKC').replace(/^ (?=\p{M})/u, ''))
      // pdf.js leaves a mark that stands leftmost before the word; no word begins with one.
      .replace(/^(\p{M}+)(\S+)/u, '$2$1')
      .replace(/\p{Cc}/gu, control => (/\s/.test(control) ? ' ' : ''))
  )
}

function textOf({ runs }: Piece, { y, size }: Row): string {
  let text = ''
  let last: TextRun | undefined
  for (const run of inReadingDirection(runs)) {
    const gap = last === undefined ? 0 : run.x >= last.x ? run.x - last.x - last.width : last.x - run.x - run.width
    const isApart = gap > size * SPACE && !/\s$/.test(text) && !/^\s/.test(run.text)
    const isRaised = run.size < size * RAISED_SIZE && run.y - y > size * RAISED_HEIGHT
    text += (isApart ? ' ' : isRaised && /^\d/.test(run.text) ? signOfRaised(text) : '') + run.text
    last = run
  }
  return text
}

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}

interface Part {
  readonly text: string
  readonly x: number
}

const RIGHT_TO_LEFT = /[\p{sc=Hebrew}\p{sc=Arabic}\p{sc=Syriac}\p{sc=Thaana}\p{sc=Nko}]/u

const LETTER = /\p{L}/gu

/**
 * The parts of a line as they are read. Each part is in reading order already (pdf.js sees to that); writers place the parts of a
 * right-to-left line in either direction, so their places decide: the line is read from the right, and what runs to the right within it,
 * as numbers and foreign names do, from the left (Unicode Bidirectional Algorithm, rule L2, for whole parts).
 */
function inReadingDirection<P extends Part>(parts: readonly P[]): readonly P[] {
  if (!parts.some(({ text }) => RIGHT_TO_LEFT.test(text))) return parts
  const visual = parts.toSorted((a, b) => a.x - b.x)
  const isLeftward = runsToTheLeft(parts)
  const ordered = isLeftward ? visual.toReversed() : visual
  const directions = directionsOf(ordered, isLeftward)
  const read: P[] = []
  for (let n = 0; n < ordered.length; ) {
    let end = n + 1
    while (end < ordered.length && directions[end] === directions[n]) end++
    const stretch = ordered.slice(n, end)
    read.push(...(directions[n] === isLeftward ? stretch : stretch.toReversed()))
    n = end
  }
  return read
}

/** Tells by the most letters which way a line runs: a name in other letters at its beginning says nothing. Without any it runs to the right. */
function runsToTheLeft(parts: readonly Part[]): boolean {
  const letters = parts.flatMap(({ text }) => text.match(LETTER) ?? [])
  return letters.length > 0 && letters.filter(letter => RIGHT_TO_LEFT.test(letter)).length * 2 >= letters.length
}

/** Tells whether each part runs to the left. Spaces and marks run with the line, but for those between two parts that both run otherwise. */
function directionsOf(parts: readonly Part[], isLeftward: boolean): boolean[] {
  const own = parts.map(({ text }) => {
    if (RIGHT_TO_LEFT.test(text)) return true
    return /[\p{L}\p{N}]/u.test(text) ? false : undefined
  })
  return own.map((direction, n) => {
    if (direction !== undefined) return direction
    const before = own.slice(0, n).findLast(one => one !== undefined)
    const after = own.slice(n + 1).find(one => one !== undefined)
    return before !== undefined && before === after ? before : isLeftward
  })
}

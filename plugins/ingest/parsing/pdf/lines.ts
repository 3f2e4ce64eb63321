import { unicodeForm } from 'mneme/plugin'
import { signOfRaised } from '../off-the-line.ts'
import { columnAt, columnsOf, type Span } from './columns.ts'
import { inReadingDirection, RIGHT_TO_LEFT } from './direction.ts'

/** A run of text as pdf.js tells it, placed on its page; sizes are in points, y grows upwards. */
export interface TextRun {
  readonly text: string
  readonly x: number
  readonly y: number
  readonly width: number
  readonly size: number
}

/** A line of text on a page. */
export interface Line {
  readonly text: string
  readonly x: number
  readonly right: number
  readonly y: number
  readonly size: number
  readonly page: number
  /** The cells of a line that stands in several columns, as the row of a table does. */
  readonly cells?: readonly string[]
}

interface Part {
  readonly text: string
  readonly x: number
  readonly right: number
  /** Stands above the line in smaller letters, as a power and the number of a note do. */
  readonly isRaised: boolean
}

interface OpenLine {
  readonly parts: Part[]
  x: number
  right: number
  y: number
  sizes: number
  length: number
  isLeftward: boolean
}

/** So much of a letter's size apart is a space; so much, another column or cell. */
const SPACE = 0.18
const GUTTER = 2.2
/** A raised number is smaller by so much than its line, and stands so much of the line's size above it. */
const RAISED_SIZE = 0.85
const RAISED_HEIGHT = 0.15
/** A page goes so often from one column to another where it was written line by line; else once for each column, header and footer. */
const CHANGES_MIN = 6

/** The lines of a page in reading order: as they were written, or column by column where columns were written line by line. */
export function linesOf(runs: readonly TextRun[], page: number): Line[] {
  const shown = runs.flatMap(run => {
    const text = clean(run.text)
    // A gap is told as a space of its width; that of a gutter is none.
    return !text || (!text.trim() && run.width > run.size * GUTTER) ? [] : [{ ...run, text }]
  })
  const columns = columnsOf(shown.filter(({ text }) => text.trim()).map(spanOf))
  const lines: OpenLine[] = []
  for (const run of shown) {
    const open = lines.at(-1)
    if (open && continues(open, run, columns)) extend(open, run)
    else {
      const isLeftward = RIGHT_TO_LEFT.test(run.text)
      lines.push({
        parts: [partOf(run, run)],
        x: run.x,
        right: run.x + run.width,
        y: run.y,
        ...weightOf(run),
        isLeftward,
      })
    }
  }
  const done = lines
    .map(({ parts, x, right, y, sizes, length }) => {
      const size = sizes / length
      return { text: textOf(parts, size).trim(), x, right, y, size, page }
    })
    .filter(line => line.text)
  return inRows(byColumn(done, columns))
}

function spanOf({ text, x, y, width }: TextRun): Span {
  return { x, right: x + width, y, characters: text.length }
}

function partOf({ text, x, y, width, size }: TextRun, line: Pick<TextRun, 'y' | 'size'>): Part {
  const isRaised = size < line.size * RAISED_SIZE && y - line.y > line.size * RAISED_HEIGHT
  return { text, x, right: x + width, isRaised }
}

function weightOf({ text, size }: TextRun) {
  return { sizes: size * text.length, length: text.length }
}

/** Lines that stand beside each other are the cells of one. */
function inRows(lines: readonly Line[]): Line[] {
  const rows: Line[] = []
  for (const line of lines) {
    const last = rows.at(-1)
    if (!last || Math.abs(last.y - line.y) > 2 || line.x <= last.right) {
      rows.push(line)
      continue
    }
    const cells = [...(last.cells ?? [last.text]), line.text]
    rows[rows.length - 1] = { ...last, text: cells.join(' '), cells, right: line.right }
  }
  return rows
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

/** On the same baseline, or raised or lowered as a note's number is, and not beyond a gutter. */
function continues(open: OpenLine, run: TextRun, columns: readonly number[]): boolean {
  const size = open.sizes / open.length
  const gap = run.x - open.right
  const isSameLine = Math.abs(run.y - open.y) < Math.max(1, size * 0.45)
  const isSameColumn = columnAt(columns, open) === columnAt(columns, { x: run.x, right: run.x + run.width })
  // Words that run to the left come with the spaces between them; what else stands there is a cell of its own.
  const isLeftward = open.isLeftward || RIGHT_TO_LEFT.test(run.text)
  const before = open.x - (run.x + run.width)
  return (
    isSameLine && isSameColumn && gap < size * GUTTER && (gap > -size * 3 || before < size * (isLeftward ? GUTTER : 1))
  )
}

function extend(open: OpenLine, run: TextRun): void {
  open.parts.push(partOf(run, { y: open.y, size: open.sizes / open.length }))
  open.x = Math.min(open.x, run.x)
  open.right = Math.max(open.right, run.x + run.width)
  const { sizes, length } = weightOf(run)
  open.isLeftward ||= RIGHT_TO_LEFT.test(run.text)
  open.sizes += sizes
  open.length += length
}

function textOf(parts: readonly Part[], size: number): string {
  let text = ''
  let last: Part | undefined
  for (const part of inReadingDirection(parts)) {
    const gap = last === undefined ? 0 : part.x >= last.x ? part.x - last.right : last.x - part.right
    const isApart = gap > size * SPACE && !/\s$/.test(text) && !/^\s/.test(part.text)
    text += (isApart ? ' ' : part.isRaised && /^\d/.test(part.text) ? signOfRaised(text) : '') + part.text
    last = part
  }
  return text
}

/**
 * Columns that a generator wrote line by line: left, right, left, right. What it wrote one column after the other stays as it is, and so do
 * tables within a column. Lines across the columns divide the page.
 */
function byColumn(lines: readonly Line[], columns: readonly number[]): Line[] {
  if (columns.length === 0) return [...lines]
  const placed = lines.map(line => ({ line, column: columnAt(columns, line) }))
  const within = placed.filter(({ column }) => column !== undefined)
  const changes = within.filter(({ column }, n) => n > 0 && column !== within[n - 1]?.column).length
  const across = placed.filter(({ column }) => column === undefined)
  if (changes < CHANGES_MIN + columns.length * across.length) return [...lines]
  const heights = across.map(({ line }) => line.y).toSorted((a, b) => b - a)
  const band = ({ line, column }: { line: Line; column: number | undefined }) =>
    heights.filter(height => height > line.y + 1).length * 2 + (column === undefined ? 1 : 0)
  return placed
    .toSorted(
      (a, b) =>
        band(a) - band(b) ||
        (a.column ?? -1) - (b.column ?? -1) ||
        (Math.abs(a.line.y - b.line.y) > 2 ? b.line.y - a.line.y : 0),
    )
    .map(({ line }) => line)
}

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}

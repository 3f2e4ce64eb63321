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

interface OpenLine {
  text: string
  x: number
  right: number
  y: number
  sizes: number
  length: number
}

/** So much of a letter's size apart is a space; so much, another column or cell. */
const SPACE = 0.18
const GUTTER = 2.2
/** A column of prose has at least so many lines, of so many characters in the middle. */
const COLUMN_LINES_MIN = 6
const COLUMN_CHARS_MIN = 20

/** The lines of a page in reading order: as they were written, or column by column where two columns were written line by line. */
export function linesOf(runs: readonly TextRun[], page: number): Line[] {
  const lines: OpenLine[] = []
  for (const run of runs) {
    const text = clean(run.text)
    // A gap is told as a space of its width; that of a gutter is none.
    if (!text || (!text.trim() && run.width > run.size * GUTTER)) continue
    const open = lines.at(-1)
    if (open && continues(open, run)) extend(open, run, text)
    else
      lines.push({
        text,
        x: run.x,
        right: run.x + run.width,
        y: run.y,
        sizes: run.size * text.length,
        length: text.length,
      })
  }
  const done = lines
    .map(({ text, x, right, y, sizes, length }) => ({ text: text.trim(), x, right, y, size: sizes / length, page }))
    .filter(line => line.text)
  return inRows(byColumn(done))
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

function clean(text: string): string {
  return text
    .replace(/[\ufb00-\ufb06]/g, ligature => ligature.normalize('NFKC'))
    .replace(/\p{Cc}/gu, control => (/\s/.test(control) ? ' ' : ''))
}

/** On the same baseline, or raised or lowered as a note's number is, and not beyond a gutter. */
function continues(open: OpenLine, run: TextRun): boolean {
  const size = open.sizes / open.length
  const gap = run.x - open.right
  const isSameLine = Math.abs(run.y - open.y) < Math.max(1, size * 0.45)
  return isSameLine && gap < size * GUTTER && (gap > -size * 3 || run.x + run.width > open.x - size)
}

function extend(open: OpenLine, run: TextRun, text: string): void {
  const size = open.sizes / open.length
  // Text that runs to the left stands before what there is on the page, and after it in the line.
  const gap = run.x >= open.x ? run.x - open.right : open.x - (run.x + run.width)
  const isApart = gap > size * SPACE && !/\s$/.test(open.text) && !/^\s/.test(text)
  open.text += (isApart ? ' ' : '') + text
  open.x = Math.min(open.x, run.x)
  open.right = Math.max(open.right, run.x + run.width)
  open.sizes += run.size * text.length
  open.length += text.length
}

/** Columns that a generator wrote line by line: left, right, left, right. Tables, whose cells are short, stay as they are. */
function byColumn(lines: readonly Line[]): Line[] {
  let alternations = 0
  for (let n = 1; n < lines.length; n++) {
    const [a, b] = [lines[n - 1], lines[n]]
    if (a && b && Math.abs(a.y - b.y) < 2 && b.x > a.right) alternations++
  }
  if (alternations < COLUMN_LINES_MIN) return [...lines]
  const gutter = gutterOf(lines)
  if (gutter === undefined) return [...lines]
  const left = lines.filter(line => line.right <= gutter)
  const right = lines.filter(line => line.x >= gutter)
  const isProse = [left, right].every(
    column => column.length >= COLUMN_LINES_MIN && median(column.map(line => line.text.length)) >= COLUMN_CHARS_MIN,
  )
  if (!isProse) return [...lines]
  const top = Math.max(...left.map(line => line.y), ...right.map(line => line.y))
  const across = lines.filter(line => line.x < gutter && line.right > gutter)
  return [...across.filter(line => line.y > top), ...left, ...right, ...across.filter(line => line.y <= top)]
}

/** The middle of a stripe that hardly any line crosses. */
function gutterOf(lines: readonly Line[]): number | undefined {
  const starts = lines.map(line => line.x)
  const from = Math.min(...starts)
  const to = Math.max(...lines.map(line => line.right))
  for (let share = 0.35; share <= 0.65; share += 0.02) {
    const x = from + (to - from) * share
    if (lines.filter(line => line.x < x && line.right > x).length <= lines.length * 0.05) return x
  }
  return undefined
}

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}

import type { Block } from '../../document/document.ts'
import { hasHead, namedRows } from '../columns.ts'
import { highest } from '../extremes.ts'

/** Cells that a span may fill: one that claims more is no table's. */
const SPAN_MAX = 50

interface Row {
  readonly cells: string[]
  readonly isHead: boolean
  /** Its first cell alone says what it is. */
  readonly isNamed: boolean
  /** Each of its cells is set in bold. */
  readonly isStrong: boolean
}

/** Reads what a page shows of a part of it, without that what it hides. */
export interface CellReader {
  /** In one line. */
  text(element: Element): string
  isHidden(element: Element): boolean
}

/** The rows of a table of data; undefined of one that only lays a page out. */
export function rowsOf(table: Element, read: CellReader): Generator<Block> | undefined {
  // Before a cell is read: a cell with a table in it would be read once for each table around it.
  if (table.querySelector('table, h1, h2, h3')) return undefined
  const rows = readRows(table, read)
  if (rows.length < 2 || highest(rows.map(row => row.cells.length)) < 2) return undefined
  return emit(table, rows, read)
}

function* emit(table: Element, rows: readonly Row[], read: CellReader): Generator<Block> {
  const caption = table.querySelector('caption')
  const text = caption && !read.isHidden(caption) ? read.text(caption) : ''
  if (text) yield { kind: 'paragraph', text }
  const cells = rows.map(row => row.cells)
  const namesRows = rows.every(row => row.isNamed)
  const isMarked = rows[0]?.isHead || (rows[0]?.isStrong && !rows[1]?.isStrong)
  yield* namedRows(cells, isMarked || (!namesRows && hasHead(cells)))
}

function readRows(table: Element, read: CellReader): Row[] {
  const rows: Row[] = []
  /** Holds what cells of earlier rows still say in a column, and for how many rows. */
  const spans = new Map<number, { text: string; left: number }>()
  for (const row of table.querySelectorAll('tr')) {
    if (read.isHidden(row) || (row.parentElement && read.isHidden(row.parentElement))) continue
    const cells: string[] = []
    const own = [...row.children].filter(cell => /^T[DH]$/i.test(cell.tagName) && !read.isHidden(cell))
    const fillSpans = () => {
      for (let span = spans.get(cells.length); span; span = spans.get(cells.length)) {
        if (--span.left <= 0) spans.delete(cells.length)
        cells.push(span.text)
      }
    }
    for (const cell of own) {
      fillSpans()
      const text = read.text(cell)
      const down = spanOf(cell, 'rowspan') - 1
      if (down > 0) spans.set(cells.length, { text, left: down })
      cells.push(text, ...Array.from({ length: spanOf(cell, 'colspan') - 1 }, () => ''))
    }
    fillSpans()
    if (cells.length === 0) continue
    const areNames = own.map(cell => /^TH$/i.test(cell.tagName))
    const isNamed = areNames.length > 1 && areNames.every((isName, n) => isName === (n === 0))
    rows.push({ cells, isHead: areNames.every(Boolean) || isInHead(row), isNamed, isStrong: own.every(isStrong) })
  }
  return rows
}

function spanOf(cell: Element, name: string): number {
  const span = Number(cell.getAttribute(name) ?? 1)
  return Number.isInteger(span) && span >= 1 ? Math.min(span, SPAN_MAX) : 1
}

/** Tells whether all of its text stands in bold. */
function isStrong(cell: Element): boolean {
  const strong = [...cell.querySelectorAll('strong, b')].map(element => element.textContent ?? '').join('')
  const bare = (text: string) => text.replace(/\s+/g, '')
  return bare(strong) !== '' && bare(strong) === bare(cell.textContent ?? '')
}

function isInHead(row: Element): boolean {
  return row.parentElement?.tagName.toUpperCase() === 'THEAD'
}

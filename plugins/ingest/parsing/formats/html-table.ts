import type { Block } from '../../document/document.ts'
import { hasHead, namedRows } from '../columns.ts'
import { highest } from '../extremes.ts'

/** Cells that a span may fill: one that claims more is no table's. */
const SPAN_MAX = 50

interface Row {
  readonly cells: string[]
  /** Those that stand in its cells. */
  readonly tables: readonly Element[]
  readonly isHead: boolean
  /** Its first cell alone says what it is. */
  readonly isNamed: boolean
  /** Each of its cells is set in bold. */
  readonly isStrong: boolean
}

/** Reads what a page shows of a part of it, without that what it hides. */
export interface CellReader {
  /** In one line, without the tables in it. */
  text(element: Element): string
  isHidden(element: Element): boolean
  /** Reads the tables that stand in cells; absent where tables around tables lay a page out. */
  readonly inner?: (table: Element) => Generator<Block>
}

/** The rows of a table of data; undefined of one that only lays a page out. */
export function rowsOf(table: Element, read: CellReader): Generator<Block> | undefined {
  const hasInner = table.querySelector('table') !== null
  if ((hasInner && !read.inner) || table.querySelector('h1, h2, h3')) return undefined
  const rows = readRows(table, read)
  if (rows.length < 2 || highest(rows.map(row => row.cells.length)) < 2) return undefined
  // A table around others may lay them out: it is data only where several of its rows have values of their own.
  if (hasInner && rows.filter(({ cells }) => cells.filter(Boolean).length > 1).length < 2) return undefined
  return emit(table, rows, read)
}

function* emit(table: Element, rows: readonly Row[], read: CellReader): Generator<Block> {
  const caption = table.querySelector('caption')
  const text = caption && !read.isHidden(caption) ? read.text(caption) : ''
  if (text) yield { kind: 'paragraph', text }
  const cells = rows.map(row => row.cells)
  const namesRows = rows.every(row => row.isNamed)
  const isMarked = rows[0]?.isHead || (rows[0]?.isStrong && !rows[1]?.isStrong)
  const isHead = isMarked || (!namesRows && hasHead(cells))
  let next = 0
  for (const block of namedRows(cells, isHead)) {
    const at = block.kind === 'row' ? block.row + (isHead ? 0 : -1) : next
    yield* innerOf(rows.slice(next, at), read)
    next = at
    yield block
  }
  yield* innerOf(rows.slice(next), read)
}

function* innerOf(rows: readonly Row[], { inner }: CellReader): Generator<Block> {
  for (const { tables } of rows) for (const table of tables) if (inner) yield* inner(table)
}

/** Tells whether an element stands in a table, and in none within this one. */
function isOf(table: Element, element: Element): boolean {
  return element.parentElement?.closest('table') === table
}

function readRows(table: Element, read: CellReader): Row[] {
  const rows: Row[] = []
  /** Holds what cells of earlier rows still say in a column, and for how many rows. */
  const spans = new Map<number, { text: string; left: number }>()
  for (const row of table.querySelectorAll('tr')) {
    if (!isOf(table, row)) continue
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
    const tables = read.inner
      ? own.flatMap(cell => [...cell.querySelectorAll('table')].filter(one => isOf(table, one)))
      : []
    const isHead = areNames.every(Boolean) || isInHead(row)
    rows.push({ cells, tables, isHead, isNamed, isStrong: own.every(isStrong) })
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

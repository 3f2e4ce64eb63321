import type { Block } from '../../document/document.ts'
import { looksLikeNames } from '../columns.ts'

/** Cells that a span may fill: one that claims more is no table's. */
const SPAN_MAX = 50

interface Row {
  readonly cells: string[]
  readonly isHead: boolean
}

/** The rows of a table of data; undefined of one that only lays a page out. */
export function rowsOf(table: Element): Generator<Block> | undefined {
  const rows = readRows(table)
  const width = Math.max(0, ...rows.map(row => row.cells.length))
  if (rows.length < 2 || width < 2 || table.querySelector('table, h1, h2, h3')) return undefined
  return emit(table, rows)
}

function* emit(table: Element, rows: readonly Row[]): Generator<Block> {
  const caption = table.querySelector('caption')?.textContent?.replace(/\s+/g, ' ').trim()
  if (caption) yield { kind: 'paragraph', text: caption }
  const [first] = rows
  const hasNames = first !== undefined && (first.isHead || looksLikeNames(first.cells))
  const columns = hasNames ? first.cells : []
  for (const [n, row] of rows.slice(hasNames ? 1 : 0).entries()) {
    if (row.cells.some(cell => cell)) yield { kind: 'row', row: n + 1, columns, cells: row.cells }
  }
}

function readRows(table: Element): Row[] {
  const rows: Row[] = []
  /** Holds what cells of earlier rows still say in a column, and for how many rows. */
  const spans = new Map<number, { text: string; left: number }>()
  for (const row of table.querySelectorAll('tr')) {
    const cells: string[] = []
    const own = [...row.children].filter(cell => /^T[DH]$/i.test(cell.tagName))
    const fillSpans = () => {
      for (let span = spans.get(cells.length); span; span = spans.get(cells.length)) {
        if (--span.left <= 0) spans.delete(cells.length)
        cells.push(span.text)
      }
    }
    for (const cell of own) {
      fillSpans()
      const text = (cell.textContent ?? '').replace(/\s+/g, ' ').trim()
      const down = spanOf(cell, 'rowspan') - 1
      if (down > 0) spans.set(cells.length, { text, left: down })
      cells.push(text, ...Array.from({ length: spanOf(cell, 'colspan') - 1 }, () => ''))
    }
    fillSpans()
    if (cells.length > 0) rows.push({ cells, isHead: own.every(cell => /^TH$/i.test(cell.tagName)) || isInHead(row) })
  }
  return rows
}

function spanOf(cell: Element, name: string): number {
  const span = Number(cell.getAttribute(name) ?? 1)
  return Number.isInteger(span) && span >= 1 ? Math.min(span, SPAN_MAX) : 1
}

function isInHead(row: Element): boolean {
  return row.parentElement?.tagName.toUpperCase() === 'THEAD'
}

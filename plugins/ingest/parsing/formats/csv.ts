import { Buffer } from 'node:buffer'
import { parse } from 'csv-parse/sync'
import { type Block, ReadingError } from '../../document/document.ts'
import { columnNames, hasHead, hasNames, namedRows } from '../columns.ts'
import { highest } from '../extremes.ts'

const DELIMITERS = [',', ';', '\t', '|'] as const
const SAMPLE_CHARS = 32_768
/** A report says so much above its table at the most. */
const TITLE_ROWS_MAX = 20
/** So many rows tell how many values a row of the table has. */
const SAMPLE_ROWS = 70
/** Spreadsheets write the delimiter into a line of its own, before the names. */
const NAMED_DELIMITER = /^sep=([^\r\n"])\r?\n/i
/** A row that is longer is no row: a quote was opened and never closed. */
const ROW_CHARS_MAX = 1_000_000
const LONG_ROW = `A row of the CSV has more than ${ROW_CHARS_MAX.toLocaleString('en')} characters. Give each record a row of its own, or send the file as TEXT.`

/** A table of values: each row with the names of its columns. What a report says above its table is text. */
export function* parseCsv(text: string): Generator<Block> {
  const named = NAMED_DELIMITER.exec(text)
  const delimiter = named?.[1] ?? delimiterOf(text.slice(0, SAMPLE_CHARS))
  yield* tablesOf(readRows(named ? text.slice(named[0].length) : text, delimiter), tableOf)
}

/** The tables of a sheet, of which nothing but their cells tells whether their first rows name the columns. */
export function* blocksOfSheet(rows: readonly string[][]): Generator<Block> {
  for (const part of sideBySide(rows)) {
    yield* tablesOf(part, sheet => {
      const table = compact(sheet.slice(sheet.findIndex(hasValue)))
      const [first = [], ...others] = table
      return others.some(hasValue) ? namedRows(table) : [{ kind: 'paragraph', text: first.filter(Boolean).join(', ') }]
    })
  }
}

/** The tables that an empty column divides, from the left. Each must name its own columns: one table may have empty columns too. */
function sideBySide(rows: readonly string[][]): string[][][] {
  const width = highest(rows.map(cells => cells.length))
  const isFilled = Array.from({ length: Math.max(width, 0) }, () => false)
  for (const cells of rows) for (const [n, cell] of cells.entries()) if (cell) isFilled[n] = true
  const parts: { from: number; to: number }[] = []
  for (const [from, filled] of isFilled.entries()) {
    if (!filled || isFilled[from - 1]) continue
    const end = isFilled.indexOf(false, from)
    const to = end === -1 ? isFilled.length : end
    const last = parts.at(-1)
    if (last && !areTwo(cut(rows, last.from, last.to), cut(rows, from, to))) last.to = to
    else parts.push({ from, to })
  }
  return parts.length > 1 ? parts.map(({ from, to }) => cut(rows, from, to)) : [compact(rows)]
}

function cut(rows: readonly string[][], from: number, to: number): string[][] {
  return rows.map(cells => Array.from({ length: to - from }, (_, n) => cells[from + n] ?? ''))
}

/**
 * Tells two tables from one with an empty column: each names its columns and begins its rows with a value. They also end in different rows or
 * begin with the same name, or the values with which the second begins its rows are words that come once, as those of a key.
 */
function areTwo(left: readonly string[][], right: readonly string[][]): boolean {
  const [first, second] = [left, right].map(part => {
    const filled = part.filter(hasValue)
    const table = compact(filled.slice(tableStart(filled)))
    return { table, keys: table.map(([key = '']) => key), end: part.findLastIndex(hasValue) }
  })
  if (!first || !second) return false
  if ([first, second].some(({ table, keys }) => (table[0]?.length ?? 0) < 2 || !keys.every(Boolean) || !hasHead(table)))
    return false
  if (first.end !== second.end || first.keys[0] === second.keys[0]) return true
  return !second.keys.some(key => /^[\d.,-]+$/.test(key)) && new Set(second.keys).size === second.keys.length
}

/** The tables of a file of rows, and what it says above the first one. Behind rows without values another table may begin. */
function* tablesOf(all: readonly string[][], read: (table: string[][]) => Iterable<Block>): Generator<Block> {
  const start = tableStart(all)
  for (const cells of all.slice(0, start).filter(hasValue))
    yield { kind: 'paragraph', text: cells.filter(Boolean).join(', ') }
  let table: string[][] = []
  let isBegun = false
  for (const part of partsOf(all.slice(start))) {
    if (isBegun && hasHead(compact(part.filter(hasValue)))) {
      yield* read(table)
      table = part
    } else for (const cells of part) table.push(cells)
    isBegun ||= part.some(hasValue)
  }
  yield* read(table)
}

/** Rows with those without values behind them. */
function partsOf(rows: readonly string[][]): string[][][] {
  const parts: string[][][] = [[]]
  let isBetween = false
  for (const cells of rows) {
    if (isBetween && hasValue(cells)) parts.push([])
    parts.at(-1)?.push(cells)
    isBetween = !hasValue(cells)
  }
  return parts
}

/** Without the columns that have no value. */
function compact(table: readonly string[][]): string[][] {
  const columns = new Set(table.flatMap(cells => cells.flatMap((cell, n) => (cell ? [n] : []))))
  const order = [...columns].toSorted((a, b) => a - b)
  return table.map(cells => order.map(n => cells[n] ?? ''))
}

function* tableOf(rows: readonly string[][]): Generator<Block> {
  const start = rows.findIndex(hasValue)
  const first = rows[start]
  if (!first) return
  const others = rows.slice(start + 1)
  const isNamed = others.length === 0 || hasNames(first, others)
  const names = isNamed ? columnNames(first) : first.map(() => '')
  const columns = names.map((name, n) => name || `Column ${n + 1}`)
  const body = isNamed ? others : rows
  // A file of names alone still says something.
  if (!body.some(hasValue)) yield { kind: 'paragraph', text: first.join(', ') }
  for (const [n, cells] of body.entries()) {
    if (!hasValue(cells)) continue
    const extra = cells.slice(columns.length).map((_, m) => `Column ${columns.length + m + 1}`)
    yield { kind: 'row', row: n + 1, columns: extra.length > 0 ? [...columns, ...extra] : columns, cells }
  }
}

/**
 * Finds the first row of the table: rows above it have half as many values at the most, as a title or a period has, and it names its columns.
 * @returns 0 where there is no such row
 */
function tableStart(rows: readonly string[][]): number {
  const sample = rows.slice(0, SAMPLE_ROWS).map(cells => cells.filter(Boolean).length)
  const counts = sample.filter(count => count > 0).toSorted((a, b) => a - b)
  // Rows above a short table are many of its rows.
  const usual = counts[Math.floor(counts.length * 0.75)] ?? 0
  const start = sample.findIndex(count => count > usual / 2)
  const first = rows[start]
  if (start < 1 || start > TITLE_ROWS_MAX || !first) return 0
  // A narrow table may stand above a wide one.
  if (hasHead(compact(rows.slice(0, start).filter(hasValue)))) return 0
  const below = rows.slice(start + 1)
  return below.some(hasValue) && hasNames(first, below) ? start : 0
}

/** A row without values is left out, and counts. */
function hasValue(cells: readonly string[]): boolean {
  return cells.some(cell => cell !== '')
}

const OPTIONS = {
  relax_column_count: true,
  relax_quotes: true,
  trim: true,
  max_record_size: ROW_CHARS_MAX,
}

function readRows(text: string, delimiter: string): string[][] {
  const options = { ...OPTIONS, delimiter }
  try {
    return parse(text, options)
  } catch (error) {
    try {
      return readToOpenQuote(text, options, Number(Reflect.get(Object(error), 'records')))
    } catch (second) {
      throw faultOf(second, error)
    }
  }
}

/** @param error of reading without quotes, and `cause` of reading with them */
function faultOf(error: unknown, cause: unknown): ReadingError {
  if (Reflect.get(Object(error), 'code') === 'CSV_MAX_RECORD_SIZE') {
    return new ReadingError('LIMIT_EXCEEDED', LONG_ROW, { cause })
  }
  return new ReadingError('CORRUPT_FILE', 'The file could not be read as CSV: its rows cannot be distinguished.', {
    cause,
  })
}

/** A quote that is opened and never closed is a character like any other, and so are those behind it; the rows before it are whole. */
function readToOpenQuote(text: string, options: typeof OPTIONS & { delimiter: string }, before: number): string[][] {
  const read = before > 0 ? parse(text, { ...options, to: before, info: true }) : []
  const rows = read as unknown as readonly { readonly record: string[]; readonly info: { readonly bytes: number } }[]
  const rest = Buffer.from(text).subarray(rows.at(-1)?.info.bytes ?? 0)
  return [...rows.map(({ record }) => record), ...parse(rest, { ...options, quote: null })]
}

/** The delimiter by which the first lines have as many cells each, and most of them. */
function delimiterOf(sample: string): string {
  const lines = sample
    .split('\n')
    .slice(0, 20)
    .filter(line => line.trim())
  const scores = DELIMITERS.map(delimiter => {
    const counts = lines.map(line => unquoted(line).split(delimiter).length - 1)
    const least = counts.length > 0 ? (counts.toSorted((a, b) => a - b)[Math.floor(counts.length / 2)] ?? 0) : 0
    const alike = counts.filter(count => count === least).length
    return { delimiter, score: least === 0 ? 0 : (alike / lines.length) * 100 + least }
  })
  return scores.toSorted((a, b) => b.score - a.score)[0]?.delimiter ?? ','
}

function unquoted(line: string): string {
  return line.replace(/"(?:[^"]|"")*"/g, '""')
}

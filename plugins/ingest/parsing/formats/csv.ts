import { parse } from 'csv-parse/sync'
import { type Block, ReadingError } from '../../document/document.ts'
import { looksLikeNames } from '../columns.ts'

const DELIMITERS = [',', ';', '\t', '|'] as const
const SAMPLE_CHARS = 32_768
/** A row that is longer is no row: a quote was opened and never closed. */
const ROW_CHARS_MAX = 1_000_000

/** A table of values: each row with the names of its columns. */
export function* parseCsv(text: string): Generator<Block> {
  const delimiter = delimiterOf(text.slice(0, SAMPLE_CHARS))
  const rows = readRows(text, delimiter)
  const [first, ...others] = rows
  if (!first) return
  const hasNames = others.length === 0 || looksLikeNames(first)
  const columns = hasNames ? namesOf(first) : first.map((_, n) => `Column ${n + 1}`)
  const body = hasNames ? others : rows
  // A file of names alone still says something.
  if (body.length === 0) yield { kind: 'paragraph', text: first.join(', ') }
  for (let n = 0; n < body.length; n++) {
    const cells = body[n] ?? []
    const extra = cells.slice(columns.length).map((_, m) => `Column ${columns.length + m + 1}`)
    yield { kind: 'row', row: n + 1, columns: extra.length > 0 ? [...columns, ...extra] : columns, cells }
  }
}

function readRows(text: string, delimiter: string): string[][] {
  const options = {
    delimiter,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    skip_records_with_empty_values: true,
    trim: true,
    max_record_size: ROW_CHARS_MAX,
  }
  try {
    return parse(text, options)
  } catch (error) {
    try {
      // A quote that is opened and never closed: taken as a character like any other.
      return parse(text, { ...options, quote: null })
    } catch {
      throw new ReadingError('CORRUPT_FILE', 'The file could not be read as CSV: its rows cannot be distinguished.', {
        cause: error,
      })
    }
  }
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

function namesOf(first: readonly string[]): string[] {
  return first.map((name, n) => name.replace(/\s+/g, ' ') || `Column ${n + 1}`)
}

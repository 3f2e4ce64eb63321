import { stringify } from 'csv-stringify/sync'
import type { ArchivedMemory } from '../../memories/contract.ts'
import type { ExportWriter } from './format.ts'

const COLUMNS = [
  'id',
  'memory',
  'user_id',
  'agent_id',
  'session_id',
  'priority',
  'categories',
  'metadata',
  'layer',
  'expires_at',
  'source',
  'created_at',
  'updated_at',
] as const satisfies (keyof ArchivedMemory)[]

/** Spreadsheets take a file without it for one in the character set of the computer's region. */
const BYTE_ORDER_MARK = '\uFEFF'

const OPTIONS = {
  escape_formulas: true,
  record_delimiter: '\r\n',
  // By itself the library quotes no value with one half of the delimiter, at which readers end the row all the same.
  quoted_match: /[\r\n]/,
} as const

/**
 * The memories that lists show, for spreadsheets: RFC 4180, and values that a spreadsheet would take for a formula are
 * escaped with an apostrophe. Categories and metadata are JSON.
 */
export function csvWriter(): ExportWriter {
  const row = (values: readonly unknown[]) => stringify([[...values]], OPTIONS)
  return {
    contentType: 'text/csv; charset=utf-8',
    extension: 'csv',
    begin: () => `${BYTE_ORDER_MARK}${row(COLUMNS)}`,
    memory: memory => (memory.consolidated_into === null ? row(COLUMNS.map(column => cell(memory[column]))) : ''),
    beginSection: () => '',
    record: () => '',
    endSection: () => '',
    end: () => '',
  }
}

function cell(value: unknown): unknown {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : value
}

import { type Block, ReadingError } from '../../document/document.ts'
import type { ParsingLimits } from '../limits.ts'

/** A value whose text is this long at the most is one record; a longer one is told in parts. */
const RECORD_CHARS_MAX = 1000

type Value = string | number | boolean | null | Value[] | { [key: string]: Value }

/** JSON, or JSON Lines: each value with the path of its keys. */
export function* parseJson(text: string, limits: Pick<ParsingLimits, 'nesting'>): Generator<Block> {
  requireNesting(text, limits.nesting)
  const whole = tryParse(text)
  if (whole !== undefined) return yield* recordsOf(whole.value, '')
  yield* parseLines(text)
}

function* parseLines(text: string): Generator<Block> {
  const lines = text.split('\n').filter(line => line.trim())
  const values = lines.map(tryParse)
  const bad = values.indexOf(undefined)
  // A last line that was cut off leaves those before it as they are.
  if (lines.length < 2 || (bad !== -1 && bad < lines.length - 1) || bad === 0) {
    throw new ReadingError('CORRUPT_FILE', `The file is not valid JSON${placeOf(text)}.`)
  }
  for (const [n, value] of values.entries()) if (value) yield* recordsOf(value.value, `[${n}]`)
}

/** Numbers are kept as they are written: an identifier of 20 digits is no number that a program could hold. */
function tryParse(text: string): { value: Value } | undefined {
  try {
    return { value: JSON.parse(text, keepDigits) }
  } catch {
    return undefined
  }
}

function keepDigits(_: string, value: unknown, context?: { source?: string }): unknown {
  return typeof value === 'number' && context?.source !== undefined ? context.source : value
}

function placeOf(text: string): string {
  try {
    JSON.parse(text)
  } catch (error) {
    const line = /line (\d+)/.exec(error instanceof Error ? error.message : '')?.[1]
    return line ? ` (line ${line})` : ''
  }
  return ''
}

/** Counted before anything is parsed: parsers and walks descend as deep as the text does. */
function requireNesting(text: string, max: number): void {
  let depth = 0
  let inString = false
  for (let n = 0; n < text.length; n++) {
    const code = text.charCodeAt(n)
    if (inString) {
      if (code === 0x5c) n++
      else if (code === 0x22) inString = false
    } else if (code === 0x22) inString = true
    else if (code === 0x7b || code === 0x5b) {
      if (++depth > max) throw new ReadingError('LIMIT_EXCEEDED', `The file nests values more than ${max} levels deep.`)
    } else if (code === 0x7d || code === 0x5d) depth--
  }
}

function* recordsOf(value: Value, path: string): Generator<Block> {
  const isList = Array.isArray(value) && value.some(item => typeof item === 'object' && item !== null)
  if (!isList) {
    const fields = fieldsOf(value, '')
    if (fields.length === 0) return
    if (charactersOf(fields) <= RECORD_CHARS_MAX || typeof value !== 'object' || value === null) {
      return yield { kind: 'record', path: path || '$', fields }
    }
  }
  if (typeof value !== 'object' || value === null) return
  // Splits what is too much for one record: its plain values together, and each value that holds others by itself.
  const plain: [string, string][] = []
  for (const [key, child] of Object.entries(value)) {
    const own = Array.isArray(value) ? `${path}[${key}]` : path ? `${path}.${key}` : key
    if (typeof child === 'object' && child !== null && (isList || charactersOf(fieldsOf(child, '')) > 0)) {
      if (plain.length > 0) yield { kind: 'record', path: path || '$', fields: plain.splice(0) }
      yield* recordsOf(child, own)
    } else plain.push(...fieldsOf(child, Array.isArray(value) ? '' : key))
  }
  if (plain.length > 0) yield { kind: 'record', path: path || '$', fields: plain }
}

/** The plain values of a value, each with its path within it. */
function fieldsOf(value: Value, path: string): [string, string][] {
  if (value === null || value === '') return []
  if (typeof value !== 'object') return [[path, String(value)]]
  if (Array.isArray(value) && value.every(item => typeof item !== 'object' || item === null)) {
    const items = value.filter(item => item !== null && item !== '').map(String)
    return items.length > 0 ? [[path, items.join(', ')]] : []
  }
  return Object.entries(value).flatMap(([key, child]) =>
    fieldsOf(child, Array.isArray(value) ? `${path}[${key}]` : path ? `${path}.${key}` : key),
  )
}

function charactersOf(fields: readonly (readonly [string, string])[]): number {
  return fields.reduce((sum, [key, text]) => sum + key.length + text.length + 3, 0)
}

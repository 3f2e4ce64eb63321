import { JSONParser } from '@streamparser/json'
import { type Block, ReadingError } from '../../document/document.ts'
import { BinaryData } from '../binary-data.ts'
import type { ParsingLimits } from '../limits.ts'

/** A value whose text is this long at the most is one record; a longer one is told in parts. */
const RECORD_CHARS_MAX = 1000
const PATH_CHARS_MAX = 500
/** A longer item of a list is a line of its own. */
const LINE_CHARS_MIN = 60

/** A log in which a few lines are damaged is read without these; one in which more are is no file of JSON lines. */
const BROKEN_SHARE_MAX = 0.1
/** A warning names so many lines. */
const LINES_NAMED = 5

type Value = string | number | boolean | null | Value[] | { [key: string]: Value }

/**
 * JSON, or JSON Lines: each value with the path of its keys.
 * @param warnings gets a sentence for what is left out
 */
export function* parseJson(
  text: string,
  limits: Pick<ParsingLimits, 'nesting' | 'values'>,
  warnings: string[] = [],
  binary = new BinaryData(),
): Generator<Block> {
  requireBounds(text, limits)
  const whole = tryParse(text, binary)
  if (whole !== undefined) return yield* recordsOf(whole.value, '')
  yield* parseLines(text, warnings, binary)
}

/** @throws ReadingError for what is no JSON */
export function jsonValueOf(text: string, limits: Pick<ParsingLimits, 'nesting' | 'values'>): unknown {
  requireBounds(text, limits)
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new ReadingError('CORRUPT_FILE', 'The file is not valid JSON.', { cause })
  }
}

function* parseLines(text: string, warnings: string[], binary: BinaryData): Generator<Block> {
  const lines = text
    .split('\n')
    .flatMap((line, n) => (line.trim() ? [{ value: tryParse(line, binary), number: n + 1 }] : []))
  const broken = lines.filter(({ value }) => value === undefined).map(({ number }) => number)
  const isCutOff = broken.length === 1 && lines.length > 1 && lines.at(-1)?.value === undefined
  if (!isCutOff && broken.length > lines.length * BROKEN_SHARE_MAX) {
    const number = broken.length <= lines.length / 2 ? broken[0] : faultyLine(text)
    throw new ReadingError('CORRUPT_FILE', `The file is not valid JSON${number ? ` (line ${number})` : ''}.`)
  }
  if (isCutOff) warnings.push(`The last of its ${lines.length} lines is cut off and was left out.`)
  else if (broken.length > 0) warnings.push(brokenLines(broken, lines.length))
  for (const [n, { value }] of lines.entries()) if (value) yield* recordsOf(value.value, `[${n}]`)
}

function brokenLines(numbers: readonly number[], of: number): string {
  const named = numbers.slice(0, LINES_NAMED).join(', ')
  const dots = numbers.length > LINES_NAMED ? ', …' : ''
  return `${numbers.length} of its ${of} lines (${named}${dots}) ${numbers.length === 1 ? 'is not JSON and was' : 'are not JSON and were'} left out.`
}

/** Numbers are kept as they are written: an identifier of 20 digits is no number that a program could hold. */
function tryParse(text: string, binary: BinaryData): { value: Value } | undefined {
  try {
    return { value: JSON.parse(text, (_, value, context?: { source?: string }) => plainOf(value, context, binary)) }
  } catch {
    return undefined
  }
}

function plainOf(value: unknown, context: { source?: string } | undefined, binary: BinaryData): unknown {
  if (typeof value === 'string') return binary.without(value)
  return typeof value === 'number' && context?.source !== undefined ? context.source : value
}

/** Not every runtime says where its parser came to a halt. */
function faultyLine(text: string): number | undefined {
  const parser = new JSONParser({ paths: ['$'], keepStack: false, separator: '' })
  let isFaulty = false
  parser.onValue = () => undefined
  parser.onError = () => {
    isFaulty = true
  }
  for (const [n, line] of text.split('\n').entries()) {
    parser.write(`${line}\n`)
    if (isFaulty) return n + 1
  }
  return undefined
}

/** Counted before anything is parsed: parsers and walks descend as deep as the text does. */
function requireBounds(
  text: string,
  { nesting: max, values: valuesMax }: Pick<ParsingLimits, 'nesting' | 'values'>,
): void {
  let depth = 0
  let values = 0
  let inString = false
  for (let n = 0; n < text.length; n++) {
    const code = text.charCodeAt(n)
    if (inString) {
      if (code === 0x5c) n++
      else if (code === 0x22) inString = false
    } else if (code === 0x22) inString = true
    else if (code === 0x2c) values++
    else if (code === 0x7b || code === 0x5b) {
      values++
      if (++depth > max) throw new ReadingError('LIMIT_EXCEEDED', `The file nests values more than ${max} levels deep.`)
    } else if (code === 0x7d || code === 0x5d) depth--
    if (values > valuesMax) throw tooManyValues(valuesMax)
  }
}

function tooManyValues(max: number): ReadingError {
  return new ReadingError('LIMIT_EXCEEDED', `The file has more than ${max} values. Divide it and send its parts.`)
}

function* recordsOf(value: Value, path: string, sizes = new Sizes()): Generator<Block> {
  const { values, characters } = sizes.of(value)
  if (values === 0) return
  const isList = Array.isArray(value) && !isPlainList(value)
  if (typeof value !== 'object' || value === null || (!isList && characters <= RECORD_CHARS_MAX)) {
    return yield { kind: 'record', path: path || '$', fields: fieldsOf(value, '') }
  }
  // Splits what is too much for one record: its plain values together, and each value that holds others by itself.
  const plain: [string, string][] = []
  for (const [key, child] of Object.entries(value)) {
    if (typeof child === 'object' && child !== null && (isList || sizes.of(child).values > 0)) {
      if (plain.length > 0) yield { kind: 'record', path: path || '$', fields: plain.splice(0) }
      yield* recordsOf(child, shortened(pathOf(path, key, value)), sizes)
    } else plain.push(...fieldsOf(child, Array.isArray(value) ? '' : key))
  }
  if (plain.length > 0) yield { kind: 'record', path: path || '$', fields: plain }
}

function pathOf(path: string, key: string, of: object): string {
  if (Array.isArray(of)) return `${path}[${key}]`
  return path ? `${path}.${key}` : key
}

/** Every memory of a value has its path, so a key of any length must not be repeated with each. */
function shortened(path: string): string {
  if (path.length <= PATH_CHARS_MAX) return path
  return `${path.slice(0, PATH_CHARS_MAX / 2)}…${path.slice(1 - PATH_CHARS_MAX / 2)}`
}

/** The plain values of a value, each with its path within it. */
function fieldsOf(value: Value, path: string): [string, string][] {
  if (value === null || value === '') return []
  if (typeof value !== 'object') return [[path, String(value)]]
  if (isPlainList(value)) {
    const text = textOfList(value)
    return text ? [[path, text]] : []
  }
  return Object.entries(value).flatMap(([key, child]) => fieldsOf(child, pathOf(path, key, value)))
}

function isPlainList(value: object): value is Value[] {
  return Array.isArray(value) && value.every(item => typeof item !== 'object' || item === null)
}

/** Lines of a text, as notebooks and logs have them in a list, stay lines. */
function textOfList(list: readonly Value[]): string {
  const items = list.filter(item => item !== null && item !== '').map(String)
  if (items.length > 1 && items.slice(0, -1).every(item => item.endsWith('\n'))) return items.join('')
  return items.join(items.some(isLine) ? '\n' : ', ')
}

/** A name or a word stands in a line with others; a sentence has one of its own. */
function isLine(item: string): boolean {
  return item.includes('\n') || item.length > LINE_CHARS_MIN
}

/** Counts the plain values that a value holds, and the characters of these with their paths. */
interface Size {
  readonly values: number
  readonly characters: number
}

const NOTHING: Size = { values: 0, characters: 0 }

/** The sizes of the values of a document, each measured once however deep it lies. */
class Sizes {
  readonly #known = new Map<object, Size>()

  of(value: Value): Size {
    if (value === null || value === '') return NOTHING
    if (typeof value !== 'object') return { values: 1, characters: String(value).length + 3 }
    const known = this.#known.get(value)
    if (known) return known
    const size = isPlainList(value) ? this.of(textOfList(value)) : this.#sum(value)
    this.#known.set(value, size)
    return size
  }

  #sum(value: object): Size {
    let [values, characters] = [0, 0]
    for (const [key, child] of Object.entries(value)) {
      const own = this.of(child)
      values += own.values
      // The key stands before each of them.
      characters += own.characters + own.values * (key.length + 1)
    }
    return { values, characters }
  }
}

import { Type } from '@sinclair/typebox'
import { letOthersIn } from '../background/pace.ts'
import { AppError, type ErrorDetail, fail, validationError } from '../errors.ts'
import type { IncomingBody } from './incoming-body.ts'
import { KB, MB } from './sizes.ts'
import { compileValidator } from './validation.ts'

/** A JSON body may be so large where its route says nothing else. */
export const JSON_BODY_MAX_BYTES = MB

/** Objects and lists may lie within each other so deep. */
export const JSON_LEVELS_MAX = 64

/**
 * A JSON body may hold so many values, nested ones included, where its route says nothing else. The largest metadata
 * has 32,768.
 */
const JSON_VALUES_MAX = 50_000

/** One text of a JSON body may be so long as it is written. */
const JSON_TEXT_MAX_BYTES = MB

/** A shorter document is parsed within a fraction of a millisecond. */
const LONG_BYTES = 16 * KB

export interface JsonBodyLimits {
  readonly maxBytes?: number | undefined
  readonly valuesMax?: number | undefined
  /** No body at all is an empty object. */
  readonly optional?: boolean
}

export interface JsonBody {
  readonly value: unknown
  /** The bytes as received, which an idempotency fingerprint is made of. */
  readonly bytes: Uint8Array
}

/** Reads a JSON body within its limits. */
export async function readJson(
  { headers }: Request,
  body: IncomingBody,
  { maxBytes = JSON_BODY_MAX_BYTES, valuesMax, optional = false }: JsonBodyLimits = {},
): Promise<JsonBody> {
  if (!optional && !headers.has('content-type') && body.isEmpty) throw fault('is required')
  if (!optional) requireJson(headers)
  const bytes = await body.whole({ maxBytes, tooLarge: 'PAYLOAD_TOO_LARGE' })
  if (optional && bytes.length === 0) return { value: {}, bytes }
  if (optional) requireJson(headers)
  // One long document a turn of the event loop, however many arrive at once.
  if (bytes.length > LONG_BYTES) await letOthersIn()
  return { value: parseJson(bytes, valuesMax), bytes }
}

const NO_FIELDS = compileValidator(Type.Object({}))

/**
 * Reads a body, of whatever type, that its route takes none of. A client that sends fields means something by them, such as a filter, so
 * they are faults; nothing and `{}` are not. The runtimes keep the body of a GET to themselves, to which HTTP gives no meaning.
 */
export async function unwantedBodyFaults(
  body: IncomingBody,
  maxBytes = JSON_BODY_MAX_BYTES,
): Promise<readonly ErrorDetail[]> {
  const bytes = await body.whole({ maxBytes, tooLarge: 'PAYLOAD_TOO_LARGE' })
  if (bytes.length === 0) return []
  let value: unknown
  try {
    value = parseJson(bytes)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
  }
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  return isObject ? NO_FIELDS.faults(value) : [{ path: 'body', message: 'must be empty' }]
}

/** Throws UNSUPPORTED_MEDIA_TYPE unless a request says that its body is JSON, as it is. */
function requireJson(headers: Headers): void {
  const type = headers.get('content-type')
  if (!type || !/^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(type)) throw fail('UNSUPPORTED_MEDIA_TYPE')
  requireNoEncoding(headers)
}

/** A compressed body could be any number of times as large as what was received. */
export function requireNoEncoding(headers: Headers): void {
  const encoding = headers.get('content-encoding')
  if (encoding && encoding.trim().toLowerCase() !== 'identity')
    throw fail('UNSUPPORTED_MEDIA_TYPE', { message: 'Send the body without a content encoding.' })
}

const decoder = new TextDecoder('utf-8', { fatal: true })

/** Parses a document whose values were counted before anything is built of it. Throws a VALIDATION_ERROR that does not quote it. */
export function parseJson(bytes: Uint8Array, valuesMax = JSON_VALUES_MAX): unknown {
  if (bytes.length === 0) throw fault('is required')
  try {
    measure(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), valuesMax)
    return JSON.parse(decoder.decode(bytes))
  } catch (error) {
    // The error carries neither the parser's message nor its cause, as both can quote the document.
    throw error instanceof AppError ? error : fault('is not valid JSON in UTF-8')
  }
}

const [QUOTE, BACKSLASH, COMMA, LIST, LIST_END, OBJECT, OBJECT_END] = [0x22, 0x5c, 0x2c, 0x5b, 0x5d, 0x7b, 0x7d]

/**
 * Counts levels and values, bounds texts, and finds integers that a double would round: nobody notices an id that is off by one. A byte takes
 * some two nanoseconds, a tenth of what building values takes. The grammar is left to the parser.
 */
function measure(bytes: Buffer, valuesMax: number): void {
  let [level, values, keyAt, at] = [0, 1, 0, 0]
  while (at < bytes.length) {
    const byte = bytes[at] ?? 0
    if (byte === QUOTE) {
      keyAt = at
      at = endOfText(bytes, at)
    } else if (byte === COMMA || byte === LIST || byte === OBJECT) {
      if (++values > valuesMax) throw fault(`must have at most ${valuesMax} values`)
      if (byte !== COMMA && ++level > JSON_LEVELS_MAX) throw fault(`must have at most ${JSON_LEVELS_MAX} levels`)
    } else if (byte === LIST_END || byte === OBJECT_END) level--
    else if (isDigit(byte)) {
      const from = at
      while (isDigit(bytes[at + 1] ?? 0)) at++
      // No shorter integer is beyond what a double holds exactly.
      if (at - from >= 15) requireExact(bytes, from, at + 1, keyAt)
    }
    at++
  }
}

function isDigit(byte: number): boolean {
  return byte >= 0x30 && byte <= 0x39
}

/** Returns where a text that begins at `from` has its last quote. */
function endOfText(bytes: Buffer, from: number): number {
  let at = from
  do {
    at = bytes.indexOf(QUOTE, at + 1)
    if (at < 0) throw fault('is not valid JSON in UTF-8')
    if (at - from > JSON_TEXT_MAX_BYTES + 1) throw fault(`must have no text of more than ${JSON_TEXT_MAX_BYTES} bytes`)
  } while (isEscaped(bytes, at))
  return at
}

function isEscaped(bytes: Buffer, at: number): boolean {
  let before = at
  while (bytes[before - 1] === BACKSLASH) before--
  return (at - before) % 2 === 1
}

/** A run of digits is an integer where nothing else of a number stands before or behind it. */
function requireExact(bytes: Buffer, from: number, to: number, keyAt: number): void {
  const around = (at: number) => String.fromCharCode(bytes[at] ?? 0)
  if (/[.eE+]/.test(around(from - 1)) || /[.eE]/.test(around(to))) return
  if (around(from - 1) === '-' && /[eE]/.test(around(from - 2))) return
  // A double has at most 309 digits, so the beginning of a longer run says enough.
  if (Number.isSafeInteger(Number(bytes.toString('latin1', from, Math.min(to, from + 400))))) return
  const before = bytes.toString('utf8', keyAt, from)
  const key = /^("(?:[^"\\]|\\.)*")\s*:\s*-?$/.exec(before)?.[1]
  const where = key ? `under ${key}` : 'in a list'
  throw fault(`holds an integer beyond 2^53 ${where}, which cannot be kept exactly; send it as text`)
}

function fault(message: string): AppError {
  return validationError([{ path: 'body', message }])
}

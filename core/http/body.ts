import { Type } from '@sinclair/typebox'
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

/** Anyone may send the bodies of `/v1/auth/`, so their limit is low. */
export const AUTH_BODY_MAX_BYTES = 16 * KB
export const AUTH_BODY_VALUES_MAX = 100

export interface JsonBodyLimits {
  readonly maxBytes?: number | undefined
  readonly valuesMax?: number | undefined
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
  { maxBytes = JSON_BODY_MAX_BYTES, valuesMax }: JsonBodyLimits = {},
): Promise<JsonBody> {
  if (!headers.has('content-type') && body.isEmpty) throw fault('is required')
  requireJson(headers)
  const bytes = await body.whole({ maxBytes, tooLarge: 'PAYLOAD_TOO_LARGE' })
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
  return unwantedFaults(await body.whole({ maxBytes, tooLarge: 'PAYLOAD_TOO_LARGE' }))
}

/** Finds the same faults in a body that was read. */
export function unwantedFaults(bytes: Uint8Array): readonly ErrorDetail[] {
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
export function requireJson(headers: Headers): void {
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
    const text = decoder.decode(bytes)
    measure(text, valuesMax)
    return JSON.parse(text)
  } catch (error) {
    // The error carries neither the parser's message nor its cause, as both can quote the document.
    throw error instanceof AppError ? error : fault('is not valid JSON in UTF-8')
  }
}

/** Matches where a list or an object begins or ends, a value ends, and a text or a long run of digits begins. */
const SIGN = /["[\]{},]|-?\d{16,}/g

/**
 * Counts levels and values, bounds texts, and finds integers that a double would round: nobody notices an id that is off by one. The grammar is
 * left to the parser.
 */
function measure(text: string, valuesMax: number): void {
  let [level, values, key] = [0, 1, '']
  SIGN.lastIndex = 0
  for (let found = SIGN.exec(text); found; found = SIGN.exec(text)) {
    const [sign] = found
    if (sign === '"') {
      const end = endOfText(text, SIGN.lastIndex)
      key = text.slice(found.index, Math.min(end + 1, found.index + KB))
      SIGN.lastIndex = end + 1
    } else if (sign.length > 1) requireExact(text, found.index, sign, key)
    else if (sign === ']' || sign === '}') level--
    else {
      if (++values > valuesMax) throw fault(`must have at most ${valuesMax} values`)
      if (sign !== ',' && ++level > JSON_LEVELS_MAX) throw fault(`must have at most ${JSON_LEVELS_MAX} levels`)
    }
  }
}

function endOfText(text: string, from: number): number {
  for (let at = text.indexOf('"', from); at >= 0; at = text.indexOf('"', at + 1)) {
    if (at - from > JSON_TEXT_MAX_BYTES) throw fault(`must have no text of more than ${JSON_TEXT_MAX_BYTES} bytes`)
    let before = at
    while (text[before - 1] === '\\') before--
    if ((at - before) % 2 === 0) return at
  }
  throw fault('is not valid JSON in UTF-8')
}

/** A run of digits is an integer where nothing of a number stands before or behind it. */
function requireExact(text: string, at: number, digits: string, key: string): void {
  if (/[\d.eE+]/.test(text[at - 1] ?? '') || /[.eE]/.test(text[at + digits.length] ?? '')) return
  // A double has at most 309 digits, so the beginning of a longer run says enough.
  if (Number.isSafeInteger(Number(digits.slice(0, 400)))) return
  const where = /:\s*$/.test(text.slice(Math.max(0, at - 100), at)) ? `under ${key}` : 'in a list'
  throw fault(`holds an integer beyond 2^53 ${where}, which cannot be kept exactly; send it as text`)
}

function fault(message: string): AppError {
  return validationError([{ path: 'body', message }])
}

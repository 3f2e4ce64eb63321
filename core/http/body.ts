import { AppError, fail, validationError } from '../errors.ts'
import { type IncomingBody, KB, MB } from './incoming-body.ts'

/** A JSON body where its route says nothing else. */
export const JSON_BODY_MAX_BYTES = MB

/** Objects and lists within each other. */
export const JSON_LEVELS_MAX = 64

export interface JsonBody {
  readonly value: unknown
  /** As received; what an idempotency fingerprint is made of. */
  readonly bytes: Uint8Array
}

const decoder = new TextDecoder('utf-8', { fatal: true })

/** Reads a JSON body of at most `maxBytes`. */
export async function readJson(
  request: Request,
  body: IncomingBody,
  maxBytes = JSON_BODY_MAX_BYTES,
): Promise<JsonBody> {
  const type = request.headers.get('content-type')
  if (type === null && body.isEmpty) throw validationError([{ path: 'body', message: 'is required' }])
  requireJson(request)
  const bytes = await body.whole({ maxBytes, tooLarge: 'PAYLOAD_TOO_LARGE' })
  return { value: parseJson(bytes), bytes }
}

/** Throws UNSUPPORTED_MEDIA_TYPE unless the request says that its body is JSON, as it is. */
export function requireJson({ headers }: Request): void {
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

/** Throws a VALIDATION_ERROR that does not quote the document. */
export function parseJson(bytes: Uint8Array): unknown {
  if (bytes.length === 0) throw validationError([{ path: 'body', message: 'is required' }])
  if (isDeeper(bytes, JSON_LEVELS_MAX))
    throw validationError([{ path: 'body', message: `must have at most ${JSON_LEVELS_MAX} levels` }])
  try {
    const text = decoder.decode(bytes)
    return LONG_NUMBER.test(text) ? JSON.parse(text, refuseInexact) : JSON.parse(text)
  } catch (error) {
    if (error instanceof AppError) throw error
    // Neither the parser's message nor the cause: both can quote the document.
    throw validationError([{ path: 'body', message: 'is not valid JSON in UTF-8' }])
  }
}

const QUOTE = 0x22
const BACKSLASH = 0x5c

/** Looked at before parsing, since parsers and validators call themselves once a level. */
function isDeeper(bytes: Uint8Array, levelsMax: number): boolean {
  if (bytes.length <= levelsMax) return false
  let level = 0
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]
    if (byte === QUOTE) at = endOfString(bytes, at + 1)
    else if (byte === 0x5b || byte === 0x7b) {
      if (++level > levelsMax) return true
    } else if (byte === 0x5d || byte === 0x7d) level--
  }
  return false
}

/** Where the quote stands that closes the string; a backslash takes the byte after it along. */
function endOfString(bytes: Uint8Array, start: number): number {
  let at = start
  while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1
  return at
}

/** No shorter integer is beyond what a double holds exactly; nearly all documents are without one where a value can begin. */
const LONG_NUMBER = /(?:^|[[:,\s])-?\d{16}/

/** An integer that a double would round becomes a fault: nobody notices an id that is off by one. */
function refuseInexact(key: string, value: unknown, context?: { readonly source?: string }): unknown {
  const inexact = typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d+$/.test(context?.source ?? '')
  if (!inexact) return value
  const message = `holds an integer beyond 2^53 under ${JSON.stringify(key)}, which cannot be kept exactly; send it as text`
  throw validationError([{ path: 'body', message }])
}

/** The bodies of `/v1/auth/`, which anyone may send. */
export const AUTH_BODY_MAX_BYTES = 16 * KB

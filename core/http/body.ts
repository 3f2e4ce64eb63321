import { Type } from '@sinclair/typebox'
import { paced } from '../background/pace.ts'
import { finish, type Steps } from '../background/steps.ts'
import { AppError, type ErrorDetail, fail, validationError } from '../errors.ts'
import type { IncomingBody } from './incoming-body.ts'
import { PIECE_BYTES } from './json-outline.ts'
import { parseSteps } from './json-pieces.ts'
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
export const JSON_VALUES_MAX = 50_000

/** One text of a JSON body may be so long as it is written. */
const JSON_TEXT_MAX_BYTES = MB

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
  request: Request,
  body: IncomingBody,
  { maxBytes = JSON_BODY_MAX_BYTES, valuesMax = JSON_VALUES_MAX }: JsonBodyLimits = {},
): Promise<JsonBody> {
  const type = request.headers.get('content-type')
  if (type === null && body.isEmpty) throw validationError([{ path: 'body', message: 'is required' }])
  requireJson(request)
  const bytes = await body.whole({ maxBytes, tooLarge: 'PAYLOAD_TOO_LARGE' })
  return { value: await parsed(bytes, valuesMax), bytes }
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
  if (body.isEmpty) return []
  return unwantedFaults(await body.whole({ maxBytes, tooLarge: 'PAYLOAD_TOO_LARGE' }))
}

/** Finds the same faults in a body that was read. */
export async function unwantedFaults(bytes: Uint8Array): Promise<readonly ErrorDetail[]> {
  if (bytes.length === 0) return []
  const value = await parsedOrNot(bytes)
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  return isObject ? NO_FIELDS.faults(value) : [{ path: 'body', message: 'must be empty' }]
}

async function parsedOrNot(bytes: Uint8Array): Promise<unknown> {
  try {
    return await parsed(bytes, JSON_VALUES_MAX)
  } catch (error) {
    if (error instanceof AppError) return undefined
    throw error
  }
}

/** Parses a long document in pieces, between which other requests get a turn. */
function parsed(bytes: Uint8Array, valuesMax: number): unknown {
  const steps = jsonSteps(bytes, valuesMax)
  return bytes.length > PIECE_BYTES ? paced(steps) : finish(steps)
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

/** Parses a short document without a pause. Throws a VALIDATION_ERROR that does not quote it. */
export function parseJson(bytes: Uint8Array, valuesMax = JSON_VALUES_MAX): unknown {
  return finish(jsonSteps(bytes, valuesMax))
}

function jsonSteps(bytes: Uint8Array, valuesMax: number): Steps<unknown> {
  if (bytes.length === 0) throw validationError([{ path: 'body', message: 'is required' }])
  return parseSteps(bytes, { levels: JSON_LEVELS_MAX, values: valuesMax, textBytes: JSON_TEXT_MAX_BYTES })
}

/** Anyone may send the bodies of `/v1/auth/`, so their limit is low. */
export const AUTH_BODY_MAX_BYTES = 16 * KB
export const AUTH_BODY_VALUES_MAX = 100

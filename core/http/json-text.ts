import { Buffer } from 'node:buffer'
import { paced } from '../background/pace.ts'
import type { Steps } from '../background/steps.ts'
import { fail } from '../errors.ts'

/**
 * The JSON of a response has at most this size, unless its route says otherwise. A page of a hundred texts of the
 * longest kind takes 40 MB.
 */
export const RESPONSE_MAX_BYTES = 64_000_000

/** A text up to this length is written at one go, as a longer one's parts are. */
const PART_LENGTH = 64 * 1024

/**
 * Writes the JSON text of a body in parts that follow each other. Other requests get a turn while a long one is written. Too large a body is
 * found before there is a text of it, which would be a second copy of something that already fills the memory.
 * @param named gives how the error's sentence begins: `plugin weather: the response of GET /v1/x/weather/all`
 * @throws RESPONSE_TOO_LARGE
 */
export async function boundedJson(body: unknown, maxBytes: number, named: () => string): Promise<string[]> {
  const least = leastLength(body, maxBytes)
  if (least > maxBytes) throw tooLarge(maxBytes, named)
  if (least <= PART_LENGTH) return bounded([textOf(body, named)], maxBytes, named)
  return bounded(await paced(partSteps(body, named)), maxBytes, named)
}

function bounded(parts: string[], maxBytes: number, named: () => string): string[] {
  // A character takes up to three bytes, and an escaped one six characters.
  const length = parts.reduce((sum, part) => sum + part.length, 0)
  const isShort = length * 3 <= maxBytes
  if (isShort || parts.reduce((sum, part) => sum + Buffer.byteLength(part), 0) <= maxBytes) return parts
  throw tooLarge(maxBytes, named)
}

function* partSteps(body: unknown, named: () => string): Steps<string[]> {
  const parts: string[] = []
  let part = ''
  for (const piece of piecesOf(body, named)) {
    part += piece
    if (part.length >= PART_LENGTH) {
      parts.push(part)
      part = ''
    }
    yield
  }
  if (part !== '') parts.push(part)
  return parts
}

/** Long bodies are lists, or objects with one: each item is a piece. */
function* piecesOf(value: unknown, named: () => string): Generator<string> {
  if (Array.isArray(value) && !('toJSON' in value)) {
    yield '['
    for (const [index, item] of value.entries()) yield `${index > 0 ? ',' : ''}${written(item, named) ?? 'null'}`
    yield ']'
  } else if (isPlain(value)) {
    let before = '{'
    for (const [key, member] of Object.entries(value)) {
      const isList = Array.isArray(member)
      const text = isList ? '' : written(member, named)
      if (text === undefined) continue
      yield `${before}${JSON.stringify(key)}:${text}`
      if (isList) yield* piecesOf(member, named)
      before = ','
    }
    yield before === '{' ? '{}' : '}'
  } else yield textOf(value, named)
}

function isPlain(value: unknown): value is object {
  return (
    typeof value === 'object' &&
    value !== null &&
    Object.getPrototypeOf(value) === Object.prototype &&
    !('toJSON' in value)
  )
}

function textOf(body: unknown, named: () => string): string {
  const text = written(body, named)
  if (text !== undefined) return text
  throw new Error(`${named()} cannot be written as JSON: it is a ${typeof body}`)
}

/** @returns undefined for what has no text, such as a function */
function written(value: unknown, named: () => string): string | undefined {
  try {
    return JSON.stringify(value)
  } catch (cause) {
    throw new Error(`${named()} cannot be written as JSON: ${String(cause).split('\n', 1)[0]}`, { cause })
  }
}

function tooLarge(maxBytes: number, named: () => string) {
  const cause = new Error(
    `${named()} is larger than ${maxBytes} bytes; answer in pages or with a download, or raise the route's responseMaxBytes`,
  )
  return fail('RESPONSE_TOO_LARGE', { cause })
}

/** Below this depth `JSON.stringify` decides, which detects circles. */
const DEPTH_MAX = 500

/** Returns a lower bound of the characters that a value's JSON text has, or some number above `max`. */
function leastLength(value: unknown, max: number, depth = 0): number {
  if (typeof value === 'string') return value.length + 2
  if (typeof value !== 'object' || value === null || depth > DEPTH_MAX || 'toJSON' in value) return 1
  let length = 2
  if (Array.isArray(value)) {
    for (const item of value) {
      length += leastLength(item, max, depth + 1)
      if (length > max) return length
    }
    return length
  }
  for (const key of Object.keys(value)) {
    const member: unknown = Reflect.get(value, key)
    if (member === undefined || typeof member === 'function') continue
    length += key.length + 3 + leastLength(member, max, depth + 1)
    if (length > max) return length
  }
  return length
}

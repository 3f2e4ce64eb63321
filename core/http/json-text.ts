import { Buffer } from 'node:buffer'
import { fail } from '../errors.ts'

/**
 * The JSON of a response has at most this size, unless its route says otherwise. A page of a hundred texts of the
 * longest kind takes 40 MB.
 */
export const RESPONSE_MAX_BYTES = 64_000_000

/**
 * Writes the JSON text of a body. Too large a body is found before there is a text of it, which would be a second copy
 * of something that already fills the memory.
 * @param named gives how the error's sentence begins: `plugin weather: the response of GET /v1/x/weather/all`
 * @throws RESPONSE_TOO_LARGE
 */
export function boundedJson(body: unknown, maxBytes: number, named: () => string): string {
  if (leastLength(body, maxBytes) > maxBytes) throw tooLarge(maxBytes, named)
  const text = textOf(body, named)
  // A character takes up to three bytes, and an escaped one six characters.
  if (text.length * 3 > maxBytes && Buffer.byteLength(text) > maxBytes) throw tooLarge(maxBytes, named)
  return text
}

function textOf(body: unknown, named: () => string): string {
  try {
    // A function, for example, has no text.
    const text: string | undefined = JSON.stringify(body)
    if (text !== undefined) return text
  } catch (cause) {
    throw new Error(`${named()} cannot be written as JSON: ${String(cause).split('\n', 1)[0]}`, { cause })
  }
  throw new Error(`${named()} cannot be written as JSON: it is a ${typeof body}`)
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

import { Buffer } from 'node:buffer'
import { Kind, type TSchema, Type, TypeRegistry } from '@sinclair/typebox'

/** A metadata object is limited in the bytes of its JSON in UTF-8 and in levels of nesting. */
export const METADATA_BYTES_MAX = 65_536
export const METADATA_DEPTH_MAX = 32

export type Metadata = Readonly<Record<string, unknown>>

TypeRegistry.Set('Metadata', (_: TSchema, value: unknown) => isStorable(value))

/**
 * A schema for any JSON object that can be stored without loss: bounded, and free of values that JSON can write but Postgres cannot hold.
 */
export function metadata(options: { description?: string; examples?: unknown[] } = {}) {
  return Type.Unsafe<Metadata>({
    [Kind]: 'Metadata',
    type: 'object',
    additionalProperties: true,
    errorMessage: `must be an object of at most ${METADATA_BYTES_MAX} bytes and ${METADATA_DEPTH_MAX} levels, without NUL characters, lone surrogates or numbers beyond the range of a double`,
    ...options,
  })
}

function isStorable(value: unknown): value is Metadata {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  // The bounds are checked first, because only then is the recursion of JSON.stringify known to be shallow and cheap.
  if (!fitsBounds(value, METADATA_DEPTH_MAX, { values: METADATA_BYTES_MAX })) return false
  const json = JSON.stringify(value)
  if (json.length > METADATA_BYTES_MAX || Buffer.byteLength(json) > METADATA_BYTES_MAX) return false
  return !UNSTORABLE_ESCAPE.test(json)
}

/** JSON.stringify escapes NUL and lone surrogates, and nothing else, this way; an even run of backslashes is a literal one. */
const UNSTORABLE_ESCAPE = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f][0-9a-f]{2})/

/** Checks depth and number of values; the number bounds the bytes from below, since each value takes at least one. */
function fitsBounds(value: unknown, depth: number, room: { values: number }): boolean {
  if (--room.values < 0) return false
  if (typeof value === 'number') return Number.isFinite(value)
  if (typeof value !== 'object' || value === null) return true
  const items: unknown[] = Array.isArray(value) ? value : Object.values(value)
  return depth > 0 && items.every(item => fitsBounds(item, depth - 1, room))
}

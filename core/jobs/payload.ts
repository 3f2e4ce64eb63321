import type { TSchema } from '@sinclair/typebox'
import { TypeCompiler } from '@sinclair/typebox/compiler'
import { type ValueError, ValueErrorType } from '@sinclair/typebox/errors'

export type PayloadReading = { valid: true; value: unknown } | { valid: false; faults: string[] }

export type PayloadReader = (given: unknown) => PayloadReading

const readers = new WeakMap<TSchema, PayloadReader>()

const FAULTS_MAX = 10

/**
 * Each schema is compiled once. Cron jobs carry a `_cron` field of graphile-worker's, which tasks need not declare. A fault names a
 * field, once, and never its value: payloads may carry users' data.
 */
export function payloadReader(schema: TSchema): PayloadReader {
  const reader = readers.get(schema) ?? compile(schema)
  readers.set(schema, reader)
  return reader
}

function compile(schema: TSchema): PayloadReader {
  const compiled = TypeCompiler.Compile(schema)
  return given => {
    const value = withoutCron(given)
    if (compiled.Check(value)) return { valid: true, value }
    const byPath = new Map<string, string>()
    for (const error of compiled.Errors(value)) {
      // The first fault of a field is the reason for its others.
      if (!byPath.has(error.path)) byPath.set(error.path, faultOf(error))
      if (byPath.size >= FAULTS_MAX) break
    }
    return { valid: false, faults: [...byPath.values()] }
  }
}

function faultOf({ path, type, message }: ValueError): string {
  const field = path.slice(1).replaceAll('/', '.') || 'the payload'
  return type === ValueErrorType.ObjectRequiredProperty ? `${field} is required` : `${field}: ${message.toLowerCase()}`
}

/** A job is read as what JSON makes of it: a `Date` is text then. */
export function readAsStored(read: PayloadReader, payload: unknown): PayloadReading {
  const reading = read(payload)
  return reading.valid ? reading : read(JSON.parse(JSON.stringify(payload ?? null)))
}

function withoutCron(payload: unknown): unknown {
  if (typeof payload !== 'object' || payload === null || !('_cron' in payload)) return payload
  const { _cron, ...rest } = payload
  return rest
}

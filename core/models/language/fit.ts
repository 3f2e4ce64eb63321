import type { Static, TObject } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { coerced } from '../../coercion.ts'
import { storableText } from '../../storable-text.ts'

/** So many faults are told to the model; the first ones mostly cause the rest. */
const FAULTS_MAX = 5

/**
 * Returns the value with its type when it fits the schema, or can be read so; fields that the schema does not name are
 * dropped. Otherwise it returns a sentence for the model that tells where it does not fit.
 */
export function fit<T extends TObject>(
  schema: T,
  value: unknown,
): { readonly value: Static<T> } | { readonly fault: string } {
  const cleaned = storable(coerced(schema, value, 'completion'))
  if (Value.Check(schema, cleaned)) return { value: cleaned }
  const faults: string[] = []
  for (const { path, message } of Value.Errors(schema, cleaned)) {
    if (faults.push(`${path || 'the whole'}: ${message}`) === FAULTS_MAX) break
  }
  return { fault: `It does not fit the schema (${faults.join('; ')}).` }
}

/** Copies a value so that a database takes its texts: valid Unicode, without NUL. */
function storable(value: unknown): unknown {
  if (typeof value === 'string') return storableText(value)
  if (Array.isArray(value)) return value.map(storable)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [storableText(name), storable(item)]))
}

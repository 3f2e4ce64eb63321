import type { TObject, TSchema } from '@sinclair/typebox'
import type { ErrorDetail } from '../errors.ts'
import { readScalar } from './validation.ts'

/** A text field of a form; `text` is undefined where its bytes are no UTF-8. */
export interface TextField {
  readonly name: string
  readonly text: string | undefined
}

/**
 * Reads the text fields of a form as an object schema types them: numbers, booleans, lists comma-separated or repeated,
 * objects as JSON. A field that does not parse stays text, so that validation names it.
 */
export function readFields(
  schema: TObject,
  given: readonly TextField[],
): { value: Record<string, unknown>; faults: ErrorDetail[] } {
  const value: Record<string, unknown> = {}
  const faults: ErrorDetail[] = []
  for (const [path, texts] of byName(given)) {
    const property = Object.hasOwn(schema.properties, path) ? schema.properties[path] : undefined
    const [text] = texts
    if (!property) faults.push({ path, message: 'is not a known field' })
    else if (texts.includes(undefined)) faults.push({ path, message: 'must be UTF-8' })
    else if (property.type === 'array') value[path] = texts.flatMap(each => listed(each ?? ''))
    else if (texts.length > 1) faults.push({ path, message: 'must be given once' })
    else value[path] = readField(property, text ?? '')
  }
  return { value, faults }
}

/** Fills in omitted fields that have a default. */
export function withDefaults(schema: TObject, value: Record<string, unknown>): Record<string, unknown> {
  const defaults = Object.entries<TSchema>(schema.properties)
    .filter(([name, property]) => value[name] === undefined && property.default !== undefined)
    .map(([name, property]) => [name, property.default] as const)
  return defaults.length === 0 ? value : { ...value, ...Object.fromEntries(defaults) }
}

function byName(given: readonly TextField[]): Map<string, (string | undefined)[]> {
  const names = new Map<string, (string | undefined)[]>()
  for (const { name, text } of given) names.set(name, [...(names.get(name) ?? []), text])
  return names
}

function listed(text: string): string[] {
  return text
    .split(',')
    .map(item => item.trim())
    .filter(Boolean)
}

function readField(property: TSchema, text: string): unknown {
  if (property.type !== 'object') return readScalar(property, text)
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

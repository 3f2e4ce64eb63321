import type { Json } from '../support/client.ts'
import type { FieldPath } from './odd-texts.ts'

/** Tells whether a value fits a schema of the reference, in the keywords that the reference has. */
export function fits(schema: Json, value: Json): boolean {
  if (schema.anyOf) return schema.anyOf.some((part: Json) => fits(part, value))
  if (schema.const !== undefined) return value === schema.const
  if (schema.enum) return schema.enum.includes(value)
  return FITTING[schema.type]?.(schema, value) ?? true
}

const FITTING: Readonly<Record<string, (schema: Json, value: Json) => boolean>> = {
  null: (_, value) => value === null,
  boolean: (_, value) => typeof value === 'boolean',
  integer: (schema, value) => Number.isInteger(value) && isWithin(schema.minimum, value, schema.maximum),
  number: (schema, value) => typeof value === 'number' && isWithin(schema.minimum, value, schema.maximum),
  string: (schema, value) =>
    typeof value === 'string' &&
    isWithin(schema.minLength, value.length, schema.maxLength) &&
    new RegExp(schema.pattern ?? FORMATS[schema.format] ?? '').test(value),
  array: (schema, value) =>
    Array.isArray(value) &&
    isWithin(schema.minItems, value.length, schema.maxItems) &&
    value.every(item => fits(schema.items ?? {}, item)),
  object: (schema, value) =>
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    (schema.required ?? []).every((name: string) => name in value) &&
    Object.entries<Json>(value).every(([name, part]) => fitsIn(schema, name, part)),
}

function fitsIn({ properties = {}, additionalProperties = true }: Json, name: string, value: Json): boolean {
  if (properties[name]) return fits(properties[name], value)
  return typeof additionalProperties === 'object' ? fits(additionalProperties, value) : additionalProperties
}

const FORMATS: Readonly<Record<string, string>> = { uuid: '^[0-9a-f-]{36}$', 'date-time': '^\\d{4}-\\d\\d-\\d\\d' }

function isWithin(min = Number.NEGATIVE_INFINITY, value: number, max = Number.POSITIVE_INFINITY): boolean {
  return value >= min && value <= max
}

/** A part of a schema, and where its value stands; a number stands for an item of a list. */
export interface Field {
  readonly at: FieldPath
  readonly schema: Json
}

/** Lists the fields of a schema at every depth. */
export function fieldsOf(schema: Json, at: FieldPath = []): Field[] {
  const own = at.length > 0 ? [{ at, schema }] : []
  const members = (schema.anyOf ?? []).flatMap((part: Json) => fieldsOf(part, at).filter(field => field.at !== at))
  const items = schema.items ? fieldsOf(schema.items, [...at, 0]) : []
  const properties = Object.entries<Json>(schema.properties ?? {}).flatMap(([name, part]) =>
    fieldsOf(part, [...at, name]),
  )
  return [...own, ...members, ...items, ...properties]
}

import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { Json } from '../support/client.ts'
import type { FieldPath } from './odd-texts.ts'

/** OpenAPI 3.1 describes values by JSON Schema of this draft. Strict mode refuses keywords and formats that it does not know. */
const ajv = new Ajv2020({ allErrors: true, strict: true, allowUnionTypes: true })
addFormats.default(ajv)

const validators = new WeakMap<object, ValidateFunction>()

/** Lists what is wrong with a value by a schema of the reference. */
export function misfits(schema: Json, value: Json): string[] {
  const validate = validators.get(schema) ?? ajv.compile(schema)
  validators.set(schema, validate)
  return validate(value) ? [] : (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`)
}

export function fits(schema: Json, value: Json): boolean {
  return misfits(schema, value).length === 0
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

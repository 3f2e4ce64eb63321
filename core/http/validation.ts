import {
  FormatRegistry,
  Kind,
  type Static,
  type TObject,
  type TSchema,
  type TString,
  type TUnsafe,
  Type,
  TypeRegistry,
} from '@sinclair/typebox'
import { type TypeCheck, TypeCompiler } from '@sinclair/typebox/compiler'
import { type ValueError, ValueErrorType } from '@sinclair/typebox/errors'
import { DATE_MESSAGE, expectationOf } from '../coercion.ts'
import { DETAILS_MAX, type ErrorDetail } from '../errors.ts'
import { splitList } from '../parts.ts'
import { instantFault, parseInstant } from './time.ts'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

FormatRegistry.Set('uuid', value => UUID.test(value))
FormatRegistry.Set('date-time', value => parseInstant(value) !== undefined)

TypeRegistry.Set<TextOptions>(
  'Text',
  (schema, value) => typeof value === 'string' && textFault(schema, value) === undefined,
)

interface TextOptions {
  minLength?: number
  maxLength?: number
  notBlank?: boolean
}

/**
 * Makes a schema of strings whose lengths count Unicode code points, as JSON Schema defines them (TypeBox's own string
 * counts UTF-16 units). It refuses NUL, which Postgres cannot store, and, with `notBlank`, text that shows nothing.
 */
export function text(
  options: TextOptions & { description?: string; examples?: unknown[]; default?: string } = {},
): TUnsafe<string> {
  return Type.Unsafe<string>({ [Kind]: 'Text', type: 'string', ...options })
}

/** Makes a schema of UUIDs in any letter case. */
export function uuid(options: { description?: string } = {}): TString {
  return Type.String({ format: 'uuid', ...options })
}

/**
 * Makes a schema of ISO 8601 dates or date-times that a caller gives, between 1900 and 2200; no offset means UTC.
 * `happened` refuses those more than a day ahead.
 */
export function instant(options: { description?: string; happened?: boolean } = {}): TUnsafe<string> {
  return Type.Unsafe<string>({ [Kind]: 'Instant', type: 'string', format: 'date-time', ...options })
}
TypeRegistry.Set<{ happened?: boolean }>(
  'Instant',
  (schema, value) => typeof value === 'string' && instantFault(value, schema) === undefined,
)

/** Makes a schema of one of a few words. */
export function oneOf<const V extends string>(
  values: readonly V[],
  options: { description?: string; default?: V } = {},
): TUnsafe<V> {
  return Type.Unsafe<V>({ [Kind]: 'OneOf', type: 'string', enum: values, ...options })
}
TypeRegistry.Set<{ enum: readonly string[] }>(
  'OneOf',
  (schema, value) => typeof value === 'string' && schema.enum.includes(value),
)

/** A compiled schema: objects refuse unknown fields unless they say otherwise. */
export interface Validator<T> {
  /** Returns the faults, empty when `value` fits. Never echoes the value. */
  faults(value: unknown): ErrorDetail[]
  readonly schema: TSchema
  readonly of?: T
}

export function compileValidator<S extends TSchema>(schema: S): Validator<Static<S>> {
  const closed = closeObjects(schema)
  const compiled: TypeCheck<TSchema> = TypeCompiler.Compile(closed)
  return {
    schema: closed,
    faults(value) {
      if (compiled.Check(value)) return []
      const byPath = new Map<string, ErrorDetail>()
      for (const error of withinUnions(compiled.Errors(shortened(closed, value)))) {
        const path = dotted(error.path)
        if (!byPath.has(path)) byPath.set(path, { path, message: faultMessage(error) })
        if (byPath.size >= DETAILS_MAX) break
      }
      return [...byPath.values()]
    },
  }
}

/** The faults of the member of a union that the value was meant for speak for the union. */
function* withinUnions(errors: Iterable<ValueError>): Iterable<ValueError> {
  for (const error of errors) {
    const own = error.errors[meantMember(error)]
    if (own) yield* withinUnions(own)
    else yield error
  }
}

/** The place of the one member beside null, unless the union has a message of its own, or of the only one of the value's type; else -1. */
function meantMember({ schema, value }: ValueError): number {
  if (nonNull(schema) !== schema) return schema.errorMessage ? -1 : 0
  const members: TSchema[] = schema.anyOf ?? []
  const fitting = members.filter(member => member.type === typeOf(value) && !('const' in member))
  return fitting[0] && fitting.length === 1 ? members.indexOf(fitting[0]) : -1
}

function typeOf(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}

/** The schema of the value where a schema says `value or null`; any other as it is. */
function nonNull(schema: TSchema): TSchema {
  const { anyOf = [] } = schema
  return anyOf.length === 2 && anyOf[1][Kind] === 'Null' ? anyOf[0] : schema
}

/** Cuts lists off after the first item too many: that there are more says enough, and millions would take seconds. */
function shortened(given: TSchema, value: unknown): unknown {
  const schema = nonNull(given)
  if (schema.type === 'array' && schema.items && Array.isArray(value)) {
    return value.slice(0, Number(schema.maxItems ?? value.length) + 1).map(item => shortened(schema.items, item))
  }
  if (schema[Kind] !== 'Object' || typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const cut = new Map<string, unknown>()
  for (const [name, property] of Object.entries<TSchema>(schema.properties)) {
    if (!Object.hasOwn(value, name)) continue
    const whole: unknown = Reflect.get(value, name)
    const short = shortened(property, whole)
    if (short !== whole) cut.set(name, short)
  }
  return cut.size === 0 ? value : { ...value, ...Object.fromEntries(cut) }
}

/**
 * Sets `additionalProperties: false` on every object that does not decide for itself, so that a typo is an error. Intersections stay
 * open: each of their objects would refuse the fields of the others.
 */
function closeObjects<S extends TSchema>(schema: S): S {
  const { items, anyOf, patternProperties, properties } = schema
  if (schema.type === 'array' && items) {
    return { ...schema, items: Array.isArray(items) ? items.map(item => closeObjects(item)) : closeObjects(items) }
  }
  if (schema[Kind] === 'Union') return { ...schema, anyOf: anyOf.map((member: TSchema) => closeObjects(member)) }
  if (schema[Kind] === 'Record') {
    const closed = ANY_KEY in patternProperties ? {} : { additionalProperties: false }
    return { ...closed, ...schema, patternProperties: closeEach(patternProperties) }
  }
  if (schema[Kind] !== 'Object') return schema
  return { additionalProperties: false, ...schema, properties: closeEach(properties) }
}

/** TypeBox writes this pattern for `Type.Record(Type.String(), …)`. It matches no line break, which a key may hold. */
const ANY_KEY = '^(.*)$'

function closeEach(schemas: Record<string, TSchema>): Record<string, TSchema> {
  return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, closeObjects(schema)]))
}

/** Turns `/things/0/name` into `things.0.name`; the document itself is `body`. */
function dotted(pointer: string): string {
  if (pointer === '') return 'body'
  return pointer
    .slice(1)
    .split('/')
    .map(part => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .join('.')
}

function faultMessage({ type, schema, value }: ValueError): string {
  if (type === ValueErrorType.ObjectAdditionalProperties) return 'is not a known field'
  if (type === ValueErrorType.ObjectRequiredProperty || value === undefined) return 'is required'
  if (schema[Kind] === 'Text')
    return typeof value === 'string' ? (textFault(textOptions(schema), value) ?? 'is not valid') : 'must be a string'
  if (schema[Kind] === 'Instant')
    return (typeof value === 'string' && instantFault(value, { happened: schema.happened })) || DATE_MESSAGE
  if (type === ValueErrorType.ArrayMaxItems) return `must have at most ${counted(schema.maxItems, 'item')}`
  if (type === ValueErrorType.ArrayMinItems) return `must have at least ${counted(schema.minItems, 'item')}`
  if (type === ValueErrorType.TupleLength) return `must have ${counted(schema.maxItems, 'item')}`
  if (schema.type === 'object') return 'must be an object'
  if (schema.type === 'array') return 'must be an array'
  if (schema.type === 'string' && !schema.errorMessage && !schema.enum && !schema.format && !schema.pattern)
    return typeof value === 'string' ? lengthMessage(schema) : 'must be a string'
  return expectationOf(schema)
}

function textOptions({ minLength, maxLength, notBlank }: TSchema): TextOptions {
  return { minLength, maxLength, notBlank }
}

function lengthMessage(schema: TSchema): string {
  if (schema.maxLength !== undefined) return `must have at most ${counted(schema.maxLength, 'character')}`
  return `must have at least ${counted(schema.minLength ?? 1, 'character')}`
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

/** Matches anything but white space and invisible characters: zero-width ones, direction controls. */
const VISIBLE = /[^\s\p{Default_Ignorable_Code_Point}]/u

function textFault(schema: TextOptions, value: string): string | undefined {
  if (value.includes('\u0000')) return 'must not contain the NUL character'
  // Half a surrogate pair is no text: Postgres and other receivers refuse it or change it.
  if (!value.isWellFormed()) return 'must be well-formed Unicode'
  if (schema.notBlank && !VISIBLE.test(value)) return 'must not be blank'
  const { minLength = 0, maxLength = Number.POSITIVE_INFINITY } = schema
  // UTF-16 length bounds the code points from both sides; only texts between the bounds need counting.
  const certainlyFits = value.length <= maxLength && value.length >= minLength * 2
  if (certainlyFits) return undefined
  // A code point takes two units at the most, and texts of megabytes are not worth counting.
  const length = value.length > maxLength * 2 ? maxLength + 1 : countCodePoints(value)
  if (length > maxLength) return `must have at most ${counted(maxLength, 'character')}`
  if (length < minLength) return `must have at least ${counted(minLength, 'character')}`
  return undefined
}

function countCodePoints(value: string): number {
  let count = 0
  for (const _ of value) count++
  return count
}

/** Texts as their schema types them, with its defaults. */
export interface TypedTexts {
  readonly value: Record<string, unknown>
  readonly faults: ErrorDetail[]
}

/**
 * Makes a reader of query parameters, or fields of a form, as an object schema types them: lists comma-separated or repeated, numbers,
 * booleans, objects as JSON. A text that does not parse stays one, so that validation names it. What is not given costs a request nothing.
 */
export function textsReader(schema: TObject, noun: 'parameter' | 'field') {
  const properties = new Map(Object.entries<TSchema>(schema.properties))
  const defaults = [...properties].filter(([, property]) => property.default !== undefined)
  return (given: Iterable<readonly [string, readonly string[]]>, isWhole = true): TypedTexts => {
    const value: Record<string, unknown> = {}
    const faults: ErrorDetail[] = []
    for (const [path, texts] of given) {
      const property = properties.get(path)
      if (!property) faults.push({ path, message: `is not a known ${noun}` })
      else if (property.type === 'array') value[path] = texts.flatMap(splitList)
      else if (texts.length > 1) faults.push({ path, message: 'must be given once' })
      else value[path] = readText(property, texts[0] ?? '')
    }
    if (isWhole) for (const [name, property] of defaults) value[name] ??= property.default
    return { value, faults }
  }
}

/** Reads the texts of a query. */
export function queryReader(schema: TObject): (parameters: URLSearchParams) => TypedTexts {
  const read = textsReader(schema, 'parameter')
  return parameters => read([...new Set(parameters.keys())].map(name => [name, parameters.getAll(name)]))
}

function readText(schema: TSchema, text: string): unknown {
  if (schema.type === 'integer' || schema.type === 'number') return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text
  if (schema.type === 'boolean' && /^(true|false|1|0)$/.test(text)) return text === 'true' || text === '1'
  if (schema.type !== 'object') return text
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

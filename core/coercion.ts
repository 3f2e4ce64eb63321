import { type TArray, type TSchema, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'

/** Marks a list whose items are independent; a symbol, so that it is not part of what a model is sent. */
const EACH_FOR_ITSELF = Symbol('each for itself')

/**
 * Makes a list whose items are independent: a malformed one is left out and does not cost the others, and an omitted
 * list is an empty one.
 */
export function listOf<T extends TSchema>(item: T, options: { readonly description?: string } = {}): TArray<T> {
  return Object.assign(Type.Array(item, { ...options, default: [] }), { [EACH_FOR_ITSELF]: true })
}

/**
 * A completion is filled with defaults and loses the fields that the schema does not name. Arguments of a call keep
 * them, since a slip must not go unnoticed; in them an empty text stands for a field left out, and a list of texts may
 * be one text with commas, as in the query of an address.
 */
export type Written = 'completion' | 'arguments'

/**
 * Brings what a model wrote into the shape of a JSON Schema, where models are known to deviate from it: numbers and booleans in
 * quotes, numbers without them where a text is wanted, lists and objects as JSON in a text, choices in another
 * spelling, a single item in place of a list, null or nothing in place of what may be left out, null as a text.
 * The result may still not fit.
 */
export function coerced(schema: TSchema, value: unknown, written: Written): unknown {
  if (schema.type === 'array') return coercedList(schema, unpacked(value), written)
  if (schema.type === 'object') return coercedObject(schema, unpacked(value), written)
  const choices = choicesOf(schema)
  if (choices) return closest(choices, value)
  if (schema.anyOf) return coercedUnion(schema.anyOf, value, written)
  if (typeof value === 'string') {
    const isNumber = schema.type === 'number' || schema.type === 'integer'
    if (isNumber && /^\s*-?\d{1,15}(?:\.\d{1,15})?\s*$/.test(value)) return Number(value)
    if (schema.type === 'boolean' && /^\s*(?:true|false)\s*$/i.test(value)) return value.trim().toLowerCase() === 'true'
  }
  return typeof value === 'number' && schema.type === 'string' ? String(value) : value
}

function coercedUnion(members: readonly TSchema[], value: unknown, written: Written): unknown {
  const fitting = members.find(member => Value.Check(member, value))
  if (fitting && value !== 'null') return coerced(fitting, value, written)
  const isNullable = members.some(member => member.type === 'null')
  if (isNullable && (value === null || (value === 'null' && isNull(members, written)))) return null
  const [only, ...others] = members.filter(member => member.type !== 'null')
  if (only && others.length === 0) return coerced(only, value, written)
  const forms = members.map(member => ({ member, form: coerced(member, value, written) }))
  return forms.find(({ member, form }) => Value.Check(member, form))?.form ?? value
}

/** Somebody may be called so: where an argument is any text, it is meant as it stands. */
function isNull(members: readonly TSchema[], written: Written): boolean {
  return written === 'completion' || members.every(member => member.type !== 'string' || choicesOf(member))
}

/** Returns the texts that the schema allows, where it names them all. */
function choicesOf(schema: TSchema): readonly string[] | undefined {
  const options: unknown[] = schema.anyOf?.map((option: TSchema) => option.const) ?? schema.enum ?? [schema.const]
  return options.length > 0 && options.every(option => typeof option === 'string') ? options : undefined
}

/** Returns the only choice of the same letters and digits: `works at` stands for `WORKS_AT`. */
function closest(choices: readonly string[], value: unknown): unknown {
  if (typeof value !== 'string' || choices.includes(value)) return value
  const [found, ...others] = choices.filter(choice => bare(choice) === bare(value))
  return found !== undefined && others.length === 0 ? found : value
}

function bare(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')
}

function coercedList(schema: TSchema, given: unknown, written: Written): unknown {
  if (!schema.items || given === null) return given
  const value = Array.isArray(given) ? given : listed(schema.items, given, written)
  if (!Array.isArray(value)) return value
  const items = value.map(item => coerced(schema.items, item, written))
  return EACH_FOR_ITSELF in schema ? items.filter(item => Value.Check(schema.items, item)) : items
}

/** Models leave the brackets out around a single item. */
function listed(item: TSchema, given: unknown, written: Written): unknown {
  if (typeof given === 'object' && item.type === 'object') return [given]
  const isTexts = written === 'arguments' && item.type === 'string' && typeof given === 'string'
  // JSON that could not be read is no list of its pieces.
  if (!isTexts || looksPacked(given)) return given
  return given
    .split(',')
    .map(text => text.trim())
    .filter(text => text !== '')
}

function coercedObject(schema: TSchema, value: unknown, written: Written): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const properties: Readonly<Record<string, TSchema>> | undefined = schema.properties
  const required: readonly string[] = schema.required ?? []
  if (!properties) return written === 'completion' && schema.patternProperties ? Value.Clean(schema, value) : value
  const given = new Map(Object.entries(value))
  const named = Object.entries(properties).flatMap(([name, field]) => {
    const item = given.get(name)
    const isRequired = required.includes(name)
    const isLeftOut = item === undefined || standsForNothing(field, item, { isRequired, written })
    if (isLeftOut && written === 'completion' && 'default' in field) return [[name, field.default]]
    return (isLeftOut && !isRequired) || !given.has(name) ? [] : [[name, coerced(field, item, written)]]
  })
  const others = written === 'completion' ? [] : [...given].filter(([name]) => !Object.hasOwn(properties, name))
  return Object.fromEntries([...named, ...others])
}

function standsForNothing(
  field: TSchema,
  value: unknown,
  { isRequired, written }: { readonly isRequired: boolean; readonly written: Written },
): boolean {
  if (value === '') return written === 'arguments' && !isRequired
  return value === null && !Value.Check(field, null)
}

/** Reads a list or an object that was written as a text. */
function unpacked(value: unknown): unknown {
  if (typeof value !== 'string' || !looksPacked(value)) return value
  try {
    const read: unknown = JSON.parse(value)
    return hasLevels(read, LEVELS_MAX) ? read : value
  } catch {
    return value
  }
}

function looksPacked(text: string): boolean {
  return /^\s*[[{]/.test(text)
}

/** No JSON that is sent may be deeper, and whoever walks through it would run out of stack. */
const LEVELS_MAX = 64

function hasLevels(value: unknown, most: number): boolean {
  if (typeof value !== 'object' || value === null) return true
  return most > 0 && Object.values(value).every(part => hasLevels(part, most - 1))
}

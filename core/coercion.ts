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
 * quotes, numbers without them where a text is wanted, lists and objects as JSON or Python in a text, lists as lines with bullets, choices in
 * another spelling, names in quotes, a single item in place of a list, null or nothing in place of what may be left out, null as a text.
 * The result may still not fit.
 */
export function coerced(schema: TSchema, given: unknown, written: Written): unknown {
  if (schema.type === 'array') return coercedList(schema, unpacked(given), written)
  if (schema.type === 'object') return coercedObject(schema, unpacked(given), written)
  const value = written === 'arguments' && typeof given === 'string' && isName(schema) ? unquoted(given) : given
  const choices = choicesOf(schema)
  if (choices) return closest(choices, value)
  if (schema.anyOf) return coercedUnion(schema.anyOf, value, written)
  if (typeof value === 'string') {
    const isNumber = schema.type === 'number' || schema.type === 'integer'
    if (isNumber && NUMBER.test(value)) return Number(value.replaceAll(',', ''))
    if (schema.type === 'boolean' && /^\s*(?:true|false)\s*$/i.test(value)) return value.trim().toLowerCase() === 'true'
  }
  return typeof value === 'number' && schema.type === 'string' ? String(value) : value
}

/** Also with commas between thousands. */
const NUMBER = /^\s*-?(?:\d{1,15}|\d{1,3}(?:,\d{3}){1,4})(?:\.\d{1,15})?\s*$/

/** Ids, names and labels have at most so many characters. A text that may be longer is what somebody says, and is meant as it stands. */
const NAME_LENGTH_MAX = 255

function membersOf(schema: TSchema): readonly TSchema[] {
  return schema.anyOf ?? [schema]
}

function isSaid(schema: TSchema): boolean {
  return membersOf(schema).some(member => {
    const { type, format, pattern, maxLength = Number.POSITIVE_INFINITY } = member
    return type === 'string' && !choicesOf(member) && !format && !pattern && maxLength > NAME_LENGTH_MAX
  })
}

function isName(schema: TSchema): boolean {
  return membersOf(schema).every(({ type }) => type === 'string' || type === 'null') && !isSaid(schema)
}

/** Takes spaces around a name away, and one pair of quotes. */
function unquoted(text: string): string {
  const bare = text.trim()
  return /^(["'`]).*\1$/s.test(bare) && bare.length > 1 ? bare.slice(1, -1).trim() : bare
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

const BULLET = /^\s*(?:[-*•]|\d{1,3}[.)])\s+/

/** Models leave the brackets out around a single item. */
function listed(item: TSchema, given: unknown, written: Written): unknown {
  if (typeof given === 'object' && item.type === 'object') return [given]
  const isTexts = written === 'arguments' && item.type === 'string' && typeof given === 'string'
  // JSON that could not be read is no list of its pieces.
  if (!isTexts || looksPacked(given)) return given
  const lines = given.split('\n').filter(line => line.trim() !== '')
  if (lines.every(line => BULLET.test(line))) return lines.map(line => line.replace(BULLET, ''))
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
  if (typeof value !== 'string' || written === 'completion') return value === null && !Value.Check(field, null)
  if (isRequired) return false
  return (
    value === '' ||
    (!isSaid(field) && NOTHING.has(unquoted(value)) && !choicesOf(field)?.some(one => bare(one) === bare(value)))
  )
}

const NOTHING: ReadonlySet<string> = new Set(['', 'null', 'None', 'undefined'])

/** Reads a list or an object that was written as a text, also one in a fence, with the quotes of Python, or as a text in a text. */
function unpacked(value: unknown, times = PACKED_TIMES_MAX): unknown {
  if (typeof value !== 'string' || times === 0) return value
  const text = unfenced(value.trim())
  if (!/^["[{]/.test(text)) return value
  const read = parsed(text) ?? parsed(text.replaceAll(PYTHON, toJson))
  if (typeof read === 'string') return unpacked(read, times - 1)
  return read !== undefined && hasLevels(read, LEVELS_MAX) ? read : value
}

const PACKED_TIMES_MAX = 3

function unfenced(text: string): string {
  const isFenced = text.length > 6 && text.startsWith('```') && text.endsWith('```')
  return isFenced ? text.slice(3, -3).replace(/^\w+/, '').trim() : text
}

function looksPacked(text: string): boolean {
  return /^\s*(?:```|[[{])/.test(text)
}

/** Texts and words of Python that JSON writes otherwise; texts in double quotes, so that nothing in them is taken for one. */
const PYTHON = /'((?:[^'\\]|\\.)*)'|"(?:[^"\\]|\\.)*"|\b(?:True|False|None)\b/gs

function toJson(written: string, text: string | undefined): string {
  if (text !== undefined) return `"${text.replaceAll("\\'", "'").replaceAll('"', '\\"')}"`
  if (written === 'None') return 'null'
  return written.startsWith('"') ? written : written.toLowerCase()
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** No JSON that is sent may be deeper, and whoever walks through it would run out of stack. */
const LEVELS_MAX = 64

function hasLevels(value: unknown, most: number): boolean {
  if (typeof value !== 'object' || value === null) return true
  return most > 0 && Object.values(value).every(part => hasLevels(part, most - 1))
}

/** Says what a value of a schema for single values would have to be: `must be a whole number from 1 to 5`. */
export function expectationOf(schema: TSchema): string {
  if (schema.errorMessage) return schema.errorMessage
  if (Array.isArray(schema.enum)) return `must be one of ${schema.enum.join(', ')}`
  if (schema.format === 'uuid') return 'must be a UUID'
  if (schema.format === 'date-time') return DATE_MESSAGE
  if (schema.type === 'integer' || schema.type === 'number') return numberMessage(schema)
  if (schema.type === 'boolean') return 'must be true or false'
  if (schema.pattern) return `must match ${schema.pattern}`
  return schema.type === 'string' ? 'must be a string' : 'is not valid'
}

export const DATE_MESSAGE = 'must be an ISO 8601 date or date-time'

function numberMessage(schema: TSchema): string {
  const noun = schema.type === 'integer' ? 'a whole number' : 'a number'
  if (schema.minimum !== undefined && schema.maximum !== undefined)
    return `must be ${noun} from ${schema.minimum} to ${schema.maximum}`
  if (schema.minimum !== undefined) return `must be ${noun} of at least ${schema.minimum}`
  return schema.maximum === undefined ? `must be ${noun}` : `must be ${noun} of at most ${schema.maximum}`
}

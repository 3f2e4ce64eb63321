import { type TArray, type TProperties, type TSchema, Type, TypeGuard } from '@sinclair/typebox'
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
 * Brings a completion into the shape of its schema, where models are known to deviate from it: numbers and booleans in
 * quotes, numbers without them where a text is wanted, a part of the completion as JSON in a text, choices in another
 * spelling, a single item in place of a list, null or nothing in place of what may be left out, null as a text.
 * Fields that the schema does not name are dropped. The result may still not fit.
 */
export function inForm(schema: TSchema, value: unknown): unknown {
  if (TypeGuard.IsArray(schema)) return listInForm(schema, unpacked(value))
  if (TypeGuard.IsObject(schema)) return objectInForm(schema.properties, unpacked(value))
  const choices = choicesOf(schema)
  if (choices) return closest(choices, value)
  if (TypeGuard.IsUnion(schema)) {
    if (value === 'null' && Value.Check(schema, null)) return null
    const fitting = schema.anyOf.find(one => Value.Check(one, value))
    const forms = (fitting ? [fitting] : schema.anyOf).map(one => ({ one, form: inForm(one, value) }))
    const found = forms.find(({ one, form }) => Value.Check(one, form))
    return found ? found.form : value
  }
  if (typeof value === 'string') {
    const isNumber = TypeGuard.IsNumber(schema) || TypeGuard.IsInteger(schema)
    if (isNumber && /^\s*-?\d{1,15}(?:\.\d{1,15})?\s*$/.test(value)) return Number(value)
    if (TypeGuard.IsBoolean(schema) && /^(?:true|false)$/i.test(value)) return value.toLowerCase() === 'true'
  }
  if (typeof value === 'number' && TypeGuard.IsString(schema)) return String(value)
  return TypeGuard.IsRecord(schema) ? Value.Clean(schema, value) : value
}

/** Returns the texts that the schema allows, where it names them all. */
function choicesOf(schema: TSchema): readonly string[] | undefined {
  const options: unknown[] = schema.anyOf?.map((option: TSchema) => option.const) ?? schema.enum ?? []
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

function listInForm(schema: TArray, given: unknown): unknown {
  // Models leave the brackets out around a single item.
  const isItem = TypeGuard.IsObject(schema.items) && typeof given === 'object' && given !== null
  const value = isItem && !Array.isArray(given) ? [given] : given
  if (!Array.isArray(value)) return value
  const items = value.map(item => inForm(schema.items, item))
  return EACH_FOR_ITSELF in schema ? items.filter(item => Value.Check(schema.items, item)) : items
}

function objectInForm(properties: TProperties, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const given = new Map(Object.entries(value))
  return Object.fromEntries(
    Object.entries(properties).flatMap(([name, schema]) => {
      const item = given.get(name)
      const isLeftOut = item === undefined || (item === null && !Value.Check(schema, null))
      if (isLeftOut && 'default' in schema) return [[name, schema.default]]
      if (isLeftOut && TypeGuard.IsOptional(schema)) return []
      return given.has(name) ? [[name, inForm(schema, item)]] : []
    }),
  )
}

/** Reads a list or an object that was written as a text. */
function unpacked(value: unknown): unknown {
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return value
  try {
    return JSON.parse(value)
  } catch {
    return value
  }
}

import type { ErrorDetail } from 'mneme/plugin'

export const PROPERTIES_MAX = 50
export const DEPTH_MAX = 3
const WORDS_MAX = 1_000
const ENUM_MAX = 100

const SCALARS = ['string', 'number', 'integer', 'boolean'] as const
type Scalar = (typeof SCALARS)[number]

/** A JSON Schema as a workspace sends it, of the keywords below. */
export interface ProfileSchema {
  readonly [keyword: string]: unknown
}

/** A property that holds a value, or a list of them. */
export interface Leaf {
  readonly path: readonly string[]
  readonly description: string
  readonly type: Scalar
  readonly isList: boolean
  /** The schema of the value, or of each of the list. */
  readonly schema: ProfileSchema
  /** The most that a list holds. */
  readonly itemsMax: number
}

/** Values are held to these; what else JSON Schema has is refused, since nothing would heed it. */
const KEYWORDS: Readonly<Record<'object' | 'array' | Scalar, readonly string[]>> = {
  object: ['properties', 'required', 'additionalProperties'],
  array: ['items', 'maxItems'],
  string: ['enum', 'minLength', 'maxLength', 'format'],
  number: ['enum', 'minimum', 'maximum'],
  integer: ['enum', 'minimum', 'maximum'],
  boolean: [],
}
const REMARKS = ['$schema', '$id', 'title', 'description', 'type', 'examples']
const FORMATS = ['date', 'date-time', 'email', 'uri']
const NAME = /^[\p{L}_$][\p{L}\p{M}\p{N}_$-]{0,63}$/u
const ITEMS_MAX = 20

/** Says what keeps a schema from being one of profiles; without faults {@link leavesOf} reads it. */
export function schemaFaults(schema: ProfileSchema): ErrorDetail[] {
  const count = { properties: 0 }
  const faults = objectFaults(schema, [], 1, count)
  if (count.properties > PROPERTIES_MAX)
    faults.push({ path: 'properties', message: `must be at most ${PROPERTIES_MAX}, those within properties included` })
  return faults
}

/** Lists the properties that hold values, in the order of the schema. */
export function leavesOf(schema: ProfileSchema, path: readonly string[] = []): Leaf[] {
  return Object.entries(objectIn(schema.properties)).flatMap(([name, given]): Leaf[] => {
    const own = [...path, name]
    const property = objectIn(given)
    const type = typeOf(property)
    const described = [property.title, property.description].filter(words => typeof words === 'string').join('. ')
    if (type === 'object') return leavesOf(property, own)
    const isList = type === 'array'
    const value = isList ? objectIn(property.items) : property
    const scalar = SCALARS.find(one => one === typeOf(value))
    const itemsMax = typeof property.maxItems === 'number' ? Math.min(property.maxItems, ITEMS_MAX) : ITEMS_MAX
    return scalar ? [{ path: own, description: described, type: scalar, isList, schema: value, itemsMax }] : []
  })
}

/** A value as its property wants it; what does not read as one fits no schema. */
export function asType(type: Leaf['type'], value: string): unknown {
  const text = value.trim()
  if (type === 'string') return text
  if (type === 'boolean') return text === 'true' ? true : text === 'false' ? false : undefined
  return /^[+-]?\d+(?:\.\d+)?$/.test(text) ? Number(text) : undefined
}

/** Tells whether a value is one that its property may have. */
export function fits({ type, schema }: Pick<Leaf, 'type' | 'schema'>, value: unknown): boolean {
  if (Array.isArray(schema.enum) && !schema.enum.includes(value)) return false
  if (type === 'boolean') return typeof value === 'boolean'
  if (type === 'string') return typeof value === 'string' && hasForm(schema, value)
  if (typeof value !== 'number' || !Number.isFinite(value)) return false
  if (type === 'integer' && !Number.isInteger(value)) return false
  return value >= numberOr(schema.minimum, -Infinity) && value <= numberOr(schema.maximum, Infinity)
}

function hasForm({ minLength, maxLength, format }: ProfileSchema, value: string): boolean {
  const { length } = value
  if (length < numberOr(minLength, 1) || length > numberOr(maxLength, WORDS_MAX)) return false
  if (format === 'date') return /^\d{4}-\d\d-\d\d$/.test(value) && !Number.isNaN(Date.parse(value))
  if (format === 'date-time') return value.includes('T') && !Number.isNaN(Date.parse(value))
  if (format === 'email') return /^[^\s@]+@[^\s@]+$/.test(value)
  return format !== 'uri' || URL.canParse(value)
}

function objectFaults(
  schema: ProfileSchema,
  path: readonly string[],
  depth: number,
  count: { properties: number },
): ErrorDetail[] {
  const at = (name: string) => [...path, name].join('.')
  const { properties } = schema
  if (typeOf(schema) !== 'object') return [{ path: at('type'), message: 'must be "object"' }]
  if (!isObject(properties) || Object.keys(properties).length === 0)
    return [{ path: at('properties'), message: 'must be an object with at least one property' }]
  if (depth > DEPTH_MAX) return [{ path: at('properties'), message: `must be at most ${DEPTH_MAX} levels deep` }]
  count.properties += Object.keys(properties).length
  return [
    ...keywordFaults(schema, 'object', at),
    ...Object.entries(properties).flatMap(([name, given]): ErrorDetail[] => {
      const own = [...path, 'properties', name]
      if (!NAME.test(name))
        return [
          {
            path: own.join('.'),
            message: 'must be named by a letter, and up to 63 letters, digits, _, $ and - behind it',
          },
        ]
      if (!isObject(given)) return [{ path: own.join('.'), message: 'must be a schema' }]
      return typeOf(given) === 'object' ? objectFaults(given, own, depth + 1, count) : valueFaults(given, own)
    }),
  ]
}

function valueFaults(schema: ProfileSchema, path: readonly string[], isItem = false): ErrorDetail[] {
  const at = (name: string) => [...path, name].join('.')
  const type = typeOf(schema)
  if (type === 'array' && !isItem) {
    const items = isObject(schema.items)
      ? valueFaults(schema.items, [...path, 'items'], true)
      : [{ path: at('items'), message: 'must be the schema of a value' }]
    return [...keywordFaults(schema, 'array', at), ...items]
  }
  const scalar = SCALARS.find(one => one === type)
  if (scalar) return keywordFaults(schema, scalar, at)
  const allowed = isItem ? SCALARS : ['object', 'array', ...SCALARS]
  return [{ path: at('type'), message: `must be one of ${allowed.join(', ')}, alone or beside "null"` }]
}

function keywordFaults(
  schema: ProfileSchema,
  type: keyof typeof KEYWORDS,
  at: (name: string) => string,
): ErrorDetail[] {
  const known = new Set([...REMARKS, ...KEYWORDS[type]])
  return Object.entries(schema).flatMap(([keyword, value]): ErrorDetail[] => {
    const message = known.has(keyword)
      ? keywordFault(keyword, value)
      : `is not supported here; use ${KEYWORDS[type].join(', ') || 'type alone'}, title and description`
    return message ? [{ path: at(keyword), message }] : []
  })
}

function keywordFault(keyword: string, value: unknown): string | undefined {
  if (keyword === 'title' || keyword === 'description')
    return typeof value === 'string' && value.length <= WORDS_MAX
      ? undefined
      : `must be a string of at most ${WORDS_MAX} characters`
  if (['minimum', 'maximum', 'minLength', 'maxLength', 'maxItems'].includes(keyword))
    return typeof value === 'number' ? undefined : 'must be a number'
  if (keyword === 'enum') {
    const isList = Array.isArray(value) && value.length > 0 && value.length <= ENUM_MAX
    return isList ? undefined : `must be a list of 1 to ${ENUM_MAX} values`
  }
  if (keyword === 'format')
    return FORMATS.some(one => one === value) ? undefined : `must be one of ${FORMATS.join(', ')}`
  return undefined
}

/** The type beside "null", which every property may be. */
function typeOf({ type }: ProfileSchema): string | undefined {
  const [first, ...more] = (Array.isArray(type) ? type : [type]).filter(one => one !== 'null')
  return typeof first === 'string' && more.length === 0 ? first : undefined
}

function isObject(value: unknown): value is ProfileSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function objectIn(value: unknown): ProfileSchema {
  return isObject(value) ? value : {}
}

function numberOr(value: unknown, other: number): number {
  return typeof value === 'number' ? value : other
}

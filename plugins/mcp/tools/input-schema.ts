import type { TSchema } from 'mneme/plugin'
import type { Argument } from './resolve.ts'

/** Values for arguments that a call leaves out, by the names of the tools. */
export type Defaults = Readonly<Record<string, string>>

export interface InputSchema {
  readonly type: 'object'
  readonly properties: Readonly<Record<string, Json>>
  readonly required: string[]
  readonly additionalProperties: false
}

/** The JSON Schema of a tool's arguments, in the keywords that model vendors take, and without null beside the values of a field. */
export function inputSchemaOf(args: readonly Argument[], defaults: Defaults): InputSchema {
  return {
    type: 'object',
    properties: Object.fromEntries(args.map(argument => [argument.field.name, described(argument, defaults)])),
    required: requiredOf(args).filter(name => defaults[name] === undefined),
    additionalProperties: false,
  }
}

/** Names the arguments without which an operation cannot be called. */
export function requiredOf(args: readonly Argument[]): string[] {
  return args.filter(({ field, of }) => field.required ?? of.isRequired).map(({ field }) => field.name)
}

type Json = Record<string, unknown>

function described({ field, of }: Argument, defaults: Defaults): Json {
  const schema = plain(of.schema)
  const told = field.description ?? schema.description
  const otherwise = defaults[field.name] ?? field.otherwise
  const sentences = [told, otherwise && `Left out: ${otherwise}.`].filter(Boolean)
  return sentences.length > 0 ? { ...schema, description: sentences.join(' ') } : schema
}

/** Others are this service's own, or say what the description says already. */
const KEYWORDS: ReadonlySet<string> = new Set([
  ...['type', 'description', 'enum', 'pattern', 'minimum', 'maximum', 'minLength', 'maxLength', 'minItems'],
  ...['maxItems', 'items', 'required', 'additionalProperties'],
])

function plain(schema: TSchema): Json {
  const own = Object.entries(schema).filter(([keyword]) => KEYWORDS.has(keyword))
  const rest: Json = Object.fromEntries(own.map(([name, value]) => [name, isSchema(value) ? plain(value) : value]))
  const { properties, anyOf, format } = schema
  // Some vendors refuse a schema with any other format.
  if (format === 'date-time') rest.format = format
  if ('const' in schema) return { ...rest, enum: [schema.const] }
  if (isSchema(properties)) rest.properties = Object.fromEntries(entriesOf(properties).map(([k, v]) => [k, plain(v)]))
  return Array.isArray(anyOf) ? { ...oneOf(anyOf.map(plain).filter(({ type }) => type !== 'null')), ...rest } : rest
}

/** Cases of one type with values of their own are one case with all of these values. */
function oneOf(cases: readonly Json[]): Json {
  const [first = {}] = cases
  if (cases.length <= 1) return first
  const isChoice = cases.every(one => Array.isArray(one.enum) && one.type === first.type)
  return isChoice ? { ...first, enum: cases.flatMap(one => one.enum) } : { anyOf: cases }
}

function isSchema(value: unknown): value is TSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const entriesOf = (schemas: object): [string, TSchema][] => Object.entries(schemas)

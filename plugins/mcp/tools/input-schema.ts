import type { RouteDescription, RouteField, TSchema } from 'mneme/plugin'
import type { McpTool, ToolField } from '../contract.ts'

/** A field of a tool together with that of the operation. */
export interface Argument {
  readonly field: ToolField
  readonly of: RouteField
}

/** Values for arguments that a call leaves out, by the names of the tools. */
export type Defaults = Readonly<Record<string, string>>

/** Pairs the fields of a tool with those of its operation; a field that the operation does not have is left out. */
export function argumentsOf(tool: McpTool, route: RouteDescription): Argument[] {
  return tool.fields.flatMap(field => {
    const of = route.fields.find(({ name }) => name === (field.of ?? field.name))
    return of ? [{ field, of }] : []
  })
}

/** The JSON Schema of a tool's arguments, in the keywords that model vendors take, and without null beside the values of a field. */
export function inputSchemaOf(args: readonly Argument[], defaults: Defaults) {
  return {
    type: 'object' as const,
    properties: Object.fromEntries(args.map(argument => [argument.field.name, described(argument, defaults)])),
    required: requiredOf(args, defaults),
    additionalProperties: false,
  }
}

/** Names the arguments that a call must have. */
export function requiredOf(args: readonly Argument[], defaults: Defaults): string[] {
  const isRequired = ({ field, of }: Argument) =>
    (field.required ?? (of.isRequired && of.schema.default === undefined)) && defaults[field.name] === undefined
  return args.filter(isRequired).map(({ field }) => field.name)
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
  ...['type', 'description', 'enum', 'const', 'format', 'pattern', 'minimum', 'maximum'],
  ...['minLength', 'maxLength', 'minItems', 'maxItems', 'items', 'required', 'additionalProperties'],
])

function plain(schema: TSchema): Json {
  const own = Object.entries(schema).filter(([keyword]) => KEYWORDS.has(keyword))
  const rest: Json = Object.fromEntries(own.map(([name, value]) => [name, isSchema(value) ? plain(value) : value]))
  const { properties, anyOf } = schema
  if (isSchema(properties)) rest.properties = Object.fromEntries(entriesOf(properties).map(([k, v]) => [k, plain(v)]))
  if (!Array.isArray(anyOf)) return rest
  const cases = anyOf.map(plain).filter(({ type }) => type !== 'null')
  const [only] = cases
  if (cases.every(one => 'const' in one)) return { ...rest, type: 'string', enum: cases.map(one => one.const) }
  return cases.length === 1 ? { ...only, ...rest } : { ...rest, anyOf: cases }
}

function isSchema(value: unknown): value is TSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const entriesOf = (schemas: object): [string, TSchema][] => Object.entries(schemas)

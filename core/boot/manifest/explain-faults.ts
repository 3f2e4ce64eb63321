import { Kind, type TSchema } from '@sinclair/typebox'
import { type ValueError, ValueErrorType } from '@sinclair/typebox/errors'
import { Value } from '@sinclair/typebox/value'
import { orDidYouMean } from '../suggest.ts'
import { SCHEMA_KINDS } from './fields.ts'
import { bodyFault, schemaFault } from './schema-fault.ts'

/** Sentences are for people, and more of them would only hide the first. */
const FAULTS_MAX = 20

/** Says how a value differs from its schema, one sentence each. `whole` names the value, e.g. `its manifest`. */
export function explainFaults(schema: TSchema, value: unknown, whole: string): string[] {
  const byPath = new Map<string, string>()
  for (const error of Value.Errors(schema, value)) {
    if ([...byPath.keys()].some(path => error.path === path || error.path.startsWith(`${path}/`))) continue
    if (byPath.size === FAULTS_MAX) {
      byPath.set(error.path, `${whole} has more faults than these`)
      break
    }
    byPath.set(error.path, explain(error, placeOf(error.path, schema, value, whole)))
  }
  return [...byPath.values()]
}

interface Place {
  /** e.g. `its manifest`, `the route GET /v1/x/weather`. */
  readonly of: string
  /** Names the member at fault, dotted; empty when it is the whole. */
  readonly member: string
  readonly key: string
}

function explain({ type, schema, value }: ValueError, { of, member, key }: Place): string {
  if (type === ValueErrorType.ObjectAdditionalProperties) {
    if (schema.keys) return `${of} has the key \`${member}\`: keys must be ${schema.keys}`
    const known = Object.keys(schema.properties)
    const hint = orDidYouMean(key, known, `remove it (known are ${known.join(', ')})`)
    return `${of} has the key \`${member}\`, which nothing reads; ${hint}`
  }
  const unusable = typeof value === 'object' && value !== null && takesSchemas(schema) && faultOf(schema, value)
  if (unusable) return `\`${member}\` of ${of} ${unusable}`
  const expects = `must be ${schema.expects ?? 'an object'}`
  if (value === undefined && member) return `${of} lacks \`${member}\`, which ${expects}`
  return `${member ? `\`${member}\` of ${of}` : of} ${expects}, not ${describe(value)}`
}

function faultOf(schema: TSchema, value: object): string | undefined {
  return schema[Kind] === 'RouteBody' ? bodyFault(value) : schemaFault(value)
}

function takesSchemas(schema: TSchema): boolean {
  return [schema, ...(schema.anyOf ?? [])].some(option => SCHEMA_KINDS.has(option[Kind]))
}

/** Walks down to the value, and names it by the item of a list that it belongs to. */
function placeOf(path: string, schema: TSchema, value: unknown, whole: string): Place {
  const keys = path
    .split('/')
    .slice(1)
    .map(key => key.replaceAll('~1', '/').replaceAll('~0', '~'))
  let of = whole
  let begins = 0
  let at: { schema: TSchema | undefined; value: unknown } = { schema, value }
  keys.forEach((key, n) => {
    const noun: unknown = at.schema?.noun
    at = { schema: at.schema?.items ?? at.schema?.properties?.[key], value: memberOf(at.value, key) }
    if (typeof noun !== 'string' || typeof at.value !== 'object' || begins > 0) return
    of = `the ${noun} ${labelOf(at.value) ?? `number ${Number(key) + 1}`}`
    begins = n + 1
  })
  return { of, member: keys.slice(begins).join('.'), key: keys.at(-1) ?? '' }
}

function memberOf(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined
}

function labelOf(item: unknown): string | undefined {
  const [method, path] = [memberOf(item, 'method'), memberOf(item, 'path')]
  if (typeof path === 'string') return typeof method === 'string' ? `${method} ${path}` : path
  const names = ['name', 'kind', 'id', 'task'].map(key => memberOf(item, key))
  const point = memberOf(memberOf(item, 'port') ?? memberOf(item, 'point'), 'id')
  return [...names, point].find(name => typeof name === 'string' && name !== '') as string | undefined
}

/** Describes a value, without showing more of it than helps. */
export function describe(value: unknown): string {
  if (value === null || value === undefined || typeof value === 'boolean' || typeof value === 'number') {
    return String(value)
  }
  if (typeof value === 'string') return value.length <= 40 ? `'${value}'` : `'${value.slice(0, 40)}…'`
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : 'a list'
  if (value instanceof Promise) return 'a promise'
  if (typeof value === 'object') return Object.keys(value).length === 0 ? 'an empty object' : 'an object'
  return `a ${typeof value}`
}

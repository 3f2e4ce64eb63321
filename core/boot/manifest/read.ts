import { Kind, type TSchema } from '@sinclair/typebox'
import { type ValueError, ValueErrorType } from '@sinclair/typebox/errors'
import { Value } from '@sinclair/typebox/value'
import { expectationOf } from '../../coercion.ts'
import { messageOf } from '../../failure-reason.ts'
import { asPlugin } from '../../faults/attribution.ts'
import { type AnyPlugin, PLUGIN_API_VERSION, type PluginParts } from '../../plugin.ts'
import { describe, orDidYouMean } from '../../suggest.ts'
import { manifestSchema, partsSchema } from './schema.ts'
import { bodyFault, schemaFault } from './schema-fault.ts'

/** Holds the value that was read, or every fault of it, one sentence each that begins with the plugin's name. */
export type Reading<T> = { readonly value: T } | { readonly faults: readonly string[] }

/**
 * Reads a manifest into a copy that is checked against the schema, and whose functions run as the plugin's.
 * @param origin where it was loaded from, which names a plugin whose manifest has no id
 */
export function readManifest(given: unknown, origin: string): Reading<AnyPlugin> {
  const [id, version] = ['id', 'apiVersion'].map(key => memberOf(given, key))
  const owner = typeof id === 'string' && id !== '' ? id : origin
  // A manifest for another API may have any form, so its version is the only fault to report.
  if (typeof version === 'number' && version !== PLUGIN_API_VERSION) {
    return { faults: [`plugin ${owner} is written for plugin API ${version}, this server has ${PLUGIN_API_VERSION}`] }
  }
  return read<AnyPlugin>(owner, manifestSchema, given, 'its manifest')
}

/** Reads what `setup` handed back, as {@link readManifest} does a manifest. */
export function readParts(id: string, given: unknown): Reading<PluginParts<unknown>> {
  if (typeof given === 'object' && given !== null) return read(id, partsSchema, given, 'what setup handed back')
  const fault = `setup handed back ${describe(given)}; it must hand back an object with the scope, e.g. { scope: null }`
  return { faults: [`plugin ${id}: ${fault}`] }
}

function read<T>(owner: string, schema: TSchema, given: unknown, whole: string): Reading<T> {
  try {
    const copy = snapshot(owner, schema, given)
    const faults = explainFaults(schema, copy, whole).map(fault => `plugin ${owner}: ${fault}`)
    return fits<T>(copy, faults) ? { value: copy } : { faults }
  } catch (error) {
    return { faults: [`plugin ${owner}: ${whole} cannot be read: ${messageOf(error)}`] }
  }
}

/** The schema types what it checks: `objectOf` holds the two together. */
function fits<T>(_value: unknown, faults: readonly string[]): _value is T {
  return faults.length === 0
}

export function memberOf(given: unknown, key: string): unknown {
  try {
    return typeof given === 'object' && given !== null ? Reflect.get(given, key) : undefined
  } catch {
    return undefined
  }
}

const optionsOf = (schema: TSchema): readonly TSchema[] => [schema, ...(schema.anyOf ?? [])]

/**
 * Copies what a plugin hands over, as far as the schema goes, so that nothing the plugin does to its own objects later
 * changes what was checked. Each function in it runs as the plugin's, on the object that it belongs to.
 */
function snapshot(owner: string, schema: TSchema, given: unknown, holder?: object): unknown {
  const optionOf = (...kinds: string[]) => optionsOf(schema).find(option => kinds.includes(option[Kind]))
  if (typeof given === 'function' && optionOf('Function'))
    return (...args: unknown[]): unknown => asPlugin(owner, () => Reflect.apply(given, holder, args))
  if (typeof given !== 'object' || given === null) return given
  if (Array.isArray(given)) {
    const list = optionOf('Array')
    return list ? given.map(item => snapshot(owner, list.items, item)) : given
  }
  const object = optionOf('Object', 'Record')
  if (!object) return given
  const [any] = Object.values<TSchema>(object.patternProperties ?? {})
  const copied = keysOf(given, object.properties ?? {}).map(key => {
    const value: unknown = Reflect.get(given, key)
    const member: TSchema | undefined = object.properties?.[key] ?? any
    return [key, member ? snapshot(owner, member, value, given) : value]
  })
  return Object.fromEntries(copied)
}

/** The instances of a class may have members that do not concern the kernel; a literal's keys are all meant for it. */
function keysOf(given: object, properties: object): string[] {
  const known = Object.keys(properties).filter(key => key in given)
  const prototype: unknown = Object.getPrototypeOf(given)
  const isLiteral = prototype === Object.prototype || prototype === null
  return [...new Set(isLiteral ? [...Object.keys(given), ...known] : known)]
}

/** Sentences are for people, and more of them would only hide the first. */
const FAULTS_MAX = 20

/** Says how a value differs from its schema, one sentence each. `whole` names the value, e.g. `its manifest`. */
function explainFaults(schema: TSchema, value: unknown, whole: string): string[] {
  const byPath = new Map<string, string>()
  for (const error of Value.Errors(schema, value)) {
    if ([...byPath.keys()].some(path => error.path === path || error.path.startsWith(`${path}/`))) continue
    if (byPath.size === FAULTS_MAX) return [...byPath.values(), `${whole} has more faults than these`]
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
  const expectation = expected(schema)
  if (value === undefined && member) return `${of} lacks \`${member}\`, which ${expectation}`
  const named = member ? `\`${member}\` of ${of}` : of
  return `${named} ${innerFault(schema, value) ?? `${expectation}, not ${describe(value)}`}`
}

function expected(schema: TSchema): string {
  if (schema.expects) return `must be ${schema.expects}`
  if (schema[Kind] === 'Array') return `must be a list of ${schema.noun}s`
  return schema[Kind] === 'Object' ? 'must be an object' : expectationOf(schema)
}

/** The fault inside of a schema says more than that it is none. */
function innerFault(schema: TSchema, value: unknown): string | undefined {
  const kinds = new Set(optionsOf(schema).map(option => option[Kind]))
  if (typeof value !== 'object' || value === null) return undefined
  if (kinds.has('RouteBody')) return bodyFault(value)
  return kinds.has('TypeBoxSchema') || kinds.has('TypeBoxObject') ? schemaFault(value) : undefined
}

/** Walks down to the value, and names it by the item of a list that it belongs to. */
function placeOf(path: string, schema: TSchema, value: unknown, whole: string): Place {
  const keys = path
    .split('/')
    .slice(1)
    .map(key => key.replaceAll('~1', '/').replaceAll('~0', '~'))
  let [of, begins] = [whole, 0]
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

function labelOf(item: unknown): string | undefined {
  const [method, path, ...names] = ['method', 'path', 'name', 'kind', 'id', 'task', 'key'].map(key =>
    memberOf(item, key),
  )
  if (typeof path === 'string') return typeof method === 'string' ? `${method} ${path}` : path
  const point = memberOf(memberOf(item, 'port') ?? memberOf(item, 'point'), 'id')
  return [...names, point].find(name => typeof name === 'string' && name !== '') as string | undefined
}

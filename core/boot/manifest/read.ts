import type { TSchema } from '@sinclair/typebox'
import { Kind } from '@sinclair/typebox'
import { messageOf } from '../../failure-reason.ts'
import { asPlugin } from '../../faults/attribution.ts'
import { type AnyPlugin, PLUGIN_API_VERSION, type PluginParts } from '../../plugin.ts'
import { describe, explainFaults } from './explain-faults.ts'
import { manifestSchema, partsSchema } from './schema.ts'

/** Holds the value that was read, or every fault of it, one sentence each that begins with the plugin's name. */
export type Reading<T> = { readonly value: T } | { readonly faults: readonly string[] }

/**
 * Reads a manifest into a copy that is checked against the schema, and whose functions run as the plugin's.
 * @param origin where it was loaded from, which names a plugin whose manifest has no id
 */
export function readManifest(given: unknown, origin: string): Reading<AnyPlugin> {
  const id = idOf(given)
  const named = `plugin ${id ?? origin}`
  // A manifest for another API may have any form, so its version is the only fault to report.
  const version = versionOf(given)
  if (typeof version === 'number' && version !== PLUGIN_API_VERSION) {
    return { faults: [`${named} is written for plugin API ${version}, this server has ${PLUGIN_API_VERSION}`] }
  }
  return read<AnyPlugin>(named, id ?? origin, manifestSchema, given, 'its manifest')
}

/** Reads what `setup` handed back, as {@link readManifest} does a manifest. */
export function readParts(id: string, given: unknown): Reading<PluginParts<unknown>> {
  if (typeof given !== 'object' || given === null) {
    const fault = `setup handed back ${describe(given)}; it must hand back an object with the scope, e.g. { scope: null }`
    return { faults: [`plugin ${id}: ${fault}`] }
  }
  return read<PluginParts<unknown>>(`plugin ${id}`, id, partsSchema, given, 'what setup handed back')
}

function read<T>(named: string, owner: string, schema: TSchema, given: unknown, whole: string): Reading<T> {
  let copy: unknown
  try {
    copy = snapshot(owner, schema, given)
  } catch (error) {
    return { faults: [`${named}: ${whole} cannot be read: ${messageOf(error)}`] }
  }
  const faults = explainFaults(schema, copy, whole).map(fault => `${named}: ${fault}`)
  return fits<T>(copy, faults) ? { value: copy } : { faults }
}

/** The schema types what it checks: `objectOf` holds the two together. */
function fits<T>(_value: unknown, faults: readonly string[]): _value is T {
  return faults.length === 0
}

function idOf(given: unknown): string | undefined {
  const id = memberOf(given, 'id')
  return typeof id === 'string' && id !== '' ? id : undefined
}

function versionOf(given: unknown): unknown {
  return memberOf(given, 'apiVersion')
}

function memberOf(given: unknown, key: string): unknown {
  try {
    return typeof given === 'object' && given !== null ? Reflect.get(given, key) : undefined
  } catch {
    return undefined
  }
}

/**
 * Copies what a plugin hands over, as far as the schema goes, so that nothing the plugin does to its own objects later
 * changes what was checked. Each function in it runs as the plugin's, on the object that it belongs to.
 */
function snapshot(owner: string, schema: TSchema, given: unknown): unknown {
  if (schema[Kind] === 'Union') return snapshotUnion(owner, schema.anyOf, given)
  if (schema[Kind] === 'Array' && Array.isArray(given)) {
    return given.map(item => snapshot(owner, schema.items, item))
  }
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return given
  if (schema[Kind] === 'Record') {
    const [valueSchema] = Object.values<TSchema>(schema.patternProperties)
    const entries = Object.entries(given).map(([key, value]) => [
      key,
      valueSchema && snapshot(owner, valueSchema, value),
    ])
    return Object.fromEntries(entries)
  }
  if (schema[Kind] !== 'Object') return given
  const properties: Readonly<Record<string, TSchema>> = schema.properties
  const copy: Record<string, unknown> = {}
  for (const key of keysOf(given, properties)) {
    const value: unknown = Reflect.get(given, key)
    const property = properties[key]
    copy[key] = property ? member(owner, property, value, given) : value
  }
  return copy
}

/** The instances of a class may have members that do not concern the kernel; a literal's keys are all meant for it. */
function keysOf(given: object, properties: Readonly<Record<string, TSchema>>): Set<string> {
  const known = Object.keys(properties).filter(key => key in given)
  const prototype: unknown = Object.getPrototypeOf(given)
  const literal = prototype === Object.prototype || prototype === null
  return new Set(literal ? [...Object.keys(given), ...known] : known)
}

function member(owner: string, schema: TSchema, value: unknown, given: object): unknown {
  if (typeof value !== 'function' || !takesFunctions(schema)) return snapshot(owner, schema, value)
  return (...args: unknown[]): unknown => asPlugin(owner, () => Reflect.apply(value, given, args))
}

function takesFunctions(schema: TSchema): boolean {
  return [schema, ...(schema.anyOf ?? [])].some(option => option[Kind] === 'Function')
}

/** The alternatives here are literals, schemas and at most one object. */
function snapshotUnion(owner: string, options: readonly TSchema[], given: unknown): unknown {
  const object = options.find(option => option[Kind] === 'Object')
  return object && typeof given === 'object' && given !== null && !Array.isArray(given)
    ? snapshot(owner, object, given)
    : given
}

import { Kind, type TSchema } from '@sinclair/typebox'
import { asPlugin } from '../../faults/attribution.ts'

/**
 * Copies what a plugin hands over, as far as the schema goes, so that nothing the plugin does to its own objects later
 * changes what was checked. Each function in it runs as the plugin's, on the object that it belongs to.
 */
export function snapshot(owner: string, schema: TSchema, given: unknown): unknown {
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

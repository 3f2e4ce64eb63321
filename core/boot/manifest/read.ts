import type { TSchema } from '@sinclair/typebox'
import { messageOf } from '../../failure-reason.ts'
import { type AnyPlugin, PLUGIN_API_VERSION, type PluginParts } from '../../plugin.ts'
import { describe, explainFaults } from './explain-faults.ts'
import { manifestSchema, partsSchema } from './schema.ts'
import { snapshot } from './snapshot.ts'

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

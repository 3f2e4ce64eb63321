import type { Static, TSchema } from '@sinclair/typebox'
import { type TypeCheck, TypeCompiler } from '@sinclair/typebox/compiler'
import type { StoredSettings, Workspace } from './caller.ts'

/**
 * Tells who may set a setting, beyond the right to change the workspace: a signed-in account only, or also a key that
 * has the permission.
 */
export type SettingAccess = 'account' | { readonly permission: string }

/** A setting of workspaces, which the plugin it belongs to lists in its manifest. */
export interface WorkspaceSetting<T = unknown> {
  /**
   * Its name among the settings, unique; dots lead into objects, to which several plugins may add (`limits.daily`). A third
   * party's begins with `x_<plugin id>`.
   */
  readonly key: string
  /** One value, without null, which stands for "not set" in requests; its `description` is shown in the reference. */
  readonly schema: TSchema
  /** This value holds where nothing is set; null when left out. */
  readonly default: T
  /** When left out, anyone who may change the workspace may set it. */
  readonly setBy?: SettingAccess
  /** Describes the object that a dotted key leads into; the first description given is shown. */
  readonly groupDescription?: string
  /** Reads the value that holds for a workspace: a stored one that no longer fits the schema counts as not set. */
  of(workspace: Pick<Workspace, 'settings'>): T
}

export interface SettingDefinition<S extends TSchema> {
  readonly key: string
  readonly schema: S
  readonly setBy?: SettingAccess
  readonly groupDescription?: string
}

/** A setting without a default of its own reads as null until it is set. */
export function defineSetting<S extends TSchema>(
  definition: SettingDefinition<S> & { readonly default: Static<S> },
): WorkspaceSetting<Static<S>>
export function defineSetting<S extends TSchema>(definition: SettingDefinition<S>): WorkspaceSetting<Static<S> | null>
export function defineSetting<S extends TSchema>(
  definition: SettingDefinition<S> & { readonly default?: Static<S> },
): WorkspaceSetting<Static<S> | null> {
  const path = pathOf(definition.key)
  const standard = definition.default ?? null
  let compiled: TypeCheck<S> | undefined
  return {
    ...definition,
    default: standard,
    of({ settings }) {
      const value = valueAt(settings, path)
      // Most workspaces set next to nothing, so compiling waits for the first value.
      if (value === undefined || value === null) return standard
      compiled ??= TypeCompiler.Compile(definition.schema)
      return compiled.Check(value) ? value : standard
    },
  }
}

export function pathOf(key: string): readonly string[] {
  return key.split('.')
}

/** Reads the value at the path; undefined where there is none. */
export function valueAt(document: unknown, path: readonly string[]): unknown {
  let value: unknown = document
  for (const name of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
    value = Reflect.get(value, name)
  }
  return value
}

/**
 * Copies the document with another value at the path; undefined removes it. A value on the way that is no object is
 * replaced.
 */
export function withValueAt(document: unknown, [name, ...rest]: readonly string[], value: unknown): StoredSettings {
  const own: Record<string, unknown> = isDocument(document) ? { ...document } : {}
  if (name === undefined) return own
  if (rest.length > 0) own[name] = withValueAt(own[name], rest, value)
  else if (value === undefined) delete own[name]
  else own[name] = value
  return own
}

function isDocument(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * Returns a stored document as it is, and an empty one in place of anything else, so that no workspace is locked out.
 */
export function storedSettings(value: unknown): StoredSettings {
  return isDocument(value) ? value : {}
}

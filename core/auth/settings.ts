import type { Static, TSchema } from '@sinclair/typebox'
import { type TypeCheck, TypeCompiler } from '@sinclair/typebox/compiler'
import type { StoredSettings, Workspace } from './caller.ts'

/**
 * Who may set a setting, beyond the right to change the workspace: a signed-in account only, or also a key that has the
 * permission.
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
  /** What holds where nothing is set; null when left out. */
  readonly default: T
  /** Anyone who may change the workspace when left out. */
  readonly setBy?: SettingAccess
  /** Describes the object that a dotted key leads into; the first description given is shown. */
  readonly groupDescription?: string
  /** The value that holds for a workspace: a stored one that no longer fits the schema counts as not set. */
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
      // Most workspaces set next to nothing.
      if (value === undefined || value === null) return standard
      compiled ??= TypeCompiler.Compile(definition.schema)
      return compiled.Check(value) ? value : standard
    },
  }
}

export function pathOf(key: string): readonly string[] {
  return key.split('.')
}

/** What lies at the path, or undefined. */
export function valueAt(document: unknown, path: readonly string[]): unknown {
  let value: unknown = document
  for (const name of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
    value = Reflect.get(value, name)
  }
  return value
}

/** The document with another value at the path; undefined removes it. What is no object on the way is replaced. */
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

/** A stored document as it is; what is none, as an empty one, so that no workspace is locked out. */
export function storedSettings(value: unknown): StoredSettings {
  return isDocument(value) ? value : {}
}

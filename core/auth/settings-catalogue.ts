import { type TObject, type TSchema, Type } from '@sinclair/typebox'
import { expectationOf } from '../coercion.ts'
import { fail } from '../errors.ts'
import { definePort } from '../ports.ts'
import type { Caller, StoredSettings } from './caller.ts'
import { pathOf, type SettingAccess, storedSettings, valueAt, type WorkspaceSetting, withValueAt } from './settings.ts'

/**
 * Knows every workspace setting of this server: those of all plugins, including built-in ones that are switched off.
 */
export interface SettingsCatalogue {
  /** The schema of a change: an omitted setting stays, null restores the default, in place of a group that of each setting in it. */
  readonly change: TObject
  /** The schema of the settings as responses show them: every one is present. */
  readonly document: TObject
  /** Completes the stored settings with defaults. */
  complete(stored: StoredSettings): StoredSettings
  /** Applies a change to the stored settings. Unknown ones stay, such as those of a plugin that is not loaded. */
  merge(stored: StoredSettings, change: Readonly<Record<string, unknown>>): StoredSettings
  /** @throws FORBIDDEN where the change names a setting that the caller may not set, whatever the value */
  authorize(caller: Caller, change: Readonly<Record<string, unknown>>): void
}

/** The kernel binds this port. */
export const settingsCatalogue = definePort<SettingsCatalogue>('core.settings')

export function createSettingsCatalogue(settings: readonly WorkspaceSetting[]): SettingsCatalogue {
  const entries = settings.map(setting => ({ setting, path: pathOf(setting.key) }))
  const named = (change: unknown) => entries.filter(({ path }) => changeAt(change, path) !== undefined)
  return {
    change: objectOf(entries, 'change', 'What is left out stays as it is; null goes back to the default.'),
    document: { ...objectOf(entries, 'document', 'Its settings, defaults included.'), title: 'WorkspaceSettings' },
    complete: stored =>
      entries.reduce(
        (document, { setting, path }) => withValueAt(document, path, setting.of({ settings: stored })),
        storedSettings({}),
      ),
    merge: (stored, change) =>
      named(change).reduce(
        (merged, { path }) => withValueAt(merged, path, changeAt(change, path) ?? undefined),
        storedSettings(stored),
      ),
    authorize(caller, change) {
      for (const { setting } of named(change)) {
        if (!maySet(caller, setting.setBy)) throw fail('FORBIDDEN', { message: refusal(setting) })
      }
    },
  }
}

/** Reads the change of a setting: null where it, or a group that it is in, goes back to the default; undefined where it stays. */
function changeAt(change: unknown, path: readonly string[]): unknown {
  const groups = path.map((_, depth) => valueAt(change, path.slice(0, depth)))
  return groups.includes(null) ? null : valueAt(change, path)
}

interface Entry {
  readonly setting: WorkspaceSetting
  /** The rest of its key, below the object that is being built. */
  readonly path: readonly string[]
}

/** Builds the schema of an object of settings, and of the nested objects that dotted keys lead into. */
function objectOf(entries: readonly Entry[], use: 'change' | 'document', description: string): TObject {
  const names = [...new Set(entries.flatMap(({ path: [name] }) => name ?? []))]
  const properties = names.map((name): [string, TSchema] => {
    const below = entries.filter(({ path }) => path[0] === name)
    const leaf = below.find(({ path }) => path.length === 1)
    const schema = leaf
      ? use === 'change'
        ? changeOf(leaf.setting)
        : shownAs(leaf.setting)
      : groupOf(name, below, use)
    return [name, use === 'change' ? Type.Optional(schema) : schema]
  })
  return Type.Object(Object.fromEntries(properties), { description })
}

/** An object that dotted keys lead into; in a change null stands for the defaults of all that is in it. */
function groupOf(name: string, entries: readonly Entry[], use: 'change' | 'document'): TSchema {
  const own = entries.map(({ setting, path }) => ({ setting, path: path.slice(1) }))
  const given = entries.flatMap(({ setting }) => setting.groupDescription ?? [])[0]
  const description = given ?? `Settings of \`${name}\`.`
  const group = objectOf(own, use, description)
  if (use === 'document') return group
  return Type.Union([{ ...group, additionalProperties: false }, Type.Null()], { description })
}

/** A set value, or null for the default; one fault names both. */
function changeOf(setting: WorkspaceSetting): TSchema {
  return Type.Union([setting.schema, Type.Null()], {
    errorMessage: `${expectationOf(setting.schema)}, or null`,
    description: [setting.schema.description, standardOf(setting), accessOf(setting.setBy)].filter(Boolean).join(' '),
  })
}

function shownAs({ schema, default: standard }: WorkspaceSetting): TSchema {
  if (standard !== null) return schema
  return Type.Union([schema, Type.Null()], schema.description ? { description: schema.description } : {})
}

function standardOf(setting: WorkspaceSetting): string | undefined {
  return setting.default === null ? undefined : `Default: \`${JSON.stringify(setting.default)}\`.`
}

function accessOf(access: SettingAccess | undefined): string | undefined {
  if (access === undefined) return undefined
  return access === 'account'
    ? 'Set by a signed-in account only, never by a key.'
    : `A key needs the permission \`${access.permission}\` to set it.`
}

function maySet({ kind, permissions }: Caller, access: SettingAccess | undefined): boolean {
  if (access === undefined || kind === 'session') return true
  return access !== 'account' && (permissions === 'all' || permissions.has(access.permission))
}

function refusal({ key, setBy }: WorkspaceSetting): string {
  return setBy === undefined || setBy === 'account'
    ? `Only a signed-in account may set settings.${key}, never a key.`
    : `This key lacks the permission ${setBy.permission}, which settings.${key} needs.`
}

import type { Tx } from '../db/database.ts'
import { textArray } from '../db/literals.ts'
import type { AnyPlugin } from '../plugin.ts'
import type { KeyRing } from './key-ring.ts'
import { SEALED_BEGINNING, sealedPrefix } from './sealing.ts'
import type { SealedColumn } from './secrets.ts'

/** Joins a declaration to the place in the database that it means. */
export interface SealedPlaceInDatabase {
  readonly plugin: string
  readonly sealed: SealedColumn
  /** Types of the key's columns, in their order, as casts name them. */
  readonly keyTypes: readonly string[]
}

/** Text of these types is the same wherever it is made, so that it can be part of what a value is bound to. */
const KEY_TYPES = new Set(['uuid', 'text', 'smallint', 'integer', 'bigint'])

export interface DeclaredColumns {
  readonly places: readonly SealedPlaceInDatabase[]
  /** Lists what the declarations say and the database does not, one sentence each. */
  readonly faults: readonly string[]
}

/**
 * Looks the declarations of plugins up in the database. A misspelt one would otherwise show on the day the key is changed, when its values are
 * left behind.
 * @param schemaOf the schema of a plugin
 */
export async function lookUpSealedColumns(
  tx: Tx,
  plugins: readonly AnyPlugin[],
  schemaOf: (plugin: AnyPlugin) => string,
): Promise<DeclaredColumns> {
  const declared = plugins.flatMap(plugin =>
    (plugin.sealed ?? []).map(sealed => ({ plugin: plugin.id, schema: schemaOf(plugin), sealed })),
  )
  if (declared.length === 0) return { places: [], faults: [] }
  const types = await columnTypes(tx, [...new Set(declared.map(({ schema }) => schema))])
  const places: SealedPlaceInDatabase[] = []
  const faults: string[] = []
  for (const { plugin, schema, sealed } of declared) {
    const { purpose, table, column, key } = sealed
    const typeOf = (name: string) => types.get(`${table}.${name}`)
    const misfits = [
      ...(typeOf(column) === 'text' ? [] : [`${table}.${column} is no column of type text`]),
      ...key
        .filter(name => !KEY_TYPES.has(typeOf(name) ?? ''))
        .map(name => `${table}.${name} is no column of type uuid, text or integer`),
    ]
    const isOwn = table.startsWith(`${schema}.`)
    const wrong = isOwn ? misfits : [`${table} is no table of its own schema, as ${schema}.<table>`]
    faults.push(
      ...wrong.map(what => `plugin ${plugin}: the purpose ${purpose} in \`sealed\` does not fit its tables: ${what}`),
    )
    if (wrong.length === 0) places.push({ plugin, sealed, keyTypes: key.map(name => typeOf(name) ?? 'text') })
  }
  return { places, faults }
}

/**
 * Lists columns of the schemas that hold a value sealed under another key than the current one and that no known
 * declaration names.
 */
export async function findForeignSealed(tx: Tx, schemas: readonly string[], ring: KeyRing): Promise<string[]> {
  if (schemas.length === 0) return []
  const found: string[] = []
  for (const [path, type] of await columnTypes(tx, schemas)) {
    if (type !== 'text') continue
    const [schema = '', table = '', column = ''] = path.split('.')
    const [row] = await tx<{ held: boolean }[]>`
      select exists (
        select from ${tx(schema)}.${tx(table)} as kept
        where kept.${tx(column)} ~ ${SEALED_BEGINNING} and not starts_with(kept.${tx(column)}, ${sealedPrefix(ring.current)})
      ) as held`
    if (row?.held) found.push(path)
  }
  return found
}

/** Maps `schema.table.column` to the type's name. */
async function columnTypes(tx: Tx, schemas: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const rows = await tx<{ name: string; type: string }[]>`
    select
      namespace.nspname || '.' || class.relname || '.' || attribute.attname as name,
      format_type(attribute.atttypid, null) as type
    from pg_attribute as attribute
    join pg_class as class on class.oid = attribute.attrelid
    join pg_namespace as namespace on namespace.oid = class.relnamespace
    where namespace.nspname = any (${textArray(schemas)}::text[])
      and class.relkind in ('r', 'p')
      and attribute.attnum > 0
      and not attribute.attisdropped`
  return new Map(rows.map(({ name, type }) => [name, type]))
}

import type { Database } from '../db/database.ts'
import { messageOf } from '../failure-reason.ts'
import type { AnyPlugin } from '../plugin.ts'
import { probesOf } from './subjects.ts'

/** Says what is wrong with a plugin's subjects as they stand in its manifest, one sentence each. `schema` is the plugin's own. */
export function subjectFaults({ id, subjects = [] }: AnyPlugin, schema: string): string[] {
  const named = subjects.flatMap(({ table, parts = [] }) => [table, ...parts.map(part => part.table)])
  const foreign = [...new Set(named)].filter(table => !table.startsWith(`${schema}.`))
  const seen = new Set<string>()
  const twice = subjects.filter(({ table, column }) => seen.size === seen.add(`${table}.${column}`).size)
  return [
    ...foreign.map(
      table =>
        `plugin ${id}: its subjects name ${table}, which must be a table of its own schema, as ${schema}.<table>`,
    ),
    ...twice.map(({ table, column }) => `plugin ${id}: its subjects name ${table} by ${column} twice; remove one`),
  ]
}

/** A column by whose name it holds somebody's id: `user_id`, `owner_user`, `person_ids`. */
const NAMES_SOMEBODY = '(^|_)(user|users|person|persons)(_|$)'

/**
 * Asks the database about the tables of each plugin, as only it knows them. Throws where one has a column that names users and its manifest
 * does not say how a person is erased from it, or says what cannot be carried out: it would stay with all that was to be forgotten.
 */
export async function checkSubjects(
  database: Database,
  plugins: readonly { readonly plugin: AnyPlugin; readonly schema: string }[],
): Promise<void> {
  const faults: string[] = []
  for (const { plugin, schema } of plugins) faults.push(...(await faultsOf(database, plugin, schema)))
  if (faults.length > 0) throw new Error(faults.join('\n'))
}

async function faultsOf(database: Database, { id, subjects = [] }: AnyPlugin, schema: string): Promise<string[]> {
  const known = new Set(subjects.map(({ table, column }) => `${table}.${column}`))
  const columns = await database.system(
    tx => tx<{ table: string; column: string }[]>`
      select format('%s.%s', ${schema}::text, tables.relname) as table, attribute.attname as column
      from pg_class as tables
      join pg_attribute as attribute on attribute.attrelid = tables.oid and attribute.attnum > 0 and not attribute.attisdropped
      where tables.relnamespace = (select oid from pg_namespace where nspname = ${schema})
        and tables.relkind in ('r', 'p')
        and not tables.relispartition
        and attribute.attname ~ ${NAMES_SOMEBODY}
        and attribute.atttypid <> 'boolean'::regtype
      order by 1, 2`,
  )
  const silent = columns.filter(({ table, column }) => !known.has(`${table}.${column}`))
  const faults = silent.map(
    ({ table, column }) =>
      `plugin ${id}: ${table} names users in ${column}, and its manifest does not say how one is erased; add { table: '${table}', column: '${column}' } to its \`subjects\``,
  )
  for (const entry of subjects) {
    for (const probe of probesOf(entry)) {
      try {
        await database.system(tx => tx.unsafe(`explain ${probe}`, ['00000000-0000-0000-0000-000000000000', '']))
      } catch (error) {
        faults.push(
          `plugin ${id}: its subjects of ${entry.table} by ${entry.column} cannot be erased: ${messageOf(error)}`,
        )
        break
      }
    }
  }
  return faults
}

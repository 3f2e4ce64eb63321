import type { Database, Tx } from '../../db/database.ts'

/** One transaction removes so many rows, few enough that other users of the tables hardly notice. */
const BATCH = 2000

/** A foreign key between tables, as Postgres names it. */
const FOREIGN_KEY_VIOLATION = '23503'

/**
 * Removes everything a workspace holds, of every plugin: the rows of all tables under row-level security that carry a
 * `workspace_id`. It works in short transactions, referring tables first, and can be repeated after an interruption.
 * Returns how many rows it removed. Throws the signal's reason when it is aborted.
 */
export async function eraseTenantRows(database: Database, workspaceId: string, signal: AbortSignal): Promise<number> {
  const tables = await database.system(tenantTables)
  let removed = 0
  for (const table of tables) {
    for (;;) {
      signal.throwIfAborted()
      const count = await eraseBatch(database, table, workspaceId)
      removed += count
      if (count < BATCH) break
    }
  }
  return removed
}

async function eraseBatch(database: Database, table: string, workspaceId: string): Promise<number> {
  try {
    return await database.system(async tx => {
      const rows = await tx`
        delete from ${tx.unsafe(table)}
        where workspace_id = ${workspaceId}
          and ctid = any (array(
          select ctid from ${tx.unsafe(table)} where workspace_id = ${workspaceId} limit ${BATCH}
        ))`
      return rows.count
    })
  } catch (error) {
    // Rows of one table that refer to each other have to be deleted together.
    if (!(error instanceof Error) || Reflect.get(error, 'code') !== FOREIGN_KEY_VIOLATION) throw error
    return database.system(async tx => {
      const rows = await tx`delete from ${tx.unsafe(table)} where workspace_id = ${workspaceId}`
      return rows.count
    })
  }
}

/**
 * Lists the tenant tables of all plugins, switched off ones included, as quoted names, each before those it refers to.
 */
export async function tenantTables(tx: Tx): Promise<string[]> {
  const tables = await tx<{ id: number; name: string; refers_to: number[] }[]>`
    select pg_class.oid::int8 as id,
      format('%I.%I', pg_namespace.nspname, pg_class.relname) as name,
      (
        select coalesce(json_agg(pg_constraint.confrelid::int8), '[]')
        from pg_constraint
        where pg_constraint.conrelid = pg_class.oid
          and pg_constraint.contype = 'f'
          and pg_constraint.confrelid <> pg_class.oid
      ) as refers_to
    from pg_class
    join pg_namespace on pg_namespace.oid = pg_class.relnamespace
    join pg_attribute on pg_attribute.attrelid = pg_class.oid
    where pg_class.relkind = 'r'
      and pg_class.relforcerowsecurity
      and pg_attribute.attname = 'workspace_id'
      and not pg_attribute.attisdropped
    order by name`
  const ordered: string[] = []
  const seen = new Set<number>()
  const visit = (table: (typeof tables)[number]): void => {
    if (seen.has(table.id)) return
    seen.add(table.id)
    for (const other of tables) if (other.refers_to.includes(table.id)) visit(other)
    ordered.push(table.name)
  }
  for (const table of tables) visit(table)
  return ordered
}

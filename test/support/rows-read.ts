import type { Tx } from '../../core/db/database.ts'

/**
 * Counts the rows of a table that were read so far. Take the difference of two counts in one transaction: the embedded database also counts
 * what earlier transactions have read.
 */
export async function rowsRead(tx: Tx, schema: string, table: string): Promise<number> {
  const [row] = await tx<{ count: number }[]>`
    select (coalesce(seen.seq_tup_read, 0) + coalesce(seen.idx_tup_fetch, 0))::float8 as count
    from pg_stat_xact_user_tables as seen
    where seen.schemaname = ${schema} and seen.relname = ${table}`
  return row?.count ?? 0
}

import type { Database, Tx } from '../../core/db/database.ts'

/** A row that holds one of the texts that were looked for. */
export interface TellingRow {
  readonly table: string
  readonly row: string
}

/** Finds every row of every table, the queue's included, that holds one of these texts in whatever column, also as bytes. */
export async function rowsThatTell(database: Database, texts: readonly string[]): Promise<TellingRow[]> {
  const tables = await database.system(tablesOfAll)
  const wanted = JSON.stringify([
    ...new Set(texts.flatMap(text => [text.toLowerCase(), Buffer.from(text).toString('hex')])),
  ])
  const found: TellingRow[] = []
  for (const table of tables) {
    const rows = await database.system(tx =>
      tx.unsafe(
        `select item::text as row
        from ${table} as item
        where exists (select from jsonb_array_elements_text($1::text::jsonb) as wanted (text) where strpos(lower(item::text), wanted.text) > 0)`,
        [wanted],
      ),
    )
    found.push(...rows.map(({ row }) => ({ table, row: String(row) })))
  }
  return found
}

/** Reads all rows whose `user_id` is the user's, as text, by table. */
export async function rowsOfUser(database: Database, userId: string): Promise<Record<string, string[]>> {
  const tables = await database.system(async tx => {
    const rows = await tx<{ name: string }[]>`
      select attrelid::regclass::text as name
      from pg_attribute
      join pg_class on pg_class.oid = attrelid and pg_class.relkind = 'r'
      where attname = 'user_id' and relnamespace::regnamespace::text !~ '^(pg_|information_schema)'
      order by 1`
    return rows.map(({ name }) => name)
  })
  const found: Record<string, string[]> = {}
  for (const table of tables) {
    const rows = await database.system(tx =>
      tx.unsafe(`select item::text as row from ${table} as item where item.user_id = $1 order by 1`, [userId]),
    )
    if (rows.length > 0) found[table] = rows.map(({ row }) => String(row))
  }
  return found
}

async function tablesOfAll(tx: Tx): Promise<string[]> {
  const rows = await tx<{ name: string }[]>`
    select format('%I.%I', nspname, relname) as name
    from pg_class
    join pg_namespace on pg_namespace.oid = relnamespace
    where relkind = 'r' and nspname !~ '^(pg_|information_schema)'
    order by 1`
  return rows.map(({ name }) => name)
}

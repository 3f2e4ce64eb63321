import type pg from 'pg'

/** Half of what a server's autovacuum waits for (`autovacuum_freeze_max_age`); ids run out at some twenty times as many. */
const AGE_MAX = 100_000_000

/**
 * Keeps the transaction ids from running out, as a server's autovacuum does. Postgres compares ids within a circle of 2^32, so a row that is
 * not marked as frozen within 2^31 further transactions would count as one of the future and be gone. The template databases age as well; since
 * nobody can connect to one here to freeze its rows, they are dropped: a new database is never made from them. It takes one table at a time, so that
 * requests get in between. See "Preventing Transaction ID Wraparound Failures" in Postgres' manual.
 * @param ageMax rows of tables with a row older than so many transactions are frozen
 * @returns the tables that were frozen, catalogues and the tables of long values among them
 */
export async function freezeOldTables(pool: pg.Pool, ageMax = AGE_MAX): Promise<string[]> {
  const others = await pool.query<{ name: string }>(
    `select quote_ident(datname) as name from pg_database
     where datname <> current_database() and greatest(age(datfrozenxid), mxid_age(datminmxid)) > $1`,
    [ageMax],
  )
  for (const { name } of others.rows) {
    await pool.query(`alter database ${name} is_template false`)
    await pool.query(`drop database ${name}`)
  }
  const tables = await pool.query<{ name: string }>(
    `select oid::regclass::text as name from pg_class
     where relkind in ('r', 'm', 't') and greatest(age(relfrozenxid), mxid_age(relminmxid)) > $1
     order by age(relfrozenxid) desc`,
    [ageMax],
  )
  // Dead rows are cleaned by `vacuumChangedTables`, and tables of long values are in the list themselves.
  for (const { name } of tables.rows) await pool.query(`vacuum (freeze, index_cleanup off, process_toast off) ${name}`)
  return tables.rows.map(row => row.name)
}

/** A pool of any driver that takes texts with parameters; `pg.Pool` is one. */
export interface Queries {
  query<Row extends object>(text: string, values?: unknown[]): Promise<{ rows: Row[] }>
}

/** Postgres has settings of these names; ours are a little lazier, since here a vacuum keeps everyone waiting. */
const THRESHOLD = 500
const SCALE_FACTOR = 0.2
/** `analyze` reads 300 times as many rows: of texts' words, as many as the server's default of 100 would take a second and more. */
const STATISTICS_TARGET = 20

/**
 * Does what a server's autovacuum does, for the embedded database, which has no background processes: it frees dead
 * rows and keeps the planner's statistics true for tables that changed much. It takes one table at a time, so that
 * requests get in between.
 * @returns the tables that were vacuumed
 */
export async function vacuumChangedTables(pool: Queries): Promise<string[]> {
  await pool.query('select pg_stat_force_next_flush()')
  const { rows } = await pool.query<{ name: string; dead: boolean }>(
    `select format('%I.%I', schemaname, relname) as name, n_dead_tup > threshold as dead
     from pg_stat_user_tables
     cross join lateral (select $1::float8 + $2::float8 * n_live_tup as threshold) as bound
     where greatest(n_dead_tup, n_mod_since_analyze) > threshold
     order by n_mod_since_analyze desc`,
    [THRESHOLD, SCALE_FACTOR],
  )
  for (const { name, dead } of rows) {
    // Where rows were only added, nothing else has to be cleaned, and to read an index of texts' words, or long texts, takes up to a second.
    await pool.query(`vacuum ${dead ? '' : '(index_cleanup off, process_toast off)'} ${name}`)
    // Requests get in between the two as well.
    await pool.query(`set local default_statistics_target = ${STATISTICS_TARGET}; analyze ${name}`)
  }
  return rows.map(row => row.name)
}

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
export async function freezeOldTables(pool: Queries, ageMax = AGE_MAX): Promise<string[]> {
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

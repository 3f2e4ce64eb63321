import type pg from 'pg'

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
export async function vacuumChangedTables(pool: pg.Pool): Promise<string[]> {
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

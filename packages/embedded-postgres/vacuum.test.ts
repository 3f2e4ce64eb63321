import { afterAll, beforeAll, expect, test } from 'bun:test'
import { randomUUID } from 'node:crypto'
import { onePool, temporaryFolder } from './folders.test-support.ts'
import { type EmbeddedPostgres, startEmbedded } from './index.ts'
import { vacuumChangedTables } from './vacuum.ts'

let embedded: EmbeddedPostgres
beforeAll(async () => {
  embedded = await startEmbedded({ folder: await temporaryFolder() })
})
afterAll(() => embedded.stop())

test('a table that changed much is vacuumed and analysed once, and then left alone', async () => {
  const pool = onePool(embedded.url)
  const table = `public.t_${randomUUID().replaceAll('-', '')}`
  try {
    await pool.query(`create table ${table} (id integer) with (autovacuum_enabled = false)`)
    await pool.query(`insert into ${table} select generate_series(1, 2000)`)
    expect(await vacuumChangedTables(pool)).toContain(table)
    expect(await vacuumChangedTables(pool)).not.toContain(table)
    const { rows } = await pool.query(
      `select array_length(histogram_bounds::text::integer[], 1) as bounds from pg_stats where format('%I.%I', schemaname, tablename) = $1`,
      [table],
    )
    expect(rows).toEqual([{ bounds: 21 }])
  } finally {
    await pool.query(`drop table if exists ${table}`)
    await pool.end()
  }
})

test('deleted rows are cleaned out of the indexes of their table', async () => {
  const pool = onePool(embedded.url)
  const table = `public.t_${randomUUID().replaceAll('-', '')}`
  try {
    await pool.query(`create table ${table} (id integer primary key) with (autovacuum_enabled = false)`)
    await pool.query(`insert into ${table} select generate_series(1, 4000)`)
    await vacuumChangedTables(pool)
    await pool.query(`delete from ${table} where id % 2 = 0`)
    expect(await vacuumChangedTables(pool)).toContain(table)
    // Rows that an index still names are kept as dead ones.
    const { rows } = await pool.query(
      `select n_dead_tup::integer as dead from pg_stat_user_tables where format('%I.%I', schemaname, relname) = $1`,
      [table],
    )
    expect(rows).toEqual([{ dead: 0 }])
  } finally {
    await pool.query(`drop table if exists ${table}`)
    await pool.end()
  }
})

import { expect, test } from 'bun:test'
import { onePool, temporaryFolder } from './folders.test-support.ts'
import { startEmbedded } from './index.ts'
import { freezeOldTables } from './vacuum.ts'

test('every old row is frozen, of catalogues and long values too, and no template keeps the oldest transaction', async () => {
  const folder = await temporaryFolder()
  const embedded = await startEmbedded({ folder })
  const pool = onePool(embedded.url)
  const oldest = `select max(age(datfrozenxid)) as age from pg_database`
  const kept = `select count(*)::integer as rows, sum(length(text))::integer as length from kept`
  await pool.query('create table kept (text text)')
  await pool.query('alter table kept alter column text set storage external')
  // Each of these blocks with a handler of errors is a transaction of its own id.
  await pool.query(`do $$ begin for n in 1..1000 loop
    begin insert into kept values (repeat(n::text, 1000)); exception when others then null; end;
  end loop; end $$`)
  const before = await pool.query(kept)

  expect(await freezeOldTables(pool)).toEqual([])
  const frozen = await freezeOldTables(pool, 500)

  expect(frozen).toContainEqual('kept')
  expect(frozen).toContainEqual('pg_class')
  expect(frozen).toContainEqual(expect.stringMatching(/^pg_toast\.pg_toast_\d+$/))
  expect((await pool.query(oldest)).rows[0].age).toBeLessThan(500)
  expect(await freezeOldTables(pool, 500)).toEqual([])
  expect((await pool.query(kept)).rows).toEqual(before.rows)
  await pool.end()
  await embedded.stop()

  const again = await startEmbedded({ folder })
  const reopened = onePool(again.url)
  expect((await reopened.query(kept)).rows).toEqual(before.rows)
  await reopened.end()
  await again.stop()
})

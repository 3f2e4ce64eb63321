import { describe, expect, test } from 'bun:test'
import { migrationFaults } from './migration-rules.ts'
import { parseSql } from './sql-parser.ts'

const faultsOf = async (sql: string) => migrationFaults('x_a', (await parseSql([sql]))[0])

describe('a migration', () => {
  test.each([
    ['commit;', 'it holds commit'],
    ['COMMIT WORK', 'it holds commit'],
    ['/* begin */ BEGIN; create table x_a.b (id int);', 'it holds begin'],
    ['create table x_a.b (id int); -- done\nrollback', 'it holds rollback'],
    ['savepoint a', 'it holds savepoint'],
    ['create index concurrently b_id on x_a.b (id)', 'outside of transactions'],
    ['drop index concurrently x_a.b_id', 'outside of transactions'],
    ['reindex (concurrently) table x_a.b', 'outside of transactions'],
    ['vacuum x_a.b', 'outside of transactions'],
    ['create table memories.mine (id int)', 'it touches memories.mine'],
    ['create view x_a.v as select * from core.api_key', 'it touches core.api_key'],
    ['alter table core.workspace add column mine int', 'it touches core.workspace'],
    ['drop table memories.memory', 'it touches memories.memory'],
    ['with gone as (delete from graph.edge returning id) select * from gone', 'it touches graph.edge'],
  ])('is refused for %j', async (sql, fault) => {
    const faults = await faultsOf(sql)
    expect(faults).toHaveLength(1)
    expect(faults[0]).toContain(fault)
  })

  test.each([
    "create table x_a.b (note text default 'commit;'); -- commit",
    'create function x_a.f() returns void language plpgsql as $$ begin perform 1; end $$',
    "select core.protect_tenant_table('x_a.b')",
    'create table x_a.b (id int); create index b_id on x_a.b (id); insert into x_a.b select 1',
    'drop table x_a.b, b',
    'this is no SQL',
    '',
  ])('may hold %j', async sql => {
    expect(await faultsOf(sql)).toEqual([])
  })
})

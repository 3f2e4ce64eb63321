import { describe, expect, test } from 'bun:test'
import { parseSql } from './migrate.ts'
import { migrationFaults } from './migration-rules.ts'

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
    ['create function memories.f() returns void language sql as $$ $$', 'it touches memories.f'],
    ['drop trigger t on memories.memory', 'it touches memories.memory'],
    ['create table b (workspace_id uuid)', 'it names b without a schema, which is not yours then; write x_a.b'],
    ['create table if not exists "B" as select 1', 'write x_a.B'],
    ['create table x_a.b (c int references d)', 'write x_a.d'],
    ['alter table only b add c int', 'write x_a.b'],
    ['create index b_id on b (id)', 'write x_a.b'],
    ['create view v as select 1', 'write x_a.v'],
    ['create sequence s', 'write x_a.s'],
    ['create policy p on b', 'write x_a.b'],
    ['create function f() returns void language sql as $$ $$', 'write x_a.f'],
    ["create type e as enum ('a')", 'write x_a.e'],
    ['create type e as (a int)', 'write x_a.e'],
    ['create domain d as text', 'write x_a.d'],
    ['select 1 into b', 'write x_a.b'],
    ['with c as (select 1) insert into b select * from c', 'write x_a.b'],
    ['drop table x_a.b, b', 'write x_a.b'],
    ['drop trigger t on b', 'write x_a.b'],
    ['drop function f(int)', 'write x_a.f'],
    ['drop type e', 'write x_a.e'],
    ["set lock_timeout = '5s'", 'write `set local`'],
    ['set search_path to x_a', 'write `set local`'],
    ['set session characteristics as transaction read only', 'write `set local`'],
    ["select pg_catalog.set_config('search_path', '', false)", 'write `set local`'],
    ['alter role mneme_app set jit = on', 'write `set local`'],
    ['drop schema memories cascade', 'it touches the schema memories'],
    ['drop schema x_a, memories', 'it touches the schema memories'],
    ['alter schema memories rename to x_a', 'it touches the schema memories'],
    ['alter schema x_a rename to other', 'it touches the schema other'],
    ['alter schema memories owner to mneme_app', 'it touches the schema memories'],
    ['create schema other', 'it touches the schema other'],
    ['create schema authorization mneme_app', 'it touches the schema mneme_app'],
    ['alter table x_a.b set schema memories', 'it touches the schema memories'],
    ['grant usage on schema core to public', 'it touches the schema core'],
    ['grant select on all tables in schema core to public', 'it touches the schema core'],
    ['grant execute on function core.f() to public', 'it touches core.f'],
    ["comment on schema memories is 'mine'", 'it touches the schema memories'],
    ["comment on table memories.memory is 'mine'", 'it touches memories.memory'],
    ["comment on column memories.memory.id is 'mine'", 'it touches memories.memory'],
    ["comment on function core.f(int) is 'mine'", 'it touches core.f'],
    ["comment on constraint c on domain core.d is 'mine'", 'it touches core.d'],
    ["comment on table b is 'mine'", 'write x_a.b'],
    ['alter function core.f() strict', 'it touches core.f'],
    ['alter function core.f() rename to g', 'it touches core.f'],
    ['alter function core.f() set schema x_a', 'it touches core.f'],
    ['alter function core.f() owner to mneme_app', 'it touches core.f'],
    ['alter type core.e rename to f', 'it touches core.e'],
    ['call memories.p()', 'it touches memories.p'],
    ['call p()', 'write x_a.p'],
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
    'drop table x_a.b; drop type x_a.e; drop trigger t on x_a.c; drop schema if exists x_a',
    'create temp table t on commit drop as select 1; insert into t select 2; drop table x_a.b',
    'create trigger t before insert on x_a.b for each row execute function tsvector_update_trigger(a)',
    'with c as (select id from x_a.b) update x_a.b set id = c.id from c',
    "set local lock_timeout = '5s'; set transaction read only; reset lock_timeout",
    "select set_config('search_path', '', true)",
    "comment on table x_a.b is 'a'; comment on column x_a.b.c is 'a'; comment on constraint c on x_a.b is 'a'",
    'create schema if not exists x_a; grant usage on schema x_a to public',
    'grant select on x_a.b to mneme_app; grant execute on function x_a.f(int) to mneme_app',
    'create extension if not exists vector; alter function x_a.f(int) strict; call x_a.p()',
    'this is no SQL',
    '',
  ])('may hold %j', async sql => {
    expect(await faultsOf(sql)).toEqual([])
  })
})

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createHash, randomUUID } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { databaseUrl } from '../../test/support/database.ts'
import { APP_ROLE, type OpenDatabase, openDatabase } from './database.ts'
import { type Migration, migrate, readMigrations } from './migrate.ts'

let database: OpenDatabase
let other: OpenDatabase

beforeAll(async () => {
  const url = await databaseUrl()
  database = openDatabase({ url, poolSize: 2 })
  other = openDatabase({ url, poolSize: 2 })
})

afterAll(async () => {
  await Promise.all([database.close(), other.close()])
})

/** No other test uses this name, which gives the file a schema of its own. */
const newOwner = () => `t_${randomUUID().replaceAll('-', '').slice(0, 20)}`

function file(owner: string, name: string, sql: string): Migration {
  return { owner, name, sql, hash: createHash('sha256').update(sql).digest('hex') }
}

async function tables(owner: string): Promise<string[]> {
  const rows = await database.system(
    tx =>
      tx<
        { name: string }[]
      >`select table_name as name from information_schema.tables where table_schema = ${owner} order by 1`,
  )
  return rows.map(({ name }) => name)
}

describe('migrations', () => {
  test('are applied in order, once, in a schema of their owner', async () => {
    const owner = newOwner()
    const first = file(
      owner,
      '0001_create_a.sql',
      `create table ${owner}.a (id int); create table ${owner}.b (id int);`,
    )
    const second = file(owner, '0002_drop_b.sql', `drop table ${owner}.b;`)
    expect(await migrate(database, [owner], [first])).toBe(1)
    expect(await tables(owner)).toEqual(['a', 'b'])
    expect(await migrate(database, [owner], [first, second])).toBe(1)
    expect(await tables(owner)).toEqual(['a'])
    expect(await migrate(database, [owner], [first, second])).toBe(0)
  })

  test('that fail are told with their line, and undone', async () => {
    const owner = newOwner()
    const wrong = file(
      owner,
      '0001_create_é.sql',
      `-- Größe 📏\ncreate table ${owner}.a (id int);\ncreate tabel b (id int);`,
    )
    await expect(migrate(database, [owner], [wrong])).rejects.toThrow(
      `plugin ${owner}: 0001_create_é.sql failed in line 3: syntax error at or near "tabel"`,
    )
    expect(await tables(owner)).toEqual([])
    const unknown = file(
      owner,
      '0001_create_a.sql',
      `create table ${owner}.a (id int);\ncreate table ${owner}.b (like ${owner}.c);`,
    )
    await expect(migrate(database, [owner], [unknown])).rejects.toThrow('0001_create_a.sql failed in line 2: relation')
  })

  test('leave no setting to whoever gets their connection next, by whatever means they set it', async () => {
    const single = openDatabase({ url: await databaseUrl(), poolSize: 1 })
    const SETTINGS = `
      select current_setting('search_path') as path, current_setting('lock_timeout') as lock, current_user as role`
    const settings = () => single.system(tx => tx.unsafe<object[]>(SETTINGS))
    try {
      const before = await settings()
      const owner = newOwner()
      const sql = `do $$ begin
        perform set_config('search_path', '${owner}', false);
        set lock_timeout = '5s';
        set role ${APP_ROLE};
      end $$`
      expect(await migrate(single, [owner], [file(owner, '0001_set_up.sql', sql)])).toBe(1)
      expect([...(await settings())]).toEqual([...before])
    } finally {
      await single.close()
    }
  })

  test('of a third party are applied again once somebody dropped its schema, those of a built-in plugin are not', async () => {
    const [third, builtIn] = [`x_${newOwner()}`, newOwner()]
    const files = [third, builtIn].map(owner => file(owner, '0001_create_a.sql', `create table ${owner}.a (id int);`))
    await migrate(database, [third, builtIn], files)
    await database.system(tx => tx.unsafe(`drop schema ${third} cascade; drop schema ${builtIn} cascade`).simple())
    expect(await migrate(database, [builtIn], files.slice(1))).toBe(0)
    expect(await migrate(database, [third, builtIn], files)).toBe(1)
    expect([await tables(third), await tables(builtIn)]).toEqual([['a'], []])
  })

  test('of a third party whose schema was dropped may have changed meanwhile', async () => {
    const owner = `x_${newOwner()}`
    await migrate(database, [owner], [file(owner, '0001_create_a.sql', `create table ${owner}.a (id int);`)])
    await database.system(tx => tx.unsafe(`drop schema ${owner} cascade`))
    expect(
      await migrate(database, [owner], [file(owner, '0001_create_b.sql', `create table ${owner}.b (id int);`)]),
    ).toBe(1)
    expect(await tables(owner)).toEqual(['b'])
  })

  test('that hold transaction commands are refused before anything of them runs, with the plugin named', async () => {
    const owner = newOwner()
    const half = file(owner, '0001_create_half.sql', `create table ${owner}.a (id int); commit; select 1 / 0;`)
    await expect(migrate(database, [owner], [half])).rejects.toThrow(
      `plugin ${owner}: 0001_create_half.sql: it holds commit`,
    )
    expect(await tables(owner)).toEqual([])
  })

  test('that leave rows of workspaces unprotected are refused and undone, with the remedy', async () => {
    const owner = newOwner()
    const columns = 'workspace_id uuid not null, id uuid not null, primary key (workspace_id, id)'
    const open = file(owner, '0001_create_open.sql', `create table ${owner}.note (${columns});`)
    const remedy = `select core.protect_tenant_table('${owner}.note');`
    await expect(migrate(database, [owner], [open])).rejects.toThrow(remedy)
    expect(await tables(owner)).toEqual([])
    const forced = file(owner, open.name, `${open.sql} alter table ${owner}.note enable row level security;`)
    await expect(migrate(database, [owner], [forced])).rejects.toThrow('is not protected as a tenant table')
    expect(await migrate(database, [owner], [file(owner, open.name, `${open.sql} ${remedy}`)])).toBe(1)
    expect(await tables(owner)).toEqual(['note'])
  })

  test('whose tenant tables have another key are refused and undone, with what to write', async () => {
    const owner = newOwner()
    for (const key of [
      'id uuid primary key, workspace_id uuid',
      'workspace_id uuid, id uuid, primary key (id, workspace_id)',
      'workspace_id uuid',
    ]) {
      const sql = `create table ${owner}.note (${key}); select core.protect_tenant_table('${owner}.note');`
      await expect(migrate(database, [owner], [file(owner, '0001_create_note.sql', sql)])).rejects.toThrow(
        `plugin ${owner}: 0001_create_note.sql: the table ${owner}.note has a workspace_id and no primary key that begins with it; write`,
      )
      expect(await tables(owner)).toEqual([])
    }
  })

  test('that let requests write a table of all workspaces are refused and undone; reading one needs a grant', async () => {
    const owner = newOwner()
    const table = `create table ${owner}.city (name text primary key, people integer);`
    for (const grant of [
      `insert on ${owner}.city to mneme_app`,
      `update (people) on ${owner}.city to mneme_app`,
      `all on ${owner}.city to public`,
    ]) {
      const open = file(owner, '0001_create_city.sql', `${table} grant ${grant};`)
      await expect(migrate(database, [owner], [open])).rejects.toThrow(
        `plugin ${owner}: 0001_create_city.sql: the table ${owner}.city has no workspace_id, and requests of all workspaces may write to it`,
      )
      expect(await tables(owner)).toEqual([])
    }
    const first = file(owner, '0001_create_city.sql', table)
    expect(await migrate(database, [owner], [first])).toBe(1)
    const readBy = () =>
      database.workspace(crypto.randomUUID(), tx => tx`select city.name from ${tx(`${owner}.city`)} as city`)
    await expect(readBy()).rejects.toThrow('permission denied')
    const grants = `grant usage on schema ${owner} to mneme_app; grant select on ${owner}.city to mneme_app;`
    expect(await migrate(database, [owner], [first, file(owner, '0002_share_city.sql', grants)])).toBe(1)
    expect([...(await readBy())]).toEqual([])
  })

  test('in a folder that does not exist are refused, with the plugin named', async () => {
    const folder = new URL('./no-such-folder/', import.meta.url)
    await expect(readMigrations('x_lost', folder)).rejects.toThrow(
      'plugin lost: its folder of migrations does not exist',
    )
  })

  test('run once even when two servers start together', async () => {
    const owner = newOwner()
    const files = [1, 2, 3].map(n => file(owner, `000${n}_create.sql`, `create table ${owner}.t${n} (id int);`))
    await Promise.all([migrate(database, [owner], files), migrate(other, [owner], files)])
    expect(await tables(owner)).toEqual(['t1', 't2', 't3'])
  })

  test('that fail leave nothing behind and name their file', async () => {
    const owner = newOwner()
    const broken = file(
      owner,
      '0001_create_a.sql',
      `create table ${owner}.a (id int); create table ${owner}.a (id int);`,
    )
    await expect(migrate(database, [owner], [broken])).rejects.toThrow(`plugin ${owner}: 0001_create_a.sql failed: `)
    expect(await tables(owner)).toEqual([])
    const mended = file(owner, '0001_create_a.sql', `create table ${owner}.a (id int);`)
    expect(await migrate(database, [owner], [mended])).toBe(1)
  })

  test('that were edited after they were applied are refused', async () => {
    const owner = newOwner()
    await migrate(database, [owner], [file(owner, '0001_create_a.sql', `create table ${owner}.a (id int);`)])
    const edited = file(owner, '0001_create_a.sql', `create table ${owner}.a (id bigint);`)
    await expect(migrate(database, [owner], [edited])).rejects.toThrow(
      `plugin ${owner}: 0001_create_a.sql was edited after it was applied`,
    )
  })

  test('that the database has and the code does not mean a newer version, which is refused', async () => {
    const owner = newOwner()
    const files = [1, 2].map(n => file(owner, `000${n}_create.sql`, `create table ${owner}.t${n} (id int);`))
    await migrate(database, [owner], files)
    await expect(migrate(database, [owner], files.slice(0, 1))).rejects.toThrow(
      `plugin ${owner}: 0002_create.sql is in the database and not in the plugin's folder. Start a version that has it.`,
    )
  })

  test('of a plugin that is not loaded are left alone', async () => {
    const [owner, absent] = [newOwner(), newOwner()]
    await migrate(database, [absent], [file(absent, '0001_create_a.sql', `create table ${absent}.a (id int);`)])
    expect(await migrate(database, [owner], [])).toBe(0)
    expect(await tables(absent)).toEqual(['a'])
  })
})

describe('files of migrations', () => {
  const read = async (files: Record<string, string>) => {
    const folder = await mkdtemp(join(tmpdir(), 'mneme-migrations-'))
    try {
      for (const [name, sql] of Object.entries(files)) await writeFile(join(folder, name), sql)
      return await readMigrations('things', pathToFileURL(`${folder}/`))
    } finally {
      await rm(folder, { recursive: true })
    }
  }

  test('are read in the order of their numbers, with hashes of their text', async () => {
    const files = await read({ '0002_add_b.sql': 'select 2', '0001_create_a.sql': 'select 1', 'README.md': '' })
    expect(files.map(({ name, sql }) => [name, sql])).toEqual([
      ['0001_create_a.sql', 'select 1'],
      ['0002_add_b.sql', 'select 2'],
    ])
    expect(files[0]?.hash).toBe(createHash('sha256').update('select 1').digest('hex'))
  })

  test('with names that do not fit are an error, not left out', async () => {
    await expect(read({ '1_create.sql': '' })).rejects.toThrow(
      'plugin things: 1_create.sql is not named NNNN_verb_noun.sql',
    )
  })
})

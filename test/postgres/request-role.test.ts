import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type EmbeddedPostgres, startEmbedded } from 'served-pglite'
import { APP_ROLE, type OpenDatabase, openDatabase, type RequestLogin, type Tx } from '../../core/db/database.ts'
import { codeOf } from './clients.ts'
import { nativeTarget } from './target.ts'

/** A request's connection stays the request role's, whatever a statement that somebody injected into it tries. */

interface Target {
  readonly url: string
  readonly request: RequestLogin
  stop(): Promise<void>
}

const [own, other] = [randomUUID(), randomUUID()]

const VAULT = `
  do $$ begin create role ${APP_ROLE} nologin; exception when duplicate_object then null; end $$;
  create table vault (workspace_id uuid not null, body text not null);
  alter table vault enable row level security;
  alter table vault force row level security;
  create policy tenant on vault to ${APP_ROLE} using (workspace_id = current_setting('mneme.workspace_id')::uuid);
  create policy owner on vault to current_user using (true) with check (true);
  grant select, insert, update, delete on vault to ${APP_ROLE};
  insert into vault values ('${own}', 'of one''s own'), ('${other}', 'of another')`

const LOOT = `select body from vault where workspace_id = '${other}'`

/** Each ends in a look at the other workspace, in one message as an injection would. */
const ATTACKS = [
  'reset role',
  'set role none',
  'set local role none',
  'set session authorization default',
  'reset session authorization',
  'commit; discard all',
  'commit; reset role',
  'rollback; reset session authorization',
  'commit; reset all; reset role',
  'savepoint a; rollback to a; reset role',
  "select set_config('role', 'none', false)",
  "select set_config('session_authorization', 'default', false)",
  "update pg_settings set setting = 'none' where name = 'role'",
  'do $$ begin reset role; end $$',
  "do $$ begin execute 'reset session authorization'; end $$",
  'set row_security = off',
  'set local session_replication_role = replica',
  `alter role ${APP_ROLE} superuser`,
  `grant pg_read_all_data to ${APP_ROLE}`,
  `alter table vault owner to ${APP_ROLE}`,
  'alter table vault no force row level security',
  'drop policy tenant on vault',
  'create function public.leak() returns setof text language sql security definer as $$ select body from vault $$',
]

async function embedded(): Promise<Target & { readonly database: EmbeddedPostgres }> {
  const folder = mkdtempSync(join(tmpdir(), 'mneme-role-'))
  const database = await startEmbedded({ folder, requestRole: APP_ROLE })
  const stop = async () => {
    await database.stop()
    rmSync(folder, { recursive: true, force: true })
  }
  return { database, url: database.url, request: { url: database.requestUrl, fixed: true }, stop }
}

async function native(superuserUrl: string): Promise<Target> {
  const { url, stop } = await nativeTarget(superuserUrl)
  const login = `mneme_request_${randomBytes(8).toString('hex')}`
  const owner = openDatabase({ url, poolSize: 1 })
  const created = `do $$ begin create role ${APP_ROLE} nologin; exception when duplicate_object then null; end $$`
  await owner.system(tx => tx.unsafe(`${created}; create role ${login} login in role ${APP_ROLE}`))
  await owner.close()
  const request = new URL(url)
  request.username = login
  return {
    url,
    request: { url: request.href, fixed: false },
    async stop() {
      await stop()
      const server = openDatabase({ url: superuserUrl, poolSize: 1 })
      await server.system(tx => tx.unsafe(`drop role ${login}`))
      await server.close()
    },
  }
}

const targets: [string, () => Promise<Target>][] = [['the embedded database', embedded]]
const { TEST_DATABASE_URL } = process.env
if (TEST_DATABASE_URL) targets.push(['a native server with a role for requests', () => native(TEST_DATABASE_URL)])

describe.each(targets)('on %s', (_, start) => {
  let target: Target
  let database: OpenDatabase

  beforeAll(async () => {
    target = await start()
    // One connection each, so that what an attack leaves behind meets the next.
    database = openDatabase({ url: target.url, request: target.request, poolSize: 2 })
    await database.system(tx => tx.unsafe(VAULT))
  })

  afterAll(async () => {
    await database.close()
    await target.stop()
  })

  const ofOwner = async (tx: Tx) => (await tx`select current_user as name, count(*) as rows from vault group by 1`)[0]

  test.each(ATTACKS)('%s shows nothing of another workspace', async attack => {
    const before = await database.system(ofOwner)
    const found = await database
      .workspace(own, tx => tx.unsafe(`${attack}; ${LOOT}`))
      .catch((error: unknown) => String(error))
    expect(JSON.stringify(found)).not.toContain('of another')
    // Nor is anything left behind for those that come after it.
    const after = await database.workspace(own, tx => tx`select body, current_user as name from vault`)
    expect(after).toMatchObject([{ body: "of one's own", name: APP_ROLE }])
    expect(await database.system(ofOwner)).toEqual(before)
    expect(before).toMatchObject({ rows: 2 })
  })

  test('what a session of a request sets does not reach the statements of the owner', async () => {
    const settings = (tx: Tx) => tx`
      select current_setting('search_path') as path, current_setting('row_security') as security, count(*) as rows from vault`
    const before = await database.system(settings)
    await database.workspace(own, tx => tx.unsafe('commit; set search_path = pg_catalog; set row_security = off'))
    expect(await database.system(settings)).toEqual(before)
  })
})

describe('the embedded database', () => {
  let target: Awaited<ReturnType<typeof embedded>>

  beforeAll(async () => {
    target = await embedded()
  })

  afterAll(() => target.stop())

  test('lets nobody in as the request role before it is made, and makes no temporary objects for it afterwards', async () => {
    const database = openDatabase({ url: target.url, request: target.request, poolSize: 2 })
    try {
      expect(await codeOf(database.workspace(own, tx => tx`select 1`))).toBe('SERVICE_UNAVAILABLE')
      await database.system(tx => tx.unsafe(VAULT))
      for (const made of [
        'create temporary table t (a int)',
        'create function pg_temp.f() returns int language sql as $$ select 1 $$',
      ]) {
        expect(await codeOf(database.workspace(own, tx => tx.unsafe(made)))).toBe('42501')
      }
    } finally {
      await database.close()
    }
  })

  test('refuses the password of requests to who logs in as the owner', async () => {
    const { username } = new URL(target.database.url)
    const url = new URL(target.database.requestUrl)
    url.username = username
    const database = openDatabase({ url: url.href, poolSize: 1 })
    expect(await codeOf(database.system(tx => tx`select 1`))).toBe('28P01')
    await database.close()
  })

  test('runs the owner and requests side by side, each with its own rights, as transactions interleave', async () => {
    const database = openDatabase({ url: target.url, request: target.request, poolSize: 8 })
    const names = await Promise.all(
      Array.from({ length: 40 }, async (_, i) => {
        const read = async (tx: Tx) => {
          if (i % 5 === 0) await tx`select 1 / 0`.catch(() => undefined)
          return (await tx`select current_user as name`)[0]?.name
        }
        return (i % 2 === 0 ? database.system(read) : database.workspace(own, read)).catch(() => 'failed')
      }),
    )
    expect(names).toEqual(names.map((_, i) => (i % 5 === 0 ? 'failed' : i % 2 === 0 ? 'postgres' : APP_ROLE)))
    await database.close()
  })
})

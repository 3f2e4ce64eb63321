import { beforeAll, describe, expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { APP_ROLE, type Tx } from '../../core/db/database.ts'
import { service, type TestService } from '../support/service.ts'
import { ROOT } from './source.ts'

/** Tables of the control plane: they say who may do what, and the request path has no business with them. */
const CONTROL_PLANE = ['core.api_key', 'core.api_key_workspace', 'core.invitation', 'core.member']

const OUR_SCHEMAS = ['core', ...readdirSync(join(ROOT, 'plugins'))]

let running: TestService
const query = <T>(work: (tx: Tx) => Promise<T>) => running.database.system(work)

beforeAll(async () => {
  running = await service()
})

function list(tx: Tx, values: readonly string[]) {
  return tx`(select jsonb_array_elements_text(${tx.json([...values])}))`
}

function relations(tx: Tx, names: readonly string[]) {
  return tx`(select jsonb_array_elements_text(${tx.json([...names])})::regclass::oid)`
}

/** Tables of ours with a column workspace_id, as `schema.table`. */
async function tenantTables(): Promise<string[]> {
  const rows = await query(
    tx => tx<{ name: string }[]>`
      select format('%s.%s', c.table_schema, c.table_name) as name
      from information_schema.columns c
      join information_schema.tables t using (table_schema, table_name)
      where c.column_name = 'workspace_id'
        and c.table_schema in ${list(tx, OUR_SCHEMAS)}
        and t.table_type = 'BASE TABLE'
      order by 1`,
  )
  return rows.map(({ name }) => name).filter(name => !CONTROL_PLANE.includes(name))
}

/** All tables, partitions and views of ours. */
async function allTables(): Promise<string[]> {
  const rows = await query(
    tx => tx<{ name: string }[]>`
      select oid::regclass::text as name
      from pg_class
      where relkind in ('r', 'p', 'v', 'm', 'f')
        and relnamespace::regnamespace::text in ${list(tx, OUR_SCHEMAS)}
      order by 1`,
  )
  return rows.map(({ name }) => name)
}

/**
 * Views of tenants' rows. A view runs with the rights of its owner, whom row-level security lets through, so each has to bind
 * its rows to the transaction's workspace itself.
 */
async function tenantViews(): Promise<string[]> {
  const rows = await query(
    tx => tx<{ name: string }[]>`
      select oid::regclass::text as name
      from pg_class
      where relkind = 'v'
        and relnamespace::regnamespace::text in ${list(tx, OUR_SCHEMAS)}
        and pg_get_viewdef(oid) ~ 'workspace_id.*= .*current_workspace\\(\\)|workspace_id IS DISTINCT FROM .*current_workspace\\(\\)'
      order by 1`,
  )
  return rows.map(({ name }) => name)
}

describe('tenant tables', () => {
  test('are there', async () => {
    expect(await tenantTables()).toContain('memories.memory')
  })

  test('force row-level security on everybody, their owner included', async () => {
    const names = await tenantTables()
    const open = await query(
      tx => tx<{ name: string }[]>`
        select oid::regclass::text as name
        from pg_class
        where oid in ${relations(tx, names)} and not (relrowsecurity and relforcerowsecurity)`,
    )
    expect(open.map(({ name }) => name)).toEqual([])
  })

  test('begin their primary key with the workspace, so that they can be distributed by it', async () => {
    const names = await tenantTables()
    const keyed = await query(
      tx => tx<{ name: string }[]>`
        select i.indrelid::regclass::text as name
        from pg_index i
        join pg_attribute a on a.attrelid = i.indrelid and a.attnum = i.indkey[0]
        where i.indisprimary and a.attname = 'workspace_id' and i.indrelid in ${relations(tx, names)}`,
    )
    expect(keyed.map(({ name }) => name).toSorted()).toEqual(names.toSorted())
  })

  test('show and take rows of the workspace of the transaction only, under the role of requests', async () => {
    const names = await tenantTables()
    const policies = await query(
      tx => tx<{ name: string; read: string | null; write: string | null; roles: string; command: string }[]>`
        select
          polrelid::regclass::text as name,
          pg_get_expr(polqual, polrelid) as read,
          pg_get_expr(polwithcheck, polrelid) as write,
          array(select case r when 0 then 'public' else r::regrole::text end from unnest(polroles) r)::text as roles,
          polcmd::text as command
        from pg_policy
        where polpermissive and polrelid in ${relations(tx, names)}`,
    )
    const bound = policies.filter(({ roles }) => roles.includes(APP_ROLE) || roles.includes('public'))
    expect([...new Set(bound.map(({ name }) => name))].toSorted()).toEqual(names.toSorted())
    for (const { name, read, write } of bound) {
      // A policy without a check of its own uses the condition for reading on writes too.
      for (const condition of [read, write ?? read]) {
        const compact = (condition ?? '').replace(/\s+/g, ' ')
        expect(`${name} ${compact}`).toMatch(/^\S+ \(workspace_id = (core\.)?current_workspace\(\)\)$/)
      }
    }
  })
})

describe('the role of requests', () => {
  test('can neither bypass row-level security, nor sign in, nor become or make another', async () => {
    const [role] = await query(
      tx => tx`
        select rolsuper, rolbypassrls, rolcanlogin, rolcreaterole, rolcreatedb, rolreplication,
          (select count(*) from pg_auth_members where member = r.oid)::int as memberships,
          (select count(*) from pg_class where relowner = r.oid)::int as owned
        from pg_roles r
        where rolname = ${APP_ROLE}`,
    )
    expect(role).toEqual({
      rolsuper: false,
      rolbypassrls: false,
      rolcanlogin: false,
      rolcreaterole: false,
      rolcreatedb: false,
      rolreplication: false,
      memberships: 0,
      owned: 0,
    })
  })

  test('has no rights on any table but those of tenants', async () => {
    const tenants = [...(await tenantTables()), ...(await tenantViews())]
    const others = (await allTables()).filter(name => !tenants.includes(name))
    expect(others).toContain('core.api_key')
    expect(others).toContain('core.account_credential')
    expect(others).toContain('core.workspace')
    const reachable = await query(
      tx => tx<{ name: string }[]>`
        select name
        from ${list(tx, others)} as other (name)
        where has_table_privilege(${APP_ROLE}, name, 'select, insert, update, delete, truncate, references, trigger')
          or has_any_column_privilege(${APP_ROLE}, name, 'select, insert, update, references')`,
    )
    expect(reachable.map(({ name }) => name)).toEqual([])
  })

  test('cannot read jobs, nor empty or alter a table', async () => {
    const names = await tenantTables()
    const reachable = await query(
      tx => tx<{ name: string }[]>`
        select c.oid::regclass::text as name
        from pg_class c
        where (c.relnamespace = 'graphile_worker'::regnamespace and c.relkind in ('r', 'p', 'v')
            and has_table_privilege(${APP_ROLE}, c.oid, 'select, insert, update, delete')
            and has_schema_privilege(${APP_ROLE}, 'graphile_worker', 'usage'))
          or (c.oid in ${relations(tx, names)}
            and has_table_privilege(${APP_ROLE}, c.oid, 'truncate, references, trigger'))`,
    )
    expect(reachable.map(({ name }) => name)).toEqual([])
  })

  test('can make nothing in any schema of ours', async () => {
    const open = await query(
      tx => tx<{ name: string }[]>`
        select nspname as name from pg_namespace
        where nspname in ${list(tx, OUR_SCHEMAS)} and has_schema_privilege(${APP_ROLE}, oid, 'create')`,
    )
    expect(open.map(({ name }) => name)).toEqual([])
  })
})

test('nothing is granted to everybody', async () => {
  const grants = await query(
    tx => tx<{ name: string; privilege: string }[]>`
      select c.oid::regclass::text as name, acl.privilege_type as privilege
      from pg_class c, aclexplode(c.relacl) acl
      where acl.grantee = 0 and c.relnamespace::regnamespace::text in ${list(tx, OUR_SCHEMAS)}
      union all
      select nspname, acl.privilege_type
      from pg_namespace, aclexplode(nspacl) acl
      where acl.grantee = 0 and nspname in ${list(tx, OUR_SCHEMAS)}
      union all
      select c.oid::regclass::text || '.' || a.attname, acl.privilege_type
      from pg_attribute a
      join pg_class c on c.oid = a.attrelid, aclexplode(a.attacl) acl
      where acl.grantee = 0 and c.relnamespace::regnamespace::text in ${list(tx, OUR_SCHEMAS)}`,
  )
  expect(grants.map(({ name, privilege }) => `${name} ${privilege}`)).toEqual([])
})

test('a function that runs with the rights of its owner is not for everybody and has its search path fixed', async () => {
  const loose = await query(
    tx => tx<{ name: string }[]>`
      select p.oid::regprocedure::text as name
      from pg_proc p
      where p.prosecdef
        and p.pronamespace::regnamespace::text in ${list(tx, OUR_SCHEMAS)}
        and (has_function_privilege('public', p.oid, 'execute')
          or not exists (select from unnest(p.proconfig) setting where setting like 'search_path=%'))`,
  )
  expect(loose.map(({ name }) => name)).toEqual([])
})

describe('rows of another workspace stay out of sight without any condition on the workspace', () => {
  test('in every tenant table, for reading, changing and deleting', async () => {
    const [own, other] = [await running.account(), await running.account()]
    for (const { client } of [own, other]) {
      const made = await client.post('/v1/memories', { memory: 'The cat sleeps on the warm keyboard.' })
      expect(made.status).toBe(201)
    }
    // Looked up beforehand: a second transaction inside of one would wait for it for ever on the embedded database.
    const [tables, views] = [await tenantTables(), await tenantViews()]
    const seen = await running.database.workspace(own.workspaceId, async tx => {
      const strangers: string[] = []
      for (const name of tables) {
        const [row] = await tx.unsafe(`select count(*)::int as n from ${name} where workspace_id <> $1`, [
          own.workspaceId,
        ])
        if (row?.n !== 0) strangers.push(name)
        const changed = await tx.unsafe(`update ${name} set workspace_id = workspace_id where workspace_id = $1`, [
          other.workspaceId,
        ])
        const deleted = await tx.unsafe(`delete from ${name} where workspace_id = $1`, [other.workspaceId])
        if (changed.count + deleted.count !== 0) strangers.push(name)
      }
      for (const name of views) {
        const [row] = await tx.unsafe(`select count(*)::int as n from ${name} where workspace_id <> $1`, [
          own.workspaceId,
        ])
        if (row?.n !== 0) strangers.push(name)
      }
      const [row] = await tx<{ n: number }[]>`select count(*)::int as n from memories.memory`
      return { strangers, memories: row?.n }
    })
    expect(seen).toEqual({ strangers: [], memories: 1 })
    expect((await other.client.get('/v1/memories')).body.total).toBe(1)
  })

  test('and nothing can be written into one', async () => {
    const [own, other] = [await running.account(), await running.account()]
    const made = await own.client.post('/v1/memories', { memory: 'The dog sleeps below the desk.' })
    const moving = running.database.workspace(
      own.workspaceId,
      tx => tx`update memories.memory set workspace_id = ${other.workspaceId} where id = ${made.body.id}`,
    )
    await expect(moving).rejects.toThrow('row-level security')
  })

  test('and a transaction without a workspace sees nothing at all', async () => {
    const rows = await query(async tx => {
      await tx.unsafe(`set local role ${APP_ROLE}`)
      return tx`select 1 from memories.memory limit 1`
    })
    expect(rows).toHaveLength(0)
  })
})

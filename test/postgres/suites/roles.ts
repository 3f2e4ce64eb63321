import { afterAll, beforeAll, expect, test } from 'bun:test'
import postgres from 'postgres'
import { codeOf, useClients } from '../clients.ts'

/** Forced row-level security under a role without rights of its own, as the request path uses it. */
export function roleSuite(url: () => string): void {
  const open = useClients(url)
  // Roles belong to the server and not to the database, so that a native server may have others' already.
  const role = `tenant_${process.pid}_${Date.now()}`

  beforeAll(async () => {
    const sql = postgres(url(), { max: 1, onnotice: () => {} })
    await sql.unsafe(`create role ${role} nologin;
      create table secret (workspace_id int not null, body text not null);
      alter table secret enable row level security;
      alter table secret force row level security;
      create policy own on secret using (workspace_id = current_setting('mneme.workspace')::int)
        with check (workspace_id = current_setting('mneme.workspace')::int);
      grant select, insert on secret to ${role};
      insert into secret values (1, 'of one'), (2, 'of two')`)
    await sql.end()
  })

  afterAll(async () => {
    const sql = postgres(url(), { max: 1, onnotice: () => {} })
    await sql.unsafe(`drop owned by ${role}; drop role ${role}`)
    await sql.end()
  })

  const asTenant = <Value>(
    sql: postgres.Sql,
    workspace: number,
    body: (tx: postgres.TransactionSql) => Promise<Value>,
  ) =>
    sql.begin(async tx => {
      await tx`select set_config('role', ${role}, true), set_config('mneme.workspace', ${String(workspace)}, true)`
      return body(tx)
    })

  test('a tenant sees its own rows only, also when transactions of two interleave', async () => {
    const sql = open.sql({ max: 4 })
    const seen = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        asTenant(sql, (i % 2) + 1, async tx => (await tx`select body from secret`).map(row => row.body).join()),
      ),
    )
    expect(seen).toEqual(Array.from({ length: 20 }, (_, i) => (i % 2 === 0 ? 'of one' : 'of two')))
  })

  test('a tenant cannot write into another one', async () => {
    const sql = open.sql({ max: 1 })
    expect(await codeOf(asTenant(sql, 1, tx => tx`insert into secret values (2, 'smuggled')`.execute()))).toBe('42501')
  })

  test('the role ends with its transaction', async () => {
    const sql = open.sql({ max: 1 })
    const [before] = await sql`select current_user as name`
    await asTenant(sql, 1, async tx => {
      expect(await tx`select current_user as name`).toMatchObject([{ name: role }])
    })
    await asTenant(sql, 1, tx => tx`select 1 / 0`.execute()).catch(() => undefined)
    expect(await sql`select current_user as name`).toMatchObject([{ name: before?.name }])
  })

  test('set local role works as set_config does', async () => {
    const sql = open.sql({ max: 1 })
    const name = await sql.begin(async tx => {
      await tx.unsafe(`set local role ${role}`)
      return tx`select current_user as name`
    })
    expect(name).toMatchObject([{ name: role }])
  })
}

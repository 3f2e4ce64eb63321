import { beforeAll, describe, expect, test } from 'bun:test'
import type { Tx } from '../../core/db/database.ts'
import { service, type TestService } from '../support/service.ts'

/**
 * These rules keep every tenant table ready to lie on another node than the next workspace's rows (docs/scaling.md).
 */

let running: TestService

beforeAll(async () => {
  running = await service()
})

/** Names that a query finds in the catalogue, as the first column of its rows. */
function found(query: (tx: Tx) => PromiseLike<readonly { name: string }[]>): Promise<string[]> {
  return running.database.system(async tx => (await query(tx)).map(({ name }) => name))
}

/** A condition on `c`, a row of `pg_class`: it is a table with a column workspace_id and forced row-level security. */
function isTenantTable(tx: Tx) {
  return tx`
    c.relkind in ('r', 'p')
    and c.relforcerowsecurity
    and exists (
      select from pg_attribute
      where attrelid = c.oid and attname = 'workspace_id' and not attisdropped
    )`
}

describe('every table', () => {
  test('leaves the table of workspaces alone: no foreign key refers to it and no trigger waits on it', async () => {
    expect(
      await found(
        tx => tx`select conrelid::regclass || ' ' || conname as name from pg_constraint
          where contype = 'f' and confrelid = 'core.workspace'::regclass`,
      ),
    ).toEqual([])
    expect(
      await found(
        tx => tx`select tgname as name from pg_trigger where tgrelid = 'core.workspace'::regclass and not tgisinternal`,
      ),
    ).toEqual([])
  })

  test('refers to tables of its own schema only', async () => {
    expect(
      await found(
        tx => tx`select a.oid::regclass || ' -> ' || b.oid::regclass as name
          from pg_constraint c
          join pg_class a on a.oid = c.conrelid
          join pg_class b on b.oid = c.confrelid
          where c.contype = 'f' and a.relnamespace <> b.relnamespace`,
      ),
    ).toEqual([])
  })
})

describe('every tenant table', () => {
  test('has no trigger', async () => {
    expect(
      await found(
        tx => tx`select c.oid::regclass || ' ' || tgname as name
          from pg_trigger join pg_class c on c.oid = tgrelid
          where not tgisinternal and ${isTenantTable(tx)}`,
      ),
    ).toEqual([])
  })

  test('has policies without a subquery', async () => {
    const conditions = await found(
      tx => tx`select c.oid::regclass || ' ' || concat_ws(' ', pg_get_expr(polqual, c.oid), pg_get_expr(polwithcheck, c.oid)) as name
        from pg_policy join pg_class c on c.oid = polrelid
        where ${isTenantTable(tx)}`,
    )
    expect(conditions).not.toEqual([])
    expect(conditions.filter(condition => /\bselect\b/i.test(condition))).toEqual([])
  })

  test('names the workspace in every foreign key and every unique index', async () => {
    expect(
      await found(
        tx => tx`select c.oid::regclass || ' ' || conname as name
          from pg_constraint
          join pg_class c on c.oid = conrelid
          where contype = 'f' and ${isTenantTable(tx)}
            and not exists (
              select from unnest(conkey, confkey) as pair (here, there)
              join pg_attribute own on own.attrelid = conrelid and own.attnum = pair.here
              join pg_attribute other on other.attrelid = confrelid and other.attnum = pair.there
              where own.attname = 'workspace_id' and other.attname = 'workspace_id'
            )`,
      ),
    ).toEqual([])
    expect(
      await found(
        tx => tx`select i.indexrelid::regclass::text as name
          from pg_index i
          join pg_class c on c.oid = i.indrelid
          where i.indisunique and ${isTenantTable(tx)}
            and not exists (
              select from pg_attribute
              where attrelid = c.oid and attnum = any(i.indkey) and attname = 'workspace_id'
            )`,
      ),
    ).toEqual([])
  })

  test('takes no value from a sequence, of which every node would have its own', async () => {
    expect(
      await found(
        tx => tx`select c.oid::regclass || '.' || attname as name
          from pg_attribute
          join pg_class c on c.oid = attrelid
          left join pg_attrdef on adrelid = c.oid and adnum = attnum
          where ${isTenantTable(tx)}
            and (attidentity <> '' or pg_get_expr(adbin, c.oid) like '%nextval(%')`,
      ),
    ).toEqual([])
  })
})

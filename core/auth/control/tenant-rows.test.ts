import { describe, expect, test } from 'bun:test'
import { randomUUID } from 'node:crypto'
import { controlPlane, failure } from '../../../test/support/control-plane.ts'
import type { Tx } from '../../db/database.ts'
import { eraseTenantRows } from './tenant-rows.ts'

/** These two tenant tables are like a plugin's: parts refer to wholes, and a whole may refer to another. */
async function createTables(tx: Tx, schema: string): Promise<void> {
  await tx.unsafe(`
    create schema ${schema};
    create table ${schema}.a_whole (
      workspace_id uuid not null,
      id int not null,
      merged_into int,
      constraint a_whole_pk primary key (workspace_id, id),
      constraint a_whole_fk foreign key (workspace_id, merged_into) references ${schema}.a_whole (workspace_id, id)
    );
    create table ${schema}.part (
      workspace_id uuid not null,
      id int not null,
      whole_id int not null,
      constraint part_pk primary key (workspace_id, id),
      constraint part_fk foreign key (workspace_id, whole_id) references ${schema}.a_whole (workspace_id, id)
    );
    create index on ${schema}.a_whole (workspace_id, merged_into);
    create index on ${schema}.part (workspace_id, whole_id);
    select core.protect_tenant_table('${schema}.a_whole');
    select core.protect_tenant_table('${schema}.part');`)
}

async function scene(wholes: number, merged: boolean) {
  const { storage, account } = await controlPlane()
  const { database } = storage
  const [doomed, kept] = [(await account()).workspaceId, (await account()).workspaceId]
  const schema = `erasure_${randomUUID().replaceAll('-', '')}`
  await database.system(async tx => {
    await createTables(tx, schema)
    for (const id of [doomed, kept]) {
      // Each whole is merged into the one before, so no order of single rows would do.
      await tx.unsafe(`
        insert into ${schema}.a_whole (workspace_id, id, merged_into)
        select '${id}', n, ${merged ? 'nullif(n - 1, 0)' : 'null'} from generate_series(1, ${wholes}) n;
        insert into ${schema}.part (workspace_id, id, whole_id)
        select '${id}', n, n from generate_series(1, ${wholes}) n;`)
    }
  })
  const rowsOf = (id: string) =>
    database.system(async tx => {
      const [row] = await tx.unsafe<{ n: number }[]>(`
        select (select count(*) from ${schema}.a_whole where workspace_id = '${id}')::int
          + (select count(*) from ${schema}.part where workspace_id = '${id}')::int as n`)
      return row?.n
    })
  const drop = () => database.system(tx => tx.unsafe(`drop schema ${schema} cascade`))
  return { database, doomed, kept, rowsOf, drop }
}

describe('erasing a workspace', () => {
  test('removes its rows of every tenant table, in whatever order they refer to each other, and no others', async () => {
    const { database, doomed, kept, rowsOf, drop } = await scene(4500, false)
    const removed = await eraseTenantRows(database, doomed, new AbortController().signal)
    expect(removed).toBeGreaterThanOrEqual(9000)
    expect([await rowsOf(doomed), await rowsOf(kept)]).toEqual([0, 9000])
    expect(await eraseTenantRows(database, doomed, new AbortController().signal)).toBe(0)
    await drop()
  })

  test('removes rows of one table that refer to each other across batches', async () => {
    const { database, doomed, kept, rowsOf, drop } = await scene(2500, true)
    await eraseTenantRows(database, doomed, new AbortController().signal)
    expect([await rowsOf(doomed), await rowsOf(kept)]).toEqual([0, 5000])
    await drop()
  })

  test('stops when the process is about to', async () => {
    const { database, doomed, rowsOf, drop } = await scene(10, false)
    expect(await failure(eraseTenantRows(database, doomed, AbortSignal.abort(new Error('stopping'))))).toMatchObject({
      message: 'stopping',
    })
    expect(await rowsOf(doomed)).toBe(20)
    await drop()
  })
})

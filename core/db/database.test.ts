import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { randomUUID } from 'node:crypto'
import { controlPlane } from '../../test/support/control-plane.ts'
import { databaseUrl, NATIVE_URL } from '../../test/support/database.ts'
import { APP_ROLE, type OpenDatabase, openDatabase, type TransactionOptions, type Tx, workspaceOf } from './database.ts'

const SCHEMA = `binding_${randomUUID().replaceAll('-', '')}`
const [own, other] = [randomUUID(), randomUUID()]

let database: OpenDatabase

beforeAll(async () => {
  await controlPlane()
  // One connection, so that every transaction runs on the one before it ended on.
  database = openDatabase({ url: await databaseUrl(), poolSize: 1 })
  await database.system(async tx => {
    await tx.unsafe(`
      create schema ${SCHEMA};
      create table ${SCHEMA}.note (
        workspace_id uuid not null,
        id int not null,
        constraint note_pk primary key (workspace_id, id)
      );
      select core.protect_tenant_table('${SCHEMA}.note');
      insert into ${SCHEMA}.note (workspace_id, id)
      select workspace::uuid, n from unnest(array['${own}', '${other}']) workspace, generate_series(1, 2000) n;`)
    await tx.unsafe(`analyze ${SCHEMA}.note`)
  })
})

afterAll(async () => {
  await database.system(tx => tx.unsafe(`drop schema ${SCHEMA} cascade`))
  await database.close()
})

async function settings(tx: Tx) {
  const [row] = await tx<{ role: string; workspace: string }[]>`
    select current_user as role, coalesce(current_setting('mneme.workspace_id', true), '') as workspace`
  return row
}

const ofWorkspace = { role: APP_ROLE, workspace: own }

describe('a transaction of a workspace', () => {
  test('has its role and workspace from the first statement on, and leaves nothing to the next one', async () => {
    expect(await database.workspace(own, settings)).toEqual(ofWorkspace)
    const after = await database.system(settings)
    expect(after?.role).not.toBe(APP_ROLE)
    expect(after?.workspace).toBe('')
  })

  test('leaves nothing behind when it fails either', async () => {
    const failing = database.workspace(own, async tx => {
      expect(await settings(tx)).toEqual(ofWorkspace)
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    const after = await database.system(settings)
    expect(after?.role).not.toBe(APP_ROLE)
    expect(after?.workspace).toBe('')
  })

  test('is refused for what is no UUID, before anything of it reaches the database', async () => {
    for (const id of ['', 'none', `${own}'; set local role postgres; --`, ` ${own}`, `${own}\n`]) {
      let ran = false
      const refused = database.workspace(id, async () => {
        ran = true
      })
      await expect(refused).rejects.toThrow('bound to a workspace by its UUID')
      expect(ran).toBe(false)
    }
  })

  test('tells its workspace to those that have nothing but the transaction; one of the system has none', async () => {
    expect(await database.workspace(own, async tx => workspaceOf(tx))).toBe(own)
    await expect(database.system(async tx => workspaceOf(tx))).rejects.toThrow('bound to no workspace')
  })

  test('bounds its statements where it says so, and those of the next one not', async () => {
    const limit = (tx: Tx) => tx<{ ms: string }[]>`select current_setting('statement_timeout') as ms`
    const bounded = await database.workspace(own, limit, { statementMs: 1500 })
    const unbounded = await database.workspace(own, limit)
    expect([bounded[0]?.ms, unbounded[0]?.ms]).toEqual(['1500ms', '0'])
    const ofSystem = [await database.system(limit, { statementMs: 1500 }), await database.system(limit)]
    expect(ofSystem.map(([row]) => row?.ms)).toEqual(['1500ms', '0'])
    // Postgres reports this when the time is over; the embedded database never does.
    const cancelled = database.workspace(own, tx =>
      tx.unsafe(`do $$ begin raise exception using errcode = '57014'; end $$`),
    )
    expect(await cancelled.catch(error => [error.code, error.retryAfterSeconds])).toEqual(['SERVICE_UNAVAILABLE', 10])
  })

  test('sees its own rows when a statement forgets the workspace', async () => {
    const [row] = await database.workspace(own, tx =>
      tx.unsafe<{ n: number }[]>(`select count(*)::int as n from ${SCHEMA}.note`),
    )
    expect(row?.n).toBe(2000)
  })
})

describe('transactions that lock what others hold', () => {
  /** Two transactions that lock two rows in opposite orders, each after the other has its first one. */
  async function cross(options: TransactionOptions): Promise<PromiseSettledResult<number>[]> {
    const pool = openDatabase({ url: await databaseUrl(), poolSize: 2 })
    const held = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    let runs = 0
    const lock = (tx: Tx, id: number) =>
      tx.unsafe(`select 1 from ${SCHEMA}.note where workspace_id = $1 and id = $2 for update`, [own, id])
    const take = (first: number) =>
      pool.workspace(
        own,
        async tx => {
          runs++
          await lock(tx, first)
          held[first - 1]?.resolve()
          await held[2 - first]?.promise
          await lock(tx, 3 - first)
          return first
        },
        options,
      )
    const outcomes = await Promise.allSettled([take(1), take(2)])
    await pool.close()
    expect(runs).toBe(options.once ? 2 : 3)
    expect(pool.losses).toEqual(options.once ? { rerun: 0, failed: 1 } : { rerun: 1, failed: 0 })
    return outcomes
  }

  // The embedded database runs one transaction at a time, so none waits for another.
  if (NATIVE_URL)
    test('are run again', async () => {
      expect(await cross({})).toEqual([
        { status: 'fulfilled', value: 1 },
        { status: 'fulfilled', value: 2 },
      ])
    })

  if (NATIVE_URL)
    test('fail where their work may run only once', async () => {
      const failed = (await cross({ once: true })).filter(outcome => outcome.status === 'rejected')
      expect(failed.map(({ reason }) => reason.code)).toEqual(['40P01'])
    })

  test('are run again a few times only, and for no other fault', async () => {
    const failing = async (code: string) => {
      let runs = 0
      const losing = database.workspace(own, async tx => {
        runs++
        await tx.unsafe(`do $$ begin raise exception using errcode = '${code}'; end $$`)
      })
      await expect(losing).rejects.toMatchObject({ code })
      return runs
    }
    expect([await failing('40001'), await failing('40P01'), await failing('23505')]).toEqual([5, 5, 1])
  })
})

describe('the policy of a tenant table', () => {
  const plan = (statement: string, values: string[]) =>
    database.workspace(own, async tx => {
      await tx.unsafe('set local plan_cache_mode = force_generic_plan')
      const rows = await tx.unsafe<{ 'QUERY PLAN': string }[]>(`explain (costs off) ${statement}`, values)
      return rows.map(row => row['QUERY PLAN']).join('\n')
    })
  const note = `${SCHEMA}.note`

  test('is evaluated once per statement that names its workspace, and leaves it the index', async () => {
    const text = await plan(`select id from ${note} where workspace_id = $1 and id = 7`, [own])
    expect(text).toMatch(/One-Time Filter: \(.*current_setting.* = /)
    expect(text).toMatch(/Index Cond: \(\(workspace_id = /)
    expect(text.match(/current_setting/g)).toHaveLength(1)
  })

  test('is evaluated once too where a join, an update or a deletion names it', async () => {
    const join = `select a.id from ${note} a join ${note} b on b.workspace_id = a.workspace_id and b.id = a.id`
    expect(await plan(`${join} where a.workspace_id = $1 and a.id < 9`, [own])).not.toMatch(
      /(?<!One-Time )(Filter|Index Cond|Join Filter): .*current_setting/,
    )
    for (const statement of [`update ${note} set id = id`, `delete from ${note}`]) {
      expect(await plan(`${statement} where workspace_id = $1 and id = 7`, [own])).not.toMatch(
        /(?<!One-Time )(Filter|Index Cond): .*current_setting/,
      )
    }
  })

  test('shows nothing of a workspace that a statement names and the transaction does not have', async () => {
    const rows = await database.workspace(own, tx =>
      tx.unsafe(`select id from ${note} where workspace_id = $1`, [other]),
    )
    expect(rows).toHaveLength(0)
  })
})

if (NATIVE_URL)
  test('maintenance has the memory it asks for or what the server gives, and leaves no setting behind', async () => {
    const memoryOf = async (memoryMb?: number) => {
      await database.maintain(
        `create table ${SCHEMA}.memory as select current_setting('maintenance_work_mem') as memory`,
        memoryMb,
      )
      const [row] = await database.system(tx => tx.unsafe<{ memory: string }[]>(`select memory from ${SCHEMA}.memory`))
      await database.maintain(`drop table ${SCHEMA}.memory`)
      return row?.memory
    }
    const usual = await memoryOf()
    expect([await memoryOf(1), await memoryOf(3000), await memoryOf()]).toEqual([usual, '3000MB', usual])
  })

import { beforeAll, describe, expect, setSystemTime, test } from 'bun:test'
import { randomUUID } from 'node:crypto'
import { Type } from '@sinclair/typebox'
import { v7 as uuidv7 } from 'uuid'
import { failure, openControlPlane } from '../../test/support/control-plane.ts'
import { ownDatabaseUrl } from '../../test/support/database.ts'
import { mounted, purge } from '../../test/support/retention.ts'
import type { Workspace } from '../auth/caller.ts'
import { defineSetting } from '../auth/settings.ts'
import type { Database, Tx } from '../db/database.ts'
import { DAY_MS } from '../durations.ts'
import type { NewJob } from '../jobs/task.ts'
import { createLog } from '../log.ts'
import { definePlugin, eraseTypes } from '../plugin.ts'
import { checkRetentions, retentionFaults } from './check.ts'
import type { RemovalInput, Retention } from './retention.ts'
import { retentionJob, retentionTasks } from './tasks.ts'

const keptDays = defineSetting({ key: 'kept_days', schema: Type.Integer({ minimum: 1 }) })
const base: Retention = { table: 'retention.note', column: 'created_at', keepMs: 10 * DAY_MS }

let database: Database

beforeAll(async () => {
  database = (await openControlPlane(await ownDatabaseUrl())).storage.database
  await database.system(async tx => {
    // A row that is marked cannot be deleted, like one that another refers to.
    await tx.unsafe(`
      create schema retention;
      create table retention.note (
        workspace_id uuid not null, id uuid not null, text text not null, created_at timestamptz not null,
        constraint note_pk primary key (workspace_id, id)
      );
      create index note_age on retention.note (workspace_id, created_at);
      select core.protect_tenant_table('retention.note');
      create function retention.refuse() returns trigger language plpgsql as $$
      begin
        if old.text = 'bad' then raise exception 'this row stays'; end if;
        return old;
      end $$;
      create trigger refuse before delete on retention.note for each row execute function retention.refuse();`)
  })
})

/** Makes a workspace with a note for each age in days; its text is the age unless another is given. */
async function notes(ages: readonly number[], text?: (n: number) => string): Promise<string> {
  const workspaceId = randomUUID()
  const rows = ages.map((days, n) => ({
    id: uuidv7({ msecs: Date.now() - days * DAY_MS }),
    text: text?.(n) ?? String(days),
    created_at: new Date(Date.now() - days * DAY_MS),
  }))
  await database.workspace(
    workspaceId,
    tx => tx`
      insert into retention.note (workspace_id, id, text, created_at)
      select ${workspaceId}::uuid, row.id, row.text, row.created_at
      from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as row (id uuid, text text, created_at timestamptz)`,
  )
  return workspaceId
}

async function left(workspaceId: string): Promise<string[]> {
  const rows = await database.workspace(
    workspaceId,
    tx => tx<{ text: string }[]>`
      select text from retention.note where workspace_id = ${workspaceId} order by created_at desc`,
  )
  return rows.map(row => row.text)
}

describe('rows older than they are kept', () => {
  test('are removed, and no others', async () => {
    const [workspaceId, other] = [await notes([0, 9, 11, 400]), await notes([400])]
    await purge(database, mounted([base]), workspaceId)
    expect([await left(workspaceId), await left(other)]).toEqual([['0', '9'], ['400']])
  })

  test('are removed however many there are', async () => {
    const workspaceId = await notes(Array.from({ length: 7000 }, () => 20))
    await purge(database, mounted([base]), workspaceId)
    expect(await left(workspaceId)).toEqual([])
  })

  test('go by the setting of the server that is named, in days', async () => {
    const workspaceId = await notes([1, 3, 20])
    const retention = { ...base, environment: 'NOTE_DAYS' }
    await purge(database, mounted([retention], { config: { NOTE_DAYS: 2 } }), workspaceId)
    expect(await left(workspaceId)).toEqual(['1'])
  })

  test('go by the setting of their workspace where that is shorter, and stay for ever where nothing says how long', async () => {
    const shorter = { ...base, workspaceSetting: keptDays }
    const { keepMs: _, ...only } = shorter
    for (const [retention, settings, expected] of [
      [shorter, { kept_days: 2 }, ['1']],
      [shorter, { kept_days: 300 }, ['1', '5']],
      [shorter, {}, ['1', '5']],
      [only, { kept_days: 2 }, ['1']],
      [only, {}, ['1', '5', '20']],
    ] as const) {
      const workspaceId = await notes([1, 5, 20])
      await purge(database, mounted([retention]), workspaceId, settings)
      expect([settings, await left(workspaceId)]).toEqual([settings, [...expected]])
    }
  })

  test('can be told by the time in a UUID of version 7', async () => {
    const workspaceId = await notes([0, 9, 11, 400])
    await purge(database, mounted([{ ...base, column: 'id', columnType: 'uuidv7' }]), workspaceId)
    expect(await left(workspaceId)).toEqual(['0', '9'])
  })

  test('stay where a condition says so, which may name the time', async () => {
    const workspaceId = await notes([20, 20, 30], n => ['keep', 'go', 'young'][n] ?? '')
    const where = "item.text <> 'keep' and (item.text <> 'young' or item.created_at > :before)"
    await purge(database, mounted([{ ...base, where }]), workspaceId)
    expect((await left(workspaceId)).toSorted()).toEqual(['keep', 'young'])
  })
})

describe('a plugin that removes its rows itself', () => {
  /** Deletes, unless it is given a row that it fails for. */
  function remover(bad?: string) {
    const calls: { workspaceId: string; keys: readonly string[] }[] = []
    const run = async ({ tx, workspaceId, keys, scope }: RemovalInput<string>) => {
      calls.push({ workspaceId, keys })
      expect(scope).toBe('the scope')
      const gone = await tx<{ text: string }[]>`
        delete from retention.note
        where workspace_id = ${workspaceId}
          and id in (select value::uuid from jsonb_array_elements_text(${tx.json([...keys])}))
        returning text`
      if (gone.some(row => row.text === bad)) throw new Error('not this one')
    }
    const retention: Retention<string> = { ...base, removal: { key: 'id', batchMax: 3, run } }
    return { calls, retentions: mounted([retention as Retention], { scope: 'the scope' }) }
  }

  test('gets their keys in batches, with its scope, in a transaction of the workspace', async () => {
    const workspaceId = await notes([1, 20, 20, 20, 20, 20])
    const { calls, retentions } = remover()
    await purge(database, retentions, workspaceId)
    expect(await left(workspaceId)).toEqual(['1'])
    expect(calls.map(call => [call.workspaceId, call.keys.length])).toEqual([
      [workspaceId, 3],
      [workspaceId, 2],
    ])
  })

  test('keeps no row for one that it cannot remove, and is not asked about that one again and again', async () => {
    const workspaceId = await notes([20, 21, 22, 23, 24, 25, 26], n => (n === 4 ? 'worse' : 'old'))
    const { calls, retentions } = remover('worse')
    await purge(database, retentions, workspaceId)
    expect(await left(workspaceId)).toEqual(['worse'])
    expect(calls.length).toBeLessThan(10)
  })
})

test('a row that the database does not let go keeps no other, and is told once an hour', async () => {
  const workspaceId = await notes([20, 21, 22, 23, 1], n => (n === 2 ? 'bad' : String(n)))
  const failed: string[] = []
  const metrics = { removed: () => undefined, failed: (table: string) => void failed.push(table) }
  const [retention] = mounted([base])
  if (!retention) throw new Error('there is no retention')
  await pass(retention, { metrics })
  expect(await left(workspaceId)).toEqual(['4', 'bad'])
  expect(failed).toEqual(['retention.note'])
})

/** Runs the jobs of a pass over the table until none is left. @returns how many there were */
async function pass(
  retention: ReturnType<typeof mounted>[number],
  parts: Partial<Parameters<typeof retentionTasks>[0]> = {},
): Promise<number> {
  const jobs: NewJob[] = [retentionJob(retention)]
  let count = 0
  const queue = { enqueue: async (_: Tx, added: readonly NewJob[]) => void jobs.push(...added) }
  const [task] = retentionTasks(
    {
      database,
      directory: { find: async () => ({ settings: {} }) as Workspace },
      log: createLog('silent'),
      queue,
      ...parts,
    },
    [retention],
  )
  for (let job = jobs.shift(); job; job = jobs.shift()) {
    count++
    await task?.task.run({
      payload: job.payload,
      scope: task.scope,
      attempt: 1,
      maxAttempts: 1,
      signal: new AbortController().signal,
    } as never)
  }
  return count
}

describe('a pass over a table', () => {
  test('serves every workspace, one with very much in turns', async () => {
    await database.system(tx => tx`delete from retention.note where text <> 'bad'`)
    const crowd = await notes(Array.from({ length: 6500 }, () => 20))
    const others = await Promise.all(Array.from({ length: 12 }, () => notes([1, 20])))
    const [retention] = mounted([base])
    if (!retention) throw new Error('there is no retention')
    expect(await pass(retention)).toBe(2)
    expect(await left(crowd)).toEqual([])
    for (const workspaceId of others) expect(await left(workspaceId)).toEqual(['1'])
  })

  test('goes by the clock of the database, however wrong the own one is', async () => {
    const workspaceId = await notes([0, 9, 11])
    const [retention] = mounted([base])
    if (!retention) throw new Error('there is no retention')
    setSystemTime(new Date('2090-05-06'))
    await pass(retention).finally(() => setSystemTime())
    expect(await left(workspaceId)).toEqual(['0', '9'])
  })

  test('goes on past a workspace that fails altogether', async () => {
    const [broken, ...others] = await Promise.all(Array.from({ length: 5 }, () => notes([1, 20])))
    const directory = {
      async find(id: string) {
        if (id === broken) throw new Error('its settings cannot be read')
        return { settings: {} } as Workspace
      },
    }
    const [retention] = mounted([{ ...base, workspaceSetting: keptDays }])
    if (!retention) throw new Error('there is no retention')
    await pass(retention, { directory })
    expect(await left(broken ?? '')).toEqual(['1', '20'])
    for (const workspaceId of others) expect(await left(workspaceId)).toEqual(['1'])
  })
})

describe('a declaration', () => {
  const faultsOf = (retention: Retention) =>
    retentionFaults(
      eraseTypes(
        definePlugin({
          id: 'retention',
          version: '1.0.0',
          apiVersion: 1,
          config: Type.Object({ NOTE_DAYS: Type.Integer() }),
          retention: [retention],
          setup: () => ({ scope: null }),
        }),
      ),
      'retention',
    )

  test.each([
    [{ ...base, table: 'note' }, 'of its own schema'],
    [{ ...base, table: 'core.event' }, 'of its own schema'],
    [{ table: base.table, column: base.column }, 'says nowhere how long'],
    [{ ...base, environment: 'OTHER_DAYS' }, 'the setting OTHER_DAYS, which its config does not have'],
  ])('that makes no sense is refused with its plugin: %#', (retention, message) => {
    const [fault] = faultsOf(retention)
    expect(fault).toStartWith('plugin retention: the retention of ')
    expect(fault).toContain(message)
  })

  test('that makes sense is not', async () => {
    expect(faultsOf({ ...base, environment: 'NOTE_DAYS' })).toEqual([])
    await checkRetentions(database, mounted([base, { ...base, where: 'item.created_at < :before' }]))
  })

  test.each([
    [{ ...base, table: 'retention.missing' }, 'retention.missing'],
    [{ ...base, column: 'made_at' }, 'made_at'],
    [{ ...base, where: 'item.text = ' }, 'syntax error'],
    [{ ...base, columnType: 'uuidv7' as const }, 'operator does not exist'],
  ])('that the database does not know ends the start: %#', async (retention, message) => {
    const refused = await failure(checkRetentions(database, mounted([retention])))
    expect(refused?.message).toStartWith('plugin test: the retention of ')
    expect(refused?.message).toContain(message)
  })
})

import { beforeAll, describe, expect, test } from 'bun:test'
import { randomUUID } from 'node:crypto'
import { Registry } from 'prom-client'
import { failure, openControlPlane } from '../../test/support/control-plane.ts'
import { ownDatabaseUrl } from '../../test/support/database.ts'
import type { Database, Tx } from '../db/database.ts'
import { textArray } from '../db/literals.ts'
import { leasedWorkConformance } from './leased-work.conformance.ts'
import { leasedWork } from './leased-work.ts'
import { queueAgain, unqueue } from './work-contract.ts'
import { measureWork } from './work-metrics.ts'
import type { WorkSubject, WorkTraits } from './work-world.test-support.ts'

let database: Database

beforeAll(async () => {
  database = (await openControlPlane(await ownDatabaseUrl())).storage.database
  await database.system(async tx => {
    await tx.unsafe(`
      create schema work;
      ${['plain', 'limited']
        .map(
          name => `
            create table work.${name} (
              workspace_id uuid not null, id text not null, note text, constraint ${name}_pk primary key (workspace_id, id)
            );
            select core.protect_tenant_table('work.${name}');
            select core.make_work_table('work.${name}');`,
        )
        .join('')}`)
  })
})

function conforms(table: string, traits: WorkTraits): void {
  const { leaseMs, perWorkspaceMax, removesFinished } = traits
  leasedWorkConformance(
    traits,
    async (): Promise<WorkSubject> => ({
      database,
      open: clock =>
        leasedWork({
          table,
          key: 'id',
          keyType: 'text',
          leaseMs,
          clock,
          removeFinished: removesFinished,
          ...(perWorkspaceMax === undefined ? {} : { perWorkspaceMax }),
        }),
      add: (tx, workspaceId, count) => add(tx, table, workspaceId, count),
      async addAgain(tx, workspaceId, id) {
        await tx`
        insert into ${tx(table)} as item (workspace_id, id) values (${workspaceId}, ${id})
        on conflict (workspace_id, id) do update set ${queueAgain(tx, 'item')}`
      },
    }),
  )
}

async function add(tx: Tx, table: string, workspaceId: string, count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, (_, n) => `{"${n}",\\} ${randomUUID()}`)
  await tx`
    insert into ${tx(table)} (workspace_id, id, due_at)
    select ${workspaceId}::uuid, given.id, now() + given.place * interval '1 millisecond'
    from unnest(${textArray(ids)}::text[]) with ordinality as given (id, place)`
  return ids
}

const texts = { key: 'id', leaseMs: 30_000 }
conforms('work.plain', { ...texts, name: 'a table with texts as keys', removesFinished: false })
conforms('work.limited', {
  ...texts,
  name: 'a table with a limit that drops what is done',
  perWorkspaceMax: 4,
  removesFinished: true,
})

describe('a work table', () => {
  test('comes with the columns asked for', async () => {
    const workspaceId = randomUUID()
    const work = leasedWork<{ note: string | null }>({
      table: 'work.plain',
      key: 'id',
      keyType: 'text',
      columns: ['note'],
      leaseMs: 1000,
    })
    const claims = await database.system(async tx => {
      await tx`insert into work.plain (workspace_id, id, note) values (${workspaceId}, 'a', 'told')`
      return work.claimIn(tx, workspaceId, 5)
    })
    expect(claims.map(claim => claim.row.note)).toEqual(['told'])
  })

  test('has items of a lower rank go first, however long the others were due', async () => {
    const workspaceId = randomUUID()
    const work = leasedWork({ table: 'work.plain', key: 'id', keyType: 'text', leaseMs: 1000, ranks: [0, 1] })
    const claimed = await database.system(async tx => {
      await tx`
        insert into work.plain (workspace_id, id, rank, due_at)
        values
          (${workspaceId}, 'behind', 1, now() - interval '1 day'), (${workspaceId}, 'second', 0, now() - interval '1 minute'),
          (${workspaceId}, 'first', 0, now() - interval '1 hour'), (${workspaceId}, 'later', 0, now() + interval '1 hour')`
      const first = await work.claimIn(tx, workspaceId, 2)
      return [...first, ...(await work.claimIn(tx, workspaceId, 5))].map(claim => claim.id)
    })
    expect(claimed).toEqual(['first', 'second', 'behind'])
  })

  test('queues an item again only where a condition says so', async () => {
    const workspaceId = randomUUID()
    const work = leasedWork({ table: 'work.plain', key: 'id', keyType: 'text', leaseMs: 1000 })
    const due = (when: 'true' | 'false') =>
      database.system(async tx => {
        await tx`
          update work.plain set ${queueAgain(tx, 'plain', tx.unsafe(when))} where workspace_id = ${workspaceId}`
        return (await work.claimIn(tx, workspaceId, 1)).length
      })
    await database.system(
      tx => tx`insert into work.plain (workspace_id, id, due_at) values (${workspaceId}, 'a', null)`,
    )
    expect([await due('false'), await due('true')]).toEqual([0, 1])
  })

  test('takes an item from whoever has it when there is nothing left to do for it', async () => {
    const workspaceId = randomUUID()
    const work = leasedWork({ table: 'work.plain', key: 'id', keyType: 'text', leaseMs: 1000 })
    await database.system(async tx => {
      await tx`insert into work.plain (workspace_id, id) values (${workspaceId}, 'a')`
      const claims = await work.claimIn(tx, workspaceId, 1)
      await tx`update work.plain set ${unqueue(tx)} where workspace_id = ${workspaceId}`
      expect(await work.renew(tx, claims)).toEqual([])
      expect(await work.finish(tx, claims)).toEqual([])
      expect(await work.nextDueInMs(tx, workspaceId)).toBeUndefined()
    })
  })

  test('is found due past any number of workspaces where nothing is', async () => {
    const work = leasedWork({ table: 'work.plain', key: 'id', keyType: 'text', leaseMs: 1000 })
    const due = randomUUID()
    await database.system(async tx => {
      await tx`update work.plain set due_at = null`
      await tx`
        insert into work.plain (workspace_id, id, due_at)
        select gen_random_uuid(), 'later', now() + interval '1 hour' from generate_series(1, 1200)`
      await tx`insert into work.plain (workspace_id, id) values (${due}, 'due')`
    })
    const found: string[] = []
    // Each look goes through a bounded number of them, and the next one continues from there.
    for (let n = 0; n < 4; n++) found.push(...(await database.system(tx => work.dueWorkspaces(tx, 10))))
    expect(new Set(found)).toEqual(new Set([due]))
    await database.system(tx => tx`delete from work.plain`)
  })

  test('counts what becomes of its items, and what is queued', async () => {
    const registry = new Registry()
    const work = leasedWork({
      table: 'work.limited',
      key: 'id',
      keyType: 'text',
      leaseMs: 60_000,
      measure: { registry, database },
    })
    const workspaceId = randomUUID()
    await database.system(async tx => {
      await tx`delete from work.limited`
      await add(tx, 'work.limited', workspaceId, 3)
      await tx`update work.limited set due_at = now() - interval '1 second'`
      const claims = await work.claimIn(tx, workspaceId, 2)
      await work.finish(tx, claims.slice(0, 1))
    })
    const lines = (await registry.metrics()).split('\n').filter(line => line.startsWith('mneme_work'))
    expect(lines.toSorted()).toEqual([
      'mneme_work_items_queued{work="work.limited",state="claimed"} 1',
      'mneme_work_items_queued{work="work.limited",state="due"} 1',
      'mneme_work_items_queued{work="work.limited",state="later"} 0',
      'mneme_work_items_total{work="work.limited",outcome="claimed"} 2',
      'mneme_work_items_total{work="work.limited",outcome="finished"} 1',
    ])
  })

  test('has each state counted by itself, and those of others also where it cannot be read', async () => {
    const registry = new Registry()
    await database.system(async tx => {
      await tx`delete from work.plain`
      await tx`delete from work.limited`
      await tx`
        insert into work.plain (workspace_id, id, due_at)
        select gen_random_uuid(), 'later', now() + interval '1 hour' from generate_series(1, 30)`
      await add(tx, 'work.plain', randomUUID(), 3)
      await tx`update work.plain set due_at = now() - interval '1 second' where id <> 'later'`
    })
    measureWork({ registry, database }, 'work.plain', 10)
    measureWork({ registry, database }, 'work.none')
    const lines = (await registry.metrics()).split('\n').filter(line => line.startsWith('mneme_work_items_queued'))
    expect(lines.toSorted()).toEqual([
      'mneme_work_items_queued{work="work.plain",state="claimed"} 0',
      'mneme_work_items_queued{work="work.plain",state="due"} 3',
      'mneme_work_items_queued{work="work.plain",state="later"} 10',
    ])
    await database.system(tx => tx`delete from work.plain`)
  })

  test('has to be a tenant table with the workspace first in its key', async () => {
    const make = (sql: string) => failure(database.system(tx => tx.unsafe(sql)))
    const open = await make(`
      create table work.open (workspace_id uuid not null, id int not null, primary key (workspace_id, id));
      select core.make_work_table('work.open');`)
    expect(open?.message).toContain('work.open is no tenant table')
    const turned = await make(`
      create table work.turned (workspace_id uuid not null, id int not null, primary key (id, workspace_id));
      select core.protect_tenant_table('work.turned');
      select core.make_work_table('work.turned');`)
    expect(turned?.message).toContain('does not begin with workspace_id')
  })
})

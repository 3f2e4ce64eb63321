import { expect, test } from 'bun:test'
import { createJobQueue } from '../../../core/jobs/queue.ts'
import { expectOneHeldBack } from '../../../test/support/bad-row.ts'
import { quarantineOf } from '../../../test/support/quarantine.ts'
import { idleService, type TestAccount } from '../../../test/support/service.ts'
import { workspaceWith } from '../../../test/support/workspace.ts'
import { FEATURE } from '../scope.ts'
import { upload } from '../world.test-support.ts'
import { requeueTask } from './requeue.ts'

/** Exports and imports of several workspaces, whose jobs are gone, as those that came while the plan lacked the feature. */
async function lostWorld(workspaces: number) {
  const { account, database } = await idleService()
  const accounts: TestAccount[] = []
  for (let n = 0; n < workspaces; n++) accounts.push(await account())
  const ids = accounts.map(({ workspaceId }) => workspaceId)
  const lacking = new Set<string>()
  const scope = {
    database,
    quarantine: quarantineOf('exports', database),
    tenants: { find: async (id: string) => workspaceWith(lacking.has(id) ? [] : [FEATURE], id) },
    jobs: createJobQueue(),
  }
  return {
    database,
    ids,
    lacking,
    clients: accounts.map(({ client }) => client),
    /** Keys of jobs, those that are due first before the others. */
    async keys() {
      const rows = await database.system(
        tx => tx<{ key: string }[]>`
          select job.key
          from graphile_worker._private_jobs as job
          where job.payload ->> 'workspace_id' in ${tx(ids)} and job.key like 'exports:%'
          order by job.run_at`,
      )
      return rows.map(({ key }) => key)
    },
    lose: () =>
      database.system(
        tx => tx`delete from graphile_worker._private_jobs as job where job.payload ->> 'workspace_id' in ${tx(ids)}`,
      ),
    async age(minutes: number) {
      for (const table of ['exports.export', 'exports.import'])
        await database.system(
          tx => tx`
            update ${tx(table)} as item
            set updated_at = now() - ${minutes}::int * interval '1 minute'
            where item.workspace_id in ${tx(ids)}`,
        )
    },
    run: () => requeueTask.run({ payload: {}, scope, signal: new AbortController().signal } as never),
  }
}

test('exports and imports without progress have jobs again, once the plan has the feature again', async () => {
  const world = await lostWorld(1)
  const [client, workspaceId] = [world.clients[0], world.ids[0] ?? '']
  if (!client) throw new Error('there is one')
  const imported = (await upload(client, JSON.stringify({ text: 'Ada keeps bees.' }))).body.id
  const exports: string[] = []
  for (let n = 0; n < 3; n++) exports.push((await client.post('/v1/exports', { format: 'JSONL' })).body.id)
  const [pending = '', cut = '', complete = ''] = exports
  const setStatus = (id: string, status: string) =>
    world.database.workspace(
      workspaceId,
      tx => tx`update exports.export set status = ${status} where workspace_id = ${workspaceId} and id = ${id}`,
    )
  await setStatus(cut, 'PROCESSING')
  await setStatus(complete, 'COMPLETED')
  await world.lose()
  await world.age(14)
  await world.run()
  expect(await world.keys()).toEqual([])
  await world.age(16)
  world.lacking.add(workspaceId)
  await world.run()
  expect(await world.keys()).toEqual([])
  world.lacking.clear()
  await world.run()
  const expected = [
    `write:${workspaceId}:${pending}`,
    `write:${workspaceId}:${cut}`,
    `import:${workspaceId}:${imported}`,
  ]
  expect((await world.keys()).toSorted()).toEqual(expected.map(key => `exports:${key}`).toSorted())
})

test('what waits in line keeps its place there', async () => {
  const world = await lostWorld(1)
  const [client] = world.clients
  const older = (await client?.post('/v1/exports', { format: 'JSONL' }))?.body.id
  await world.age(20)
  const newer = (await client?.post('/v1/exports', { format: 'JSONL' }))?.body.id
  await world.run()
  const keyOf = (id: string) => `exports:write:${world.ids[0]}:${id}`
  expect(await world.keys()).toEqual([keyOf(older), keyOf(newer)])
})

test('all go on but an export whose job cannot be stored', async () => {
  const world = await lostWorld(2)
  const made: string[] = []
  for (const client of [world.clients[0], ...world.clients])
    made.push((await client?.post('/v1/exports', { format: 'JSONL' }))?.body.id)
  const [bad = '', ...others] = made
  await world.lose()
  await world.age(60)
  await expectOneHeldBack({
    ...{ database: world.database, sweep: 'exports:requeue', workspaceId: world.ids[0] ?? '', bad, others },
    ...{ table: 'graphile_worker._private_jobs', event: 'insert', where: { "payload ->> 'export_id'": bad } },
    run: world.run,
    done: async () => (await world.keys()).map(key => key.split(':').at(-1) ?? ''),
  })
})

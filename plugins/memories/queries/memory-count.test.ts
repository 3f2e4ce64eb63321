import { expect, test } from 'bun:test'
import type { Json } from '../../../test/support/client.ts'
import { idleService, service } from '../../../test/support/service.ts'
import { exported, imported } from '../../exports/world.test-support.ts'
import { remember } from '../consolidation/world.test-support.ts'
import { memoryWorld } from '../world.test-support.ts'
import { markExpired } from './expiry.ts'
import { countMemories } from './memory-count.ts'

test('the count of memories follows every way in and out, and absorbed ones stay in it', async () => {
  const { account: accountOf, database } = await service()
  const { client, workspaceId } = await accountOf()
  const counts = () =>
    database.workspace(workspaceId, async tx => {
      const [row] = await tx<{ rows: number }[]>`
        select count(*)::int as rows from memories.memory where workspace_id = ${workspaceId}`
      return [row?.rows, await countMemories(tx, workspaceId)]
    })
  expect(await counts()).toEqual([0, 0])

  const older = await remember(client, 'Ada likes quince')
  const younger = await remember(client, 'ada likes quince')
  expect(younger.consolidated_into).toBe(older.id)
  expect(await counts()).toEqual([2, 2])
  await client.post(`/v1/memories/${younger.id}/restore`)
  expect(await counts()).toEqual([2, 2])

  const batch = ['one', 'two', 'two', 'Ada likes quince'].map(memory => ({ memory }))
  await client.post('/v1/memories/batch', { memories: batch })
  expect((await client.post('/v1/memories', { memory: 'one' })).status).toBe(409)
  expect(await counts()).toEqual([4, 4])
  await client.put(`/v1/memories/${older.id}`, { memory: 'Ada likes medlars' })
  expect(await counts()).toEqual([4, 4])

  const { file } = await exported(client, { format: 'JSONL' })
  const other = await accountOf()
  await imported(other.client, file)
  expect((await other.client.get('/v1/dashboard/summary')).body.quota.memories_used).toBe(4)

  expect((await client.delete(`/v1/memories/${older.id}`)).status).toBe(204)
  expect(await counts()).toEqual([3, 3])
  const { body } = await client.get('/v1/dashboard/summary')
  expect(body.quota.memories_used).toBe(3)
})

test('a survivor takes those it absorbed with it, which are counted out with it', async () => {
  const { account: accountOf, database } = await service()
  const { client, workspaceId } = await accountOf()
  const older = await remember(client, 'Ada likes elderflower')
  await remember(client, 'ada likes elderflower')
  await client.delete(`/v1/memories/${older.id}`)
  expect(await database.workspace(workspaceId, tx => countMemories(tx, workspaceId))).toBe(0)
})

test('an expired memory is counted out once, by its expiry and not again by its purge', async () => {
  const { tenant, create } = await memoryWorld({ idle: true })
  const { workspaceId, transaction } = tenant
  const memory = await create({ text: 'errand', layer: 'TASK' })
  await create({ text: 'stays' })
  await transaction(
    tx => tx`update memories.memory set expires_at = now() - interval '1 second' where id = ${memory.id}`,
  )
  const count = () => transaction(tx => countMemories(tx, workspaceId))
  expect(await count()).toBe(2)
  await transaction(tx => markExpired(tx, workspaceId, [memory.id]))
  await transaction(tx => markExpired(tx, workspaceId, [memory.id]))
  expect(await count()).toBe(1)
})

test('a change that is rolled back counts nothing, and many at once count all', async () => {
  const { database, account: accountOf } = await idleService()
  const { client, workspaceId } = await accountOf()
  const created = await Promise.all(
    Array.from({ length: 30 }, (_, n) => client.post('/v1/memories', { memory: `Note ${n % 20}.` })),
  )
  expect(created.filter(({ status }: Json) => status === 201).length).toBe(20)
  const failed = database.workspace(workspaceId, async tx => {
    await tx`delete from memories.live_count where workspace_id = ${workspaceId}`
    throw new Error('rolled back')
  })
  await expect(failed).rejects.toThrow('rolled back')
  expect(await database.workspace(workspaceId, tx => countMemories(tx, workspaceId))).toBe(20)
})

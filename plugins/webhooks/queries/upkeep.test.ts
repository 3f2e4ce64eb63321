import { expect, test } from 'bun:test'
import { randomUUID } from 'node:crypto'
import { plainArray } from 'mneme/plugin'
import { rowsRead } from '../../../test/support/rows-read.ts'
import { idleService } from '../../../test/support/service.ts'
import { createWebhook } from '../world.test-support.ts'
import { areDeliveriesCleared, clearDeliveries, forgetMemories } from './upkeep.ts'

test("a deleted memory's text leaves the bodies that hold it, and others are not read", async () => {
  const { account, database } = await idleService()
  const { workspaceId } = await account()
  const memoryId = randomUUID()
  await database.workspace(
    workspaceId,
    tx => tx`
      insert into webhooks.payload (workspace_id, id, body, memory_ids)
      select
        ${workspaceId}::uuid, gen_random_uuid(), jsonb_build_object('data', jsonb_build_object('memory', repeat('x', 600))),
        array[case payload when 7 then ${memoryId} else gen_random_uuid() end]
      from generate_series(1, 3000) as payload`,
  )
  // Without statistics, which autovacuum brings within a minute, an index is chosen by chance.
  await database.system(tx => tx`analyze webhooks.payload`)
  const { read, bodies } = await database.workspace(workspaceId, async tx => {
    const before = await rowsRead(tx, 'webhooks', 'payload')
    await forgetMemories(tx, workspaceId, plainArray([memoryId]))
    const read = (await rowsRead(tx, 'webhooks', 'payload')) - before
    return { read, bodies: await tx<{ body: string }[]>`select body from webhooks.payload where memory_ids is null` }
  })
  expect(bodies.map(({ body }) => body)).toEqual(['{"data": {"memory": null}}'])
  expect(read).toBeWithin(1, 100)
})

test('deliveries of a webhook that is gone are awaited until they are cleared, and those of others are not', async () => {
  const { account, database } = await idleService()
  const { client, workspaceId } = await account()
  const gone = [randomUUID(), randomUUID()]
  const { id } = await createWebhook(client, 'http://93.184.216.34/kept', { events: ['memory.created'] })
  await client.post('/v1/memories', { memory: 'The kettle is on.' })
  const isCleared = () => database.workspace(workspaceId, tx => areDeliveriesCleared(tx, workspaceId))
  expect(await isCleared()).toBe(true)
  for (const webhookId of gone) {
    await database.workspace(
      workspaceId,
      tx => tx`
        insert into webhooks.delivery (workspace_id, id, webhook_id, payload_id, event, status, round_started_at, created_at)
        select ${workspaceId}::uuid, gen_random_uuid(), ${webhookId}::uuid, gen_random_uuid(), 'memory.created', 'SUCCEEDED', now(), now()
        from generate_series(1, 3)`,
    )
  }
  for (const webhookId of gone) {
    expect(await isCleared()).toBe(false)
    await database.workspace(workspaceId, tx => clearDeliveries(tx, workspaceId, webhookId))
  }
  expect(await isCleared()).toBe(true)
  expect((await client.get(`/v1/webhooks/${id}/deliveries`)).body.total).toBe(1)
})

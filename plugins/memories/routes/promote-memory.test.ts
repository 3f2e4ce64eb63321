import { describe, expect, test } from 'bun:test'
import { service } from '../../../test/support/service.ts'
import { processed, remember } from '../consolidation/world.test-support.ts'
import { createMemoryRoute } from './create-memory.ts'
import { promoteMemoryRoute } from './promote-memory.ts'

describe('POST /v1/memories/:id/promote', () => {
  test('succeeds for one of two concurrent requests, and adds nothing to the history', async () => {
    const { client } = await (await service()).account()
    const { body: task } = await client.call(createMemoryRoute, { body: { memory: 'task', layer: 'TASK' } })
    const twice = await Promise.all([1, 2].map(() => client.post(`/v1/memories/${task.id}/promote`)))
    expect(twice.map(response => response.status).sort()).toEqual([202, 409])
    expect((await client.get(`/v1/memories/${task.id}/history`)).body.total).toBe(1)
  })

  test('is 410 for a memory that is marked as expired', async () => {
    const { account, database } = await service()
    const { client, workspaceId } = await account()
    const { body: task } = await client.call(createMemoryRoute, { body: { memory: 'errand', layer: 'TASK' } })
    await database.workspace(
      workspaceId,
      tx => tx`update memories.memory set expires_at = now() - interval '1 second', live = false`,
    )
    const refused = await client.refusal(promoteMemoryRoute, { params: { id: task.id } })
    expect([refused.status_code, refused.error_code]).toEqual([410, 'MEMORY_EXPIRED'])
  })

  test('is 410 for a memory that the sweep of another server marked before its time', async () => {
    const { account, database } = await service()
    const { client, workspaceId } = await account()
    const { body: task } = await client.call(createMemoryRoute, { body: { memory: 'errand', layer: 'TASK' } })
    await database.workspace(workspaceId, tx => tx`update memories.memory set live = false`)
    const refused = await client.refusal(promoteMemoryRoute, { params: { id: task.id } })
    expect([refused.status_code, refused.error_code]).toEqual([410, 'MEMORY_EXPIRED'])
  })

  test('makes permanent what the memory absorbed, at first or second hand, and nothing else', async () => {
    const { client } = await (await service()).account()
    const fields = { layer: 'TASK', expires_at: '2099-01-01' }
    const survivor = await remember(client, 'I like tea.', fields)
    const second = await remember(client, 'I like soup.', fields)
    const third = await remember(client, 'I really like soup.', fields)
    expect(third.consolidated_into).toBe(second.id)
    await client.put(`/v1/memories/${survivor.id}`, { memory: 'I LIKE SOUP.' })
    await processed(client, survivor.id)
    expect((await processed(client, second.id)).consolidated_into).toBe(survivor.id)
    const other = await remember(client, 'Call the plumber.', fields)
    expect((await client.post(`/v1/memories/${survivor.id}/promote`)).status).toBe(202)
    for (const { id } of [survivor, second, third])
      expect((await client.get(`/v1/memories/${id}`)).body).toMatchObject({ layer: 'RAW', expires_at: null })
    expect((await client.get(`/v1/memories/${other.id}`)).body).toMatchObject({ layer: 'TASK' })
    expect((await client.post(`/v1/memories/${third.id}/restore`)).body).toMatchObject({
      layer: 'RAW',
      expires_at: null,
    })
  })
})

import { describe, expect, test } from 'bun:test'
import { service } from '../../../test/support/service.ts'
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
    await database.workspace(workspaceId, tx => tx`update memories.memory set expires_at = now(), live = false`)
    const refused = await client.refusal(promoteMemoryRoute, { params: { id: task.id } })
    expect([refused.status_code, refused.error_code]).toEqual([410, 'MEMORY_EXPIRED'])
  })
})

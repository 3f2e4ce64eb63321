import { describe, expect, test } from 'bun:test'
import { randomUUID } from 'node:crypto'
import { service } from '../../../test/support/service.ts'

describe('GET /v1/memories/:id/history', () => {
  test('tells every version, oldest first, in pages', async () => {
    const { client } = await (await service()).account()
    const { body } = await client.post('/v1/memories', { memory: 'v0' })
    for (const memory of ['v1', 'v2', 'v3']) await client.put(`/v1/memories/${body.id}`, { memory })
    const path = `/v1/memories/${body.id}/history`
    const { body: all } = await client.get(path)
    expect(all).toMatchObject({ total: 4, page: 1, page_size: 20 })
    expect(all.data[0]).toEqual({
      id: expect.any(String),
      memory_id: body.id,
      event: 'CREATED',
      old_content: null,
      new_content: 'v0',
      created_at: body.created_at,
    })
    expect(all.data[3]).toMatchObject({ event: 'UPDATED', old_content: 'v2', new_content: 'v3' })
    const { body: second } = await client.get(path, { query: { page: 2, page_size: 3 } })
    expect(second).toEqual({ data: [all.data[3]], total: 4, page: 2, page_size: 3 })
  })

  test("is 404 for none or another workspace's, 410 for an expired memory, 400 for a bad page", async () => {
    const running = await service()
    const { client, workspaceId } = await running.account()
    const { client: other } = await running.account()
    const { body } = await client.post('/v1/memories', { memory: 'a', layer: 'TASK' })
    const path = `/v1/memories/${body.id}/history`
    expect((await other.get(path)).body.error_code).toBe('MEMORY_NOT_FOUND')
    expect((await client.get(`/v1/memories/${randomUUID()}/history`)).body.error_code).toBe('MEMORY_NOT_FOUND')
    expect((await client.get(path, { query: { page_size: 101 } })).status).toBe(400)
    await running.database.workspace(workspaceId, tx => tx`update memories.memory set expires_at = now()`)
    expect((await client.get(path)).body.error_code).toBe('MEMORY_EXPIRED')
  })

  test('needs memory.read', async () => {
    const writer = await (await (await service()).account()).key({ permissions: ['memory.write'] })
    expect((await writer.get(`/v1/memories/${randomUUID()}/history`)).body.error_code).toBe('FORBIDDEN')
  })
})

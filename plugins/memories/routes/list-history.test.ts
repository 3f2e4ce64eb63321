import { describe, expect, test } from 'bun:test'
import { service } from '../../../test/support/service.ts'

describe('GET /v1/memories/:id/history', () => {
  test('lists every version, oldest first, in pages', async () => {
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

  test('is 410 for an expired memory', async () => {
    const { account, database } = await service()
    const { client, workspaceId } = await account()
    const { body } = await client.post('/v1/memories', { memory: 'a', layer: 'TASK' })
    await database.workspace(workspaceId, tx => tx`update memories.memory set expires_at = now()`)
    const { status, body: error } = await client.get(`/v1/memories/${body.id}/history`)
    expect([status, error.error_code]).toEqual([410, 'MEMORY_EXPIRED'])
  })
})

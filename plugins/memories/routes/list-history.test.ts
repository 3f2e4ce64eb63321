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

  test('lists versions as they followed each other, whatever clock their ids are of', async () => {
    const { account, database } = await service()
    const { client, workspaceId } = await account()
    const { body } = await client.post('/v1/memories', { memory: 'v0' })
    for (const memory of ['v1', 'v2']) await client.put(`/v1/memories/${body.id}`, { memory })
    // As if a server whose clock is far behind had written the last one.
    await database.workspace(
      workspaceId,
      tx => tx`
        update memories.history set id = ('0000' || substr(id::text, 5))::uuid
        where workspace_id = ${workspaceId} and memory_id = ${body.id} and new_content = 'v2'`,
    )
    const { body: all } = await client.get(`/v1/memories/${body.id}/history`)
    expect(all.data.map(({ new_content }: { new_content: string }) => new_content)).toEqual(['v0', 'v1', 'v2'])
  })

  test('is 410 for an expired memory', async () => {
    const { account, database } = await service()
    const { client, workspaceId } = await account()
    const { body } = await client.post('/v1/memories', { memory: 'a', layer: 'TASK' })
    await database.workspace(workspaceId, tx => tx`update memories.memory set expires_at = now() - interval '1 second'`)
    const { status, body: error } = await client.get(`/v1/memories/${body.id}/history`)
    expect([status, error.error_code]).toEqual([410, 'MEMORY_EXPIRED'])
  })
})

import { describe, expect, test } from 'bun:test'
import { randomUUID } from 'node:crypto'
import type { Client } from '../../../test/support/client.ts'
import { service } from '../../../test/support/service.ts'
import { until } from '../../../test/support/wait.ts'

async function completed(client: Client, id: string): Promise<void> {
  await until(
    'the memory is processed',
    async () => (await client.get(`/v1/memories/${id}`)).body.status === 'COMPLETED',
  )
}

describe('PUT /v1/memories/:id', () => {
  test('moves updated_at, keeps created_at, and records every text', async () => {
    const { client } = await (await service()).account()
    const { body: old } = await client.post('/v1/memories', { memory: 'old text', metadata: { a: 1, b: 2 } })
    await completed(client, old.id)
    const { body: first } = await client.put(`/v1/memories/${old.id}`, { memory: 'new text' })
    expect(first).toMatchObject({ status: 'PENDING', metadata: { a: 1, b: 2 }, created_at: old.created_at })
    expect(first.updated_at > old.updated_at).toBe(true)
    await client.put(`/v1/memories/${old.id}`, { content: 'newer text', metadata: { c: 3 } })
    await completed(client, old.id)
    const history = (await client.get(`/v1/memories/${old.id}/history`)).body
    expect(history.data).toMatchObject([
      { event: 'CREATED', old_content: null, new_content: 'old text' },
      { event: 'UPDATED', old_content: 'old text', new_content: 'new text' },
      { event: 'UPDATED', old_content: 'new text', new_content: 'newer text' },
    ])
  })

  test('an update without changes still queues the memory and is recorded in the history', async () => {
    const { client } = await (await service()).account()
    const { body } = await client.post('/v1/memories', { memory: 'same' })
    await completed(client, body.id)
    const response = await client.put(`/v1/memories/${body.id}`, { memory: 'same' })
    expect([response.status, response.body.status]).toEqual([200, 'PENDING'])
    expect((await client.get(`/v1/memories/${body.id}/history`)).body.total).toBe(2)
    await completed(client, body.id)
  })

  test('null removes the metadata', async () => {
    const { client } = await (await service()).account()
    const { body } = await client.post('/v1/memories', { memory: 'a', metadata: { k: 1 } })
    expect((await client.put(`/v1/memories/${body.id}`, { memory: 'a', metadata: null })).body.metadata).toBeNull()
  })

  test('refuses the text of another memory and changes nothing', async () => {
    const { client } = await (await service()).account()
    const { body: one } = await client.post('/v1/memories', { memory: 'one' })
    const { body: two } = await client.post('/v1/memories', { memory: 'two' })
    const response = await client.put(`/v1/memories/${two.id}`, { memory: ' one ' })
    expect([response.status, response.body.error_code]).toEqual([409, 'DUPLICATE_MEMORY'])
    expect(response.body.message).toContain(one.id)
    expect((await client.get(`/v1/memories/${two.id}`)).body.memory).toBe('two')
    expect((await client.get(`/v1/memories/${two.id}/history`)).body.total).toBe(1)
  })

  test('an expired memory gives up its text', async () => {
    const { database, account } = await service()
    const { client, workspaceId } = await account()
    await client.post('/v1/memories', { memory: 'taken', layer: 'TASK' })
    await database.workspace(workspaceId, tx => tx`update memories.memory set expires_at = now() - interval '1 second'`)
    const { body } = await client.post('/v1/memories', { memory: 'free' })
    expect((await client.put(`/v1/memories/${body.id}`, { memory: 'taken' })).status).toBe(200)
  })

  test('concurrent updates leave one memory and a complete history', async () => {
    const { client } = await (await service()).account()
    const { body } = await client.post('/v1/memories', { memory: 'v0' })
    const responses = await Promise.all(
      Array.from({ length: 10 }, (_, n) => client.put(`/v1/memories/${body.id}`, { memory: `v${n + 1}` })),
    )
    expect(responses.map(response => response.status)).toEqual(Array(10).fill(200))
    await completed(client, body.id)
    const { data } = (await client.get(`/v1/memories/${body.id}/history`)).body
    expect(data).toHaveLength(11)
    const texts = new Set(data.map((event: { new_content: string }) => event.new_content))
    expect(texts.size).toBe(11)
  })

  test.each([
    ['a blank text', { memory: ' ' }],
    ['too many categories', { memory: 'a', categories: Array.from({ length: 21 }, (_, n) => `c${n}`) }],
  ])('refuses %s', async (_, body) => {
    const { client } = await (await service()).account()
    const response = await client.put(`/v1/memories/${randomUUID()}`, body)
    expect([response.status, response.body.error_code]).toEqual([400, 'VALIDATION_ERROR'])
  })

  test('is 409 for a consolidated memory, which stays', async () => {
    const { database, account } = await service()
    const { client, workspaceId } = await account()
    const { body: survivor } = await client.post('/v1/memories', { memory: 'survivor' })
    const { body: absorbed } = await client.post('/v1/memories', { memory: 'absorbed' })
    await database.workspace(
      workspaceId,
      tx => tx`update memories.memory set live = false, consolidated_into = ${survivor.id} where id = ${absorbed.id}`,
    )
    const refused = await client.put(`/v1/memories/${absorbed.id}`, { memory: 'changed' })
    expect([refused.status, refused.body.error_code]).toEqual([409, 'MEMORY_CONSOLIDATED'])
    expect((await client.get(`/v1/memories/${absorbed.id}`)).body.consolidated_into).toBe(survivor.id)
    expect((await client.get('/v1/memories')).body.total).toBe(1)
  })
})

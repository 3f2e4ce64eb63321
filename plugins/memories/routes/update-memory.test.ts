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
  test('replaces what is given, keeps the rest, and queues it again', async () => {
    const { client } = await (await service()).account()
    const { body: old } = await client.post('/v1/memories', {
      memory: 'old text',
      user_id: 'ada',
      priority: 'HIGH',
      categories: ['a'],
      metadata: { a: 1, b: 2 },
    })
    await completed(client, old.id)
    const first = await client.put(`/v1/memories/${old.id}`, { memory: 'new text' })
    expect(first.status).toBe(200)
    expect(first.body).toMatchObject({
      id: old.id,
      memory: 'new text',
      user_id: 'ada',
      priority: 'HIGH',
      status: 'PENDING',
      categories: ['a'],
      metadata: { a: 1, b: 2 },
      created_at: old.created_at,
    })
    expect(first.body.updated_at > old.updated_at).toBe(true)
    const second = await client.put(`/v1/memories/${old.id}`, {
      content: 'newer text',
      priority: 'LOW',
      categories: [],
      metadata: { c: 3 },
    })
    expect(second.body).toMatchObject({ memory: 'newer text', priority: 'LOW', categories: [], metadata: { c: 3 } })
    await completed(client, old.id)
    const history = (await client.get(`/v1/memories/${old.id}/history`)).body
    expect(history.data).toMatchObject([
      { event: 'CREATED', old_content: null, new_content: 'old text' },
      { event: 'UPDATED', old_content: 'old text', new_content: 'new text' },
      { event: 'UPDATED', old_content: 'new text', new_content: 'newer text' },
    ])
  })

  test('an update that changes nothing still queues it and is in the history', async () => {
    const { client } = await (await service()).account()
    const { body } = await client.post('/v1/memories', { memory: 'same' })
    await completed(client, body.id)
    const answer = await client.put(`/v1/memories/${body.id}`, { memory: 'same' })
    expect([answer.status, answer.body.status]).toEqual([200, 'PENDING'])
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
    const answer = await client.put(`/v1/memories/${two.id}`, { memory: ' one ' })
    expect([answer.status, answer.body.error_code]).toEqual([409, 'DUPLICATE_MEMORY'])
    expect(answer.body.message).toContain(one.id)
    expect((await client.get(`/v1/memories/${two.id}`)).body.memory).toBe('two')
    expect((await client.get(`/v1/memories/${two.id}/history`)).body.total).toBe(1)
  })

  test('an expired memory does not block its text', async () => {
    const { database, account } = await service()
    const { client, workspaceId } = await account()
    await client.post('/v1/memories', { memory: 'taken', layer: 'TASK' })
    await database.workspace(workspaceId, tx => tx`update memories.memory set expires_at = now()`)
    const { body } = await client.post('/v1/memories', { memory: 'free' })
    expect((await client.put(`/v1/memories/${body.id}`, { memory: 'taken' })).status).toBe(200)
  })

  test('many updates at once leave one memory and a whole history', async () => {
    const { client } = await (await service()).account()
    const { body } = await client.post('/v1/memories', { memory: 'v0' })
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, n) => client.put(`/v1/memories/${body.id}`, { memory: `v${n + 1}` })),
    )
    expect(answers.map(answer => answer.status)).toEqual(Array(10).fill(200))
    await completed(client, body.id)
    const { data } = (await client.get(`/v1/memories/${body.id}/history`)).body
    expect(data).toHaveLength(11)
    const texts = new Set(data.map((event: { new_content: string }) => event.new_content))
    expect(texts.size).toBe(11)
  })

  test.each([
    ['no text', {}],
    ['a blank text', { memory: ' ' }],
    ['text and its alias', { memory: 'a', content: 'b' }],
    ['an unknown field', { memory: 'a', user_id: 'bob' }],
    ['too many categories', { memory: 'a', categories: Array.from({ length: 21 }, (_, n) => `c${n}`) }],
    ['text beyond the limit', { memory: 'x'.repeat(50_001) }],
  ])('refuses %s', async (_, body) => {
    const { client } = await (await service()).account()
    const answer = await client.put(`/v1/memories/${randomUUID()}`, body)
    expect([answer.status, answer.body.error_code]).toEqual([400, 'VALIDATION_ERROR'])
  })

  test('is 404 without such a memory, 410 for an expired one, 409 for a consolidated one', async () => {
    const { database, account } = await service()
    const { client, workspaceId } = await account()
    const { body } = await client.post('/v1/memories', { memory: 'errand', layer: 'TASK' })
    const { body: survivor } = await client.post('/v1/memories', { memory: 'survivor' })
    const { body: absorbed } = await client.post('/v1/memories', { memory: 'absorbed' })
    await database.workspace(workspaceId, async tx => {
      await tx`update memories.memory set expires_at = now() where id = ${body.id}`
      await tx`update memories.memory set live = false, consolidated_into = ${survivor.id} where id = ${absorbed.id}`
    })
    const put = (id: string) => client.put(`/v1/memories/${id}`, { memory: 'changed' })
    expect((await put(randomUUID())).body.error_code).toBe('MEMORY_NOT_FOUND')
    expect((await put(body.id)).body.error_code).toBe('MEMORY_EXPIRED')
    const refused = await put(absorbed.id)
    expect([refused.status, refused.body.error_code]).toEqual([409, 'MEMORY_CONSOLIDATED'])
    expect((await client.get(`/v1/memories/${absorbed.id}`)).body.consolidated_into).toBe(survivor.id)
    expect((await client.get('/v1/memories')).body.total).toBe(1)
  })

  test('needs memory.write', async () => {
    const reader = await (await (await service()).account()).key({ permissions: ['memory.read'] })
    expect((await reader.put(`/v1/memories/${randomUUID()}`, {})).body.error_code).toBe('FORBIDDEN')
  })
})

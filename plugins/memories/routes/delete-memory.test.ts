import { describe, expect, test } from 'bun:test'
import { randomUUID } from 'node:crypto'
import { service } from '../../../test/support/service.ts'

describe('DELETE /v1/memories/:id', () => {
  test('leaves nothing of the memory behind', async () => {
    const { client, workspaceId } = await (await service()).account()
    const { body } = await client.post('/v1/memories', { memory: 'a' })
    const { body: kept } = await client.post('/v1/memories', { memory: 'b' })
    const answer = await client.delete(`/v1/memories/${body.id}`)
    expect([answer.status, answer.body]).toEqual([204, ''])
    expect((await client.get(`/v1/memories/${body.id}`)).status).toBe(404)
    expect((await client.get(`/v1/memories/${body.id}/history`)).status).toBe(404)
    expect((await client.get('/v1/memories')).body.data.map((memory: { id: string }) => memory.id)).toEqual([kept.id])
    const { database } = await service()
    const [rows] = await database.workspace(
      workspaceId,
      tx => tx`select count(*) as count from memories.history where memory_id = ${body.id}`,
    )
    expect(rows?.count).toBe(0)
    expect((await client.post('/v1/memories', { memory: 'a' })).status).toBe(201)
  })

  test('takes along what the memory absorbed, and the text of an absorbed one from its survivor', async () => {
    const { account, database } = await service()
    const { client, workspaceId } = await account()
    const create = async (memory: string) => (await client.post('/v1/memories', { memory })).body.id
    const [survivor, absorbed, deeper] = [await create('survivor'), await create('absorbed'), await create('deeper')]
    const absorb = (from: string, into: string) =>
      database.workspace(workspaceId, async tx => {
        await tx`update memories.memory set live = false, consolidated_into = ${into} where id = ${from}`
        await tx`
          insert into memories.history
            (workspace_id, memory_id, id, event, old_content, new_content, revision, absorbed_id, created_at)
          values
            (${workspaceId}, ${into}, ${randomUUID()}, 'CONSOLIDATED', 'x', 'merged', 2, ${from}, now())`
      })
    await absorb(deeper, absorbed)
    await absorb(absorbed, survivor)
    expect((await client.delete(`/v1/memories/${deeper}`)).status).toBe(204)
    expect((await client.get(`/v1/memories/${absorbed}/history`)).body.total).toBe(1)
    expect((await client.get(`/v1/memories/${survivor}/history`)).body.total).toBe(2)
    expect((await client.delete(`/v1/memories/${survivor}`)).status).toBe(204)
    const [left] = await database.workspace(
      workspaceId,
      tx => tx`select (select count(*) from memories.memory) + (select count(*) from memories.history) as count`,
    )
    expect(left?.count).toBe(0)
  })

  test('erases the text from a kept idempotent answer', async () => {
    const { client } = await (await service()).account()
    const headers = { 'idempotency-key': randomUUID() }
    const { body } = await client.post('/v1/memories', { memory: 'secret' }, { headers })
    await client.delete(`/v1/memories/${body.id}`)
    const replayed = await client.post('/v1/memories', { memory: 'secret' }, { headers })
    expect(JSON.stringify(replayed.body)).not.toContain('secret')
  })

  test('works on an expired memory', async () => {
    const { account, database } = await service()
    const { client, workspaceId } = await account()
    const { body } = await client.post('/v1/memories', { memory: 'a', layer: 'TASK' })
    await database.workspace(workspaceId, tx => tx`update memories.memory set expires_at = now()`)
    expect((await client.delete(`/v1/memories/${body.id}`)).status).toBe(204)
  })

  test('is 404 for what does not exist, is gone, or is of another workspace', async () => {
    const running = await service()
    const { client } = await running.account()
    const { client: other } = await running.account()
    const { body } = await other.post('/v1/memories', { memory: 'a' })
    for (const id of [randomUUID(), body.id]) {
      expect((await client.delete(`/v1/memories/${id}`)).body.error_code).toBe('MEMORY_NOT_FOUND')
    }
    const twice = await Promise.all([1, 2].map(() => other.delete(`/v1/memories/${body.id}`)))
    expect(twice.map(answer => answer.status).sort()).toEqual([204, 404])
  })

  test('needs memory.delete', async () => {
    const writer = await (await (await service()).account()).key({ permissions: ['memory.read', 'memory.write'] })
    expect((await writer.delete(`/v1/memories/${randomUUID()}`)).body.error_code).toBe('FORBIDDEN')
  })
})

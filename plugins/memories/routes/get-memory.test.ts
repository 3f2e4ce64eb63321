import { describe, expect, test } from 'bun:test'
import { randomUUID } from 'node:crypto'
import { service } from '../../../test/support/service.ts'
import { until } from '../../../test/support/wait.ts'

describe('GET /v1/memories/:id', () => {
  test('answers the full form', async () => {
    const { client, workspaceId } = await (await service()).account()
    const { body: created } = await client.post('/v1/memories', { memory: 'a', user_id: 'ada', metadata: { k: 'v' } })
    const { status, body } = await client.get(`/v1/memories/${created.id.toUpperCase()}`)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      id: created.id,
      memory: 'a',
      user_id: 'ada',
      agent_id: null,
      session_id: null,
      priority: 'MEDIUM',
      categories: [],
      metadata: { k: 'v' },
      workspace: { id: workspaceId, name: 'Test 1' },
      workspace_id: workspaceId,
      access_count: 0,
      last_accessed_at: null,
      feedback: null,
      consolidated_into: null,
      error: null,
      created_at: created.created_at,
      updated_at: created.updated_at,
    })
  })

  test('ends up COMPLETED', async () => {
    const { client } = await (await service()).account()
    const { body } = await client.post('/v1/memories', { memory: 'a' })
    await until('the memory is processed', async () => {
      const now = await client.get(`/v1/memories/${body.id}`)
      expect(['PENDING', 'PROCESSING', 'COMPLETED']).toContain(now.body.status)
      return now.body.status === 'COMPLETED'
    })
  })

  test('counts each read, without delaying it', async () => {
    const { account, database } = await service()
    const { client } = await account()
    const { body } = await client.post('/v1/memories', { memory: 'a' })
    const before = new Date(Date.now() - 1).toISOString()
    await Promise.all([1, 2, 3].map(() => client.get(`/v1/memories/${body.id}`)))
    await until('three reads are counted', async () => {
      const [row] = await database.system(
        tx => tx`select access_count, last_accessed_at from memories.memory where id = ${body.id}`,
      )
      if (row?.access_count !== 3) return false
      return row.last_accessed_at.toISOString() >= before
    })
    const shown = (await client.get(`/v1/memories/${body.id}`)).body
    expect(shown.access_count).toBe(3)
    expect(shown.last_accessed_at).toMatch(/Z$/)
  })

  test('is 404 for an id that does not exist or is of another workspace, 400 for what is no id', async () => {
    const running = await service()
    const { client } = await running.account()
    const { client: other } = await running.account()
    const { body } = await other.post('/v1/memories', { memory: 'a' })
    for (const id of [randomUUID(), body.id]) {
      const answer = await client.get(`/v1/memories/${id}`)
      expect([answer.status, answer.body.error_code]).toEqual([404, 'MEMORY_NOT_FOUND'])
    }
    const malformed = await client.get('/v1/memories/nonsense')
    expect([malformed.status, malformed.body.error_code]).toEqual([400, 'VALIDATION_ERROR'])
  })

  test('is 410 for seven days after the expiry, then 404', async () => {
    const running = await service()
    const { client, workspaceId } = await running.account()
    const { body } = await client.post('/v1/memories', { memory: 'errand', layer: 'TASK' })
    const expired = (ago: string) =>
      running.database.workspace(
        workspaceId,
        tx => tx`update memories.memory set expires_at = now() - ${ago}::text::interval where id = ${body.id}`,
      )
    await expired('6 days 23 hours')
    const gone = await client.get(`/v1/memories/${body.id}`)
    expect([gone.status, gone.body.error_code]).toEqual([410, 'MEMORY_EXPIRED'])
    await expired('7 days 1 second')
    expect((await client.get(`/v1/memories/${body.id}`)).body.error_code).toBe('MEMORY_NOT_FOUND')
  })

  test('needs memory.read', async () => {
    const running = await service()
    const path = `/v1/memories/${randomUUID()}`
    expect((await running.anonymous.get(path)).status).toBe(401)
    const writer = await (await running.account()).key({ permissions: ['memory.write'] })
    expect((await writer.get(path)).body.error_code).toBe('FORBIDDEN')
  })
})

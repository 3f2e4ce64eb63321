import { describe, expect, test } from 'bun:test'
import { randomUUID } from 'node:crypto'
import { service } from '../../../test/support/service.ts'
import { until } from '../../../test/support/wait.ts'

describe('POST /v1/memories/:id/promote', () => {
  test('makes a TASK memory permanent and processes it again', async () => {
    const { client } = await (await service()).account()
    const { body } = await client.post('/v1/memories', { memory: 'errand', layer: 'TASK' })
    const answer = await client.post(`/v1/memories/${body.id}/promote`)
    expect(answer.status).toBe(202)
    expect(answer.body.message).toBeString()
    const promoted = (await client.get(`/v1/memories/${body.id}`)).body
    expect(promoted).toMatchObject({ layer: 'RAW', expires_at: null })
    await until('it is processed', async () => {
      return (await client.get(`/v1/memories/${body.id}`)).body.status === 'COMPLETED'
    })
    expect((await client.get(`/v1/memories/${body.id}/history`)).body.total).toBe(1)
  })

  test('is 409 for a RAW memory, also for one just promoted', async () => {
    const { client } = await (await service()).account()
    const { body: raw } = await client.post('/v1/memories', { memory: 'raw' })
    const { body: task } = await client.post('/v1/memories', { memory: 'task', layer: 'TASK' })
    const refused = await client.post(`/v1/memories/${raw.id}/promote`)
    expect([refused.status, refused.body.error_code]).toEqual([409, 'MEMORY_NOT_PROMOTABLE'])
    const twice = await Promise.all([1, 2].map(() => client.post(`/v1/memories/${task.id}/promote`)))
    expect(twice.map(answer => answer.status).sort()).toEqual([202, 409])
  })

  test('is 410 for an expired one, marked or not, and 404 for none', async () => {
    const { account, database } = await service()
    const { client, workspaceId } = await account()
    const { body } = await client.post('/v1/memories', { memory: 'errand', layer: 'TASK' })
    await database.workspace(workspaceId, tx => tx`update memories.memory set expires_at = now()`)
    const answer = await client.post(`/v1/memories/${body.id}/promote`)
    expect([answer.status, answer.body.error_code]).toEqual([410, 'MEMORY_EXPIRED'])
    await database.workspace(workspaceId, tx => tx`update memories.memory set live = false`)
    expect((await client.post(`/v1/memories/${body.id}/promote`)).status).toBe(410)
    expect((await client.post(`/v1/memories/${randomUUID()}/promote`)).body.error_code).toBe('MEMORY_NOT_FOUND')
    expect((await client.post('/v1/memories/x/promote')).status).toBe(400)
  })

  test('needs memory.write', async () => {
    const reader = await (await (await service()).account()).key({ permissions: ['memory.read'] })
    expect((await reader.post(`/v1/memories/${randomUUID()}/promote`)).body.error_code).toBe('FORBIDDEN')
  })
})

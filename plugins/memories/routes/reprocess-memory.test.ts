import { describe, expect, test } from 'bun:test'
import { service } from '../../../test/support/service.ts'
import { until } from '../../../test/support/wait.ts'

describe('POST /v1/memories/:id/reprocess', () => {
  test('takes a FAILED memory back to COMPLETED and clears its error', async () => {
    const { account, database } = await service()
    const { client, workspaceId } = await account()
    const { body } = await client.post('/v1/memories', { memory: 'a' })
    const status = async () => (await client.get(`/v1/memories/${body.id}`)).body
    await until('it is processed', async () => (await status()).status === 'COMPLETED')
    await database.workspace(workspaceId, tx => tx`update memories.memory set status = 'FAILED', error = 'why'`)
    expect(await status()).toMatchObject({ status: 'FAILED', error: 'why' })
    const response = await client.post(`/v1/memories/${body.id}/reprocess`)
    expect(response.status).toBe(202)
    expect(response.body.message).toBeString()
    const done = await until('it is processed again', async () => {
      const now = await status()
      return now.status === 'COMPLETED' && now
    })
    expect(done).toMatchObject({ error: null, memory: 'a', updated_at: body.updated_at })
  })

  test('is 410 for an expired and 409 for a consolidated memory', async () => {
    const { account, database } = await service()
    const { client, workspaceId } = await account()
    const { body } = await client.post('/v1/memories', { memory: 'a', layer: 'TASK' })
    const reprocess = async (id: string) => (await client.post(`/v1/memories/${id}/reprocess`)).body.error_code
    await database.workspace(workspaceId, tx => tx`update memories.memory set live = false, consolidated_into = id`)
    expect(await reprocess(body.id)).toBe('MEMORY_CONSOLIDATED')
    await database.workspace(workspaceId, tx => tx`update memories.memory set expires_at = now() - interval '1 second'`)
    expect(await reprocess(body.id)).toBe('MEMORY_EXPIRED')
  })
})

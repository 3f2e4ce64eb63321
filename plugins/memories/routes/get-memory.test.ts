import { describe, expect, test } from 'bun:test'
import { service } from '../../../test/support/service.ts'
import { until } from '../../../test/support/wait.ts'

describe('GET /v1/memories/:id', () => {
  test('counts each read without delaying it', async () => {
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
})

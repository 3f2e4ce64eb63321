import { describe, expect, test } from 'bun:test'
import { service } from '../../../test/support/service.ts'

describe('GET /v1/memories/categories', () => {
  test('names each category of visible memories once, sorted', async () => {
    const { account, database } = await service()
    const { client, workspaceId } = await account()
    expect((await client.get('/v1/memories/categories')).body).toEqual({ categories: [] })
    await client.post('/v1/memories/batch', {
      memories: [
        { memory: '1', categories: ['b', 'ä', 'Z'] },
        { memory: '2', categories: ['a', 'b'] },
        { memory: '3' },
        { memory: '4', categories: ['gone'], layer: 'TASK' },
      ],
    })
    await database.workspace(
      workspaceId,
      tx => tx`update memories.memory set expires_at = now() - interval '1 second' where text = '4'`,
    )
    const response = await client.get('/v1/memories/categories')
    expect([response.status, response.body]).toEqual([200, { categories: ['Z', 'a', 'b', 'ä'] }])
  })
})

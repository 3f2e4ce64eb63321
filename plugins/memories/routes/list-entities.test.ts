import { describe, expect, test } from 'bun:test'
import { service } from '../../../test/support/service.ts'
import { countEntities } from '../queries/overview.ts'

describe('GET /v1/memories/entities', () => {
  test('counts visible memories per user, then per agent, the largest counts first', async () => {
    const { account, database } = await service()
    const { client, workspaceId } = await account()
    expect((await client.get('/v1/memories/entities')).body).toEqual([])
    await client.post('/v1/memories/batch', {
      memories: [
        { memory: '1', user_id: 'bob', agent_id: 'x' },
        { memory: '2', user_id: 'ada', agent_id: 'x' },
        { memory: '3', user_id: 'ada', agent_id: 'y' },
        { memory: '4', user_id: 'ada' },
        { memory: '5', user_id: 'Zoe' },
        { memory: '6', user_id: 'ada', layer: 'TASK' },
        { memory: '7', user_id: 'ghost' },
      ],
    })
    await database.workspace(workspaceId, async tx => {
      await tx`update memories.memory set expires_at = now() - interval '1 second' where text = '6'`
      await tx`update memories.memory set live = false, consolidated_into = id where text = '7'`
    })
    const response = await client.get('/v1/memories/entities')
    expect(response.status).toBe(200)
    expect(response.body).toEqual([
      { type: 'user', id: 'ada', count: 3 },
      { type: 'user', id: 'Zoe', count: 1 },
      { type: 'user', id: 'bob', count: 1 },
      { type: 'agent', id: 'x', count: 2 },
      { type: 'agent', id: 'y', count: 1 },
    ])
    const largest = await database.workspace(workspaceId, tx => countEntities(tx, workspaceId, 1))
    expect(largest.map(({ id }) => id)).toEqual(['ada', 'x'])
  })
})

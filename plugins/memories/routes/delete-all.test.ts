import { describe, expect, test } from 'bun:test'
import { service, type TestAccount } from '../../../test/support/service.ts'

async function filled(): Promise<TestAccount> {
  const account = await (await service()).account()
  await account.client.post('/v1/memories/batch', {
    memories: [
      { memory: 'm1', user_id: 'ada', agent_id: 'x' },
      { memory: 'm2', user_id: 'ada', agent_id: 'y' },
      { memory: 'm3', user_id: 'bob', agent_id: 'x' },
      { memory: 'm4', user_id: 'bob', session_id: 's' },
    ],
  })
  return account
}

async function deleteAll({ client, password }: TestAccount, query = {}): Promise<readonly [number, string[]]> {
  const { status } = await client.delete('/v1/memories', { query, headers: { 'x-confirm-password': password } })
  const { data } = (await client.get('/v1/memories')).body
  return [status, data.map((memory: { memory: string }) => memory.memory).sort()]
}

describe('DELETE /v1/memories', () => {
  test('of an agent keeps the memories of others', async () => {
    expect(await deleteAll(await filled(), { agent_id: 'x' })).toEqual([204, ['m2', 'm4']])
  })

  test('of a session keeps those of others, and of a user with a session what only one of them has', async () => {
    const account = await filled()
    expect(await deleteAll(account, { user_id: 'ada', session_id: 's' })).toEqual([204, ['m1', 'm2', 'm3', 'm4']])
    expect(await deleteAll(account, { session_id: 's' })).toEqual([204, ['m1', 'm2', 'm3']])
  })

  test('deletes history, expired and consolidated memories, and nothing of another workspace', async () => {
    const { database } = await service()
    const [account, other] = await Promise.all([filled(), filled()])
    await database.workspace(account.workspaceId, async tx => {
      await tx`update memories.memory set layer = 'TASK', expires_at = now() - interval '1 second' where text = 'm1'`
      await tx`update memories.memory set live = false, consolidated_into = id where text = 'm2'`
    })
    await deleteAll(account)
    const left = (workspaceId: string) =>
      database.workspace(workspaceId, async tx => {
        const [memories] = await tx`select count(*) as count from memories.memory`
        const [events] = await tx`select count(*) as count from memories.history`
        return [memories?.count, events?.count]
      })
    expect(await left(account.workspaceId)).toEqual([0, 0])
    expect(await left(other.workspaceId)).toEqual([4, 4])
  })

  test('an unknown parameter deletes nothing', async () => {
    const { client, password } = await filled()
    for (const query of [{ user: 'ada' }, { user_id: '' }, { search: 'm1' }]) {
      const response = await client.delete('/v1/memories', { query, headers: { 'x-confirm-password': password } })
      expect(response.body.error_code).toBe('VALIDATION_ERROR')
    }
    expect((await client.get('/v1/memories')).body.total).toBe(4)
  })

  test('a filter in a body, where it would not be looked at, deletes nothing', async () => {
    const { client, password } = await filled()
    const headers = { 'x-confirm-password': password }
    const response = await client.request('DELETE', '/v1/memories', { body: { user_id: 'ada' }, headers })
    expect(response).toMatchObject({
      status: 400,
      body: { details: [{ path: 'user_id', message: 'is not a known field' }] },
    })
    expect((await client.get('/v1/memories')).body.total).toBe(4)
  })
})

import { describe, expect, test } from 'bun:test'
import { service } from '../../../test/support/service.ts'
import { until } from '../../../test/support/wait.ts'

/** A workspace whose memories all failed. */
async function failedMemories(...memories: readonly object[]) {
  const { account, database } = await service()
  const { client, workspaceId } = await account()
  for (const memory of memories) await client.post('/v1/memories', memory)
  const listed = async (status: string) => {
    const { body } = await client.get('/v1/memories', { query: { status } })
    return { total: body.total, texts: body.data.map(({ memory }: { memory: string }) => memory).sort() }
  }
  await until('they are processed', async () => (await listed('COMPLETED')).total === memories.length)
  await database.workspace(workspaceId, tx => tx`update memories.memory set status = 'FAILED', error = 'why'`)
  return { client, listed }
}

describe('POST /v1/memories/reprocess', () => {
  test('takes the FAILED memories of a user, then all, back to COMPLETED, and no others', async () => {
    const { client, listed } = await failedMemories(
      { memory: 'a', user_id: 'ada' },
      { memory: 'b', user_id: 'bob' },
      { memory: 'c', user_id: 'ada' },
    )
    const other = await failedMemories({ memory: 'd' })
    const response = await client.post('/v1/memories/reprocess', { status: 'FAILED', user_id: 'ada' })
    expect([response.status, response.body.message]).toEqual([202, expect.stringContaining('2')])
    await until('those of the user are processed', async () => (await listed('COMPLETED')).texts.length === 2)
    expect(await listed('FAILED')).toEqual({ total: 1, texts: ['b'] })
    expect((await client.post('/v1/memories/reprocess', {})).status).toBe(202)
    await until('all are processed', async () => (await listed('COMPLETED')).total === 3)
    expect((await other.listed('FAILED')).total).toBe(1)
  })

  test('is 400 for another status, and 403 without memory.write', async () => {
    const { account } = await service()
    const { client, key } = await account()
    expect((await client.post('/v1/memories/reprocess', { status: 'PENDING' })).status).toBe(400)
    const reader = await key({ permissions: ['memory.read'] })
    expect((await reader.post('/v1/memories/reprocess', {})).status).toBe(403)
  })
})

test('lists and searches filter by one status or several', async () => {
  const { client, listed } = await failedMemories({ memory: 'the red kite' }, { memory: 'the red fox' })
  expect((await listed('FAILED,PENDING')).total).toBe(2)
  expect((await listed('COMPLETED')).total).toBe(0)
  expect((await client.get('/v1/memories', { query: { status: 'BROKEN' } })).status).toBe(400)
  for (const [status, total] of [
    ['FAILED', 2],
    ['COMPLETED', 0],
  ] as const) {
    const found = await client.get('/v1/memories', { query: { search: 'red', status } })
    const posted = await client.post('/v1/memories/search', { query: 'red', status: [status] })
    expect([found.body.total, posted.body.total]).toEqual([total, total])
  }
})

import { beforeAll, describe, expect, test } from 'bun:test'
import { service, type TestAccount } from '../../../test/support/service.ts'
import { until } from '../../../test/support/wait.ts'
import { handIn, PATH, user } from '../world.test-support.ts'

let account: TestAccount

beforeAll(async () => {
  account = await (await service()).account()
})

const NOBODY = '00000000-0000-4000-8000-000000000000'

describe('GET /v1/memories/conversations/:id', () => {
  test('answers 404 for an id that nothing has, or that is another workspace’s, and 400 for one that is none', async () => {
    const stranger = await (await service()).account()
    const { id } = await handIn(stranger.client, [user('I live in Ghent.')])
    for (const missing of [NOBODY, id]) {
      const answer = await account.client.get(`${PATH}/${missing}`)
      expect([answer.status, answer.body.error_code]).toEqual([404, 'CONVERSATION_NOT_FOUND'])
    }
    expect((await account.client.get(`${PATH}/x`)).status).toBe(400)
  })

  test('needs a key that may read', async () => {
    const { anonymous } = await service()
    expect((await anonymous.get(`${PATH}/${NOBODY}`)).status).toBe(401)
    const writer = await account.key({ permissions: ['memory.write'] })
    expect((await writer.get(`${PATH}/${NOBODY}`)).status).toBe(403)
    const reader = await account.key({ permissions: ['memory.read'] })
    expect((await reader.get(`${PATH}/${NOBODY}`)).status).toBe(404)
  })

  test('stands beside the routes of one memory, and takes nothing from them', async () => {
    const { client } = account
    const { body: memory } = await client.post('/v1/memories', { memory: 'Tea is at four.' })
    expect((await client.get(`/v1/memories/${memory.id}`)).body.memory).toBe('Tea is at four.')
    expect((await client.get(`/v1/memories/${memory.id}/history`)).body.total).toBe(1)
    expect((await client.get(PATH)).status).toBe(405)
    expect((await client.delete(PATH)).status).toBe(405)
    expect((await client.get(`${PATH}/history`)).status).toBe(400)
  })
})

describe('a memory that is deleted', () => {
  test('leaves its conversation, which goes with its last one; handed in again, it is read anew', async () => {
    const { client } = await (await service()).account()
    const messages = [user('I live in Ghent. I play the oboe.')]
    const first = await handIn(client, messages)
    const [ghent, oboe] = first.memories
    await client.delete(`/v1/memories/${ghent}`)
    const rest = await until('it has left', async () => {
      const { body } = await client.get(`${PATH}/${first.id}`)
      return body.memories.length === 1 && body.memories
    })
    expect(rest).toEqual([oboe])
    expect((await client.post(PATH, { messages })).body).toMatchObject({ id: first.id, memories_created: 1 })
    await client.delete(`/v1/memories/${oboe}`)
    await until('it is gone', async () => (await client.get(`${PATH}/${first.id}`)).status === 404)
    const again = await handIn(client, messages)
    expect(again.id).not.toBe(first.id)
    expect(again.memories_created).toBe(2)
  })
})

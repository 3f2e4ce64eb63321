import { describe, expect, test } from 'bun:test'
import { service } from '../../../test/support/service.ts'

const TEXT = 'I like tea.'

/** A workspace that holds each text once for each user, unless it is said otherwise. */
async function workspace(uniqueness = 'user') {
  const { client, workspaceId } = await (await service()).account()
  const set = (value: string) => client.patch(`/v1/workspaces/${workspaceId}`, { settings: { uniqueness: value } })
  expect((await set(uniqueness)).body.settings.uniqueness).toBe(uniqueness)
  const store = (user_id: string, memory = TEXT) => client.post('/v1/memories', { memory, user_id })
  return { client, set, store }
}

describe('a workspace with `uniqueness` `user`', () => {
  test('stores a text once for each user, alone and in batches', async () => {
    const { client, store } = await workspace()
    const [ada, ben] = [await store('ada'), await store('ben')]
    expect([ada.status, ben.status]).toEqual([201, 201])
    const again = await store('ada', ` ${TEXT} `)
    expect(again.body).toMatchObject({ status_code: 409, error_code: 'DUPLICATE_MEMORY' })
    expect(again.body.message).toContain(ada.body.id)
    const memories = ['ada', 'cleo', 'cleo'].map(user_id => ({ memory: TEXT, user_id }))
    const { body } = await client.post('/v1/memories/batch', { memories })
    expect(body.results.map(({ status }: { status: number }) => status)).toEqual([409, 201, 409])
  })

  test('stores it once where many requests of each user come at the same moment', async () => {
    const { store } = await workspace()
    const users = ['ada', 'ben', 'ada', 'ben', 'ada', 'ben', 'ada', 'ben']
    const statuses = (await Promise.all(users.map(user => store(user)))).map(({ status }) => status)
    expect(statuses.toSorted()).toEqual([201, 201, 409, 409, 409, 409, 409, 409])
  })

  test('lets an update take a text that another user has, and none of its own user', async () => {
    const { client, store } = await workspace()
    const others = await store('ben')
    const [own, first] = [await store('ada', 'I like milk.'), await store('ada', 'I like juice.')]
    expect((await client.put(`/v1/memories/${own.body.id}`, { memory: TEXT })).status).toBe(200)
    const refused = await client.put(`/v1/memories/${first.body.id}`, { memory: TEXT })
    expect(refused.body).toMatchObject({ status_code: 409, error_code: 'DUPLICATE_MEMORY' })
    expect(refused.body.message).toContain(own.body.id)
    expect(refused.body.message).not.toContain(others.body.id)
  })

  test('puts no user’s id before what a template says of several users', async () => {
    const { client } = await workspace()
    const { body } = await client.post('/v1/templates', { name: 'tea', memories: [{ memory: TEXT }] })
    const applied = ['ada', 'ben', 'ben'].map(user_id => client.post(`/v1/templates/${body.id}/apply`, { user_id }))
    const counts = (await Promise.all(applied)).map(({ body }) => body.memories_created)
    expect(counts.toSorted()).toEqual([0, 1, 1])
    const { body: list } = await client.get('/v1/memories')
    expect(list.data.map(({ memory }: { memory: string }) => memory)).toEqual([TEXT, TEXT])
  })
})

describe('a change of `uniqueness`', () => {
  test('keeps what is stored and holds for what comes', async () => {
    const { client, set, store } = await workspace('workspace')
    const ada = await store('ada')
    expect((await store('ben')).status).toBe(409)
    await set('user')
    expect((await store('ada')).status).toBe(409)
    const ben = await store('ben')
    expect(ben.status).toBe(201)
    await set('workspace')
    expect((await store('cleo')).status).toBe(409)
    const cleo = await store('cleo', 'I like milk.')
    expect((await client.put(`/v1/memories/${cleo.body.id}`, { memory: TEXT })).status).toBe(409)
    // Each memory that has the text already keeps it.
    for (const { body } of [ada, ben])
      expect((await client.put(`/v1/memories/${body.id}`, { memory: TEXT, priority: 'LOW' })).status).toBe(200)
  })

  test('to what it does not know is refused', async () => {
    const { set } = await workspace()
    expect((await set('agent')).status).toBe(400)
  })
})

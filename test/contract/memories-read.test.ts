import { beforeAll, describe, expect, test } from 'bun:test'
import type { Client, Json } from '../support/client.ts'
import type { TestAccount } from '../support/service.ts'
import { until } from '../support/wait.ts'
import { ISO, NOBODY, processed, remember, type Subject, subject, UUID } from './subject.ts'

let service: Subject

beforeAll(async () => {
  service = await subject()
})

const texts = (response: Json): string[] => response.body.data.map((memory: Json) => memory.memory)

describe('one memory', () => {
  test('has the full form, field by field', async () => {
    const { client, workspaceId } = await service.account()
    const { id } = await remember(client, 'The kettle is blue.', { metadata: { room: 'kitchen' } })
    const body = await processed(client, id)
    expect(body).toEqual({
      id,
      memory: 'The kettle is blue.',
      user_id: 'default',
      agent_id: null,
      session_id: null,
      priority: 'MEDIUM',
      status: 'COMPLETED',
      categories: [],
      metadata: { room: 'kitchen' },
      workspace: { id: workspaceId, name: 'Test 1' },
      workspace_id: workspaceId,
      access_count: expect.any(Number),
      last_accessed_at: body.last_accessed_at === null ? null : ISO,
      feedback: null,
      consolidated_into: null,
      error: null,
      ended_at: null,
      superseded_by: [],
      newer: [],
      layer: 'RAW',
      expires_at: null,
      source: 'API',
      created_at: ISO,
      updated_at: ISO,
    })
  })

  test('counts reads and search hits, a moment later, and no lists', async () => {
    const { client } = await service.account()
    const { id } = await remember(client, 'The saucer is green.')
    await client.get('/v1/memories')
    for (let n = 0; n < 3; n++) await client.get(`/v1/memories/${id}`)
    await client.get('/v1/memories', { query: { search: 'saucer', mode: 'keyword' } })
    const seen = await until('the accesses are counted', async () => {
      const { body } = await client.get(`/v1/memories/${id}`)
      return body.access_count >= 4 ? body : undefined
    })
    expect(seen.last_accessed_at).toEqual(ISO)
  })

  test('of another workspace is not there, however it is asked for', async () => {
    const [own, other] = [await service.account(), await service.account()]
    const { id } = await remember(own.client, 'The spoon is silver.')
    const asked: [string, string, object?][] = [
      ['GET', `/v1/memories/${id}`],
      ['PUT', `/v1/memories/${id}`, { memory: 'Mine now.' }],
      ['DELETE', `/v1/memories/${id}`],
      ['GET', `/v1/memories/${id}/history`],
      ['POST', `/v1/memories/${id}/promote`],
      ['POST', `/v1/memories/${id}/reprocess`],
      ['POST', `/v1/memories/${id}/restore`],
      ['POST', `/v1/memories/${id}/feedback`, { signal: 'POSITIVE' }],
    ]
    for (const [method, path, body] of asked) {
      const response = await other.client.request(method, path, body ? { body } : {})
      expect([method, path, response.status, response.body.error_code]).toEqual([method, path, 404, 'MEMORY_NOT_FOUND'])
    }
    expect(await own.client.get(`/v1/memories/${id.toUpperCase()}`)).toMatchObject({
      status: 200,
      body: { memory: 'The spoon is silver.' },
    })
  })
})

describe('the list', () => {
  let client: Client
  let times: string[]

  beforeAll(async () => {
    client = (await service.account()).client
    const made = [
      await remember(client, 'One', { user_id: 'ada', priority: 'LOW', categories: ['a'], session_id: 's1' }),
      await remember(client, 'Two', { user_id: 'ada', priority: 'MEDIUM', categories: ['b', 'c'], agent_id: 'bot' }),
      await remember(client, 'Three', { user_id: 'bob', priority: 'HIGH', categories: ['c'], agent_id: 'bot' }),
      await remember(client, 'Four', { user_id: 'bob' }),
    ]
    times = made.map(({ created_at }) => created_at)
  })

  const list = (query: Record<string, string | number | boolean | string[]>) => client.get('/v1/memories', { query })

  test('is the newest first, in the envelope, ten a page', async () => {
    const response = await list({})
    expect(texts(response)).toEqual(['Four', 'Three', 'Two', 'One'])
    const { data, ...envelope } = response.body
    expect(envelope).toEqual({ total: 4, page: 1, page_size: 10 })
    expect(data[3]).toEqual({
      id: UUID,
      memory: 'One',
      user_id: 'ada',
      agent_id: null,
      session_id: 's1',
      priority: 'LOW',
      status: expect.stringMatching(/^(PENDING|PROCESSING|COMPLETED)$/),
      categories: ['a'],
      metadata: null,
      workspace_id: UUID,
      source: 'API',
      relevance: 'NONE',
      ended_at: null,
      superseded_by: [],
      newer: expect.any(Array),
      created_at: ISO,
      updated_at: ISO,
    })
  })

  const cases: [what: string, query: Record<string, string | string[]>, expected: string[]][] = [
    ['user', { user_id: 'ada' }, ['Two', 'One']],
    ['agent', { agent_id: 'bot' }, ['Three', 'Two']],
    ['session', { session_id: 's1' }, ['One']],
    ['priority', { priority: 'HIGH' }, ['Three']],
    ['several priorities', { priorities: 'HIGH,LOW' }, ['Three', 'One']],
    ['several priorities, repeated', { priorities: ['HIGH', 'LOW'] }, ['Three', 'One']],
    ['several priorities, which win over one', { priorities: 'HIGH', priority: 'LOW' }, ['Three']],
    ['one category of several', { categories: 'b,a' }, ['Two', 'One']],
    ['categories, repeated', { categories: ['c', 'nothing'] }, ['Three', 'Two']],
    ['filters together', { user_id: 'bob', agent_id: 'bot' }, ['Three']],
    ['nothing that is there', { user_id: 'nobody' }, []],
  ]
  for (const [what, query, expected] of cases) {
    test(`goes by ${what}`, async () => {
      const response = await list(query)
      expect([texts(response), response.body.total]).toEqual([expected, expected.length])
    })
  }

  test('goes by time, whatever form of ISO 8601 it has, ends included', async () => {
    const [, second = '', third = ''] = times
    expect(texts(await list({ created_after: second, created_before: third }))).toEqual(['Three', 'Two'])
    const offset = new Date(Date.parse(third) + 2 * 3_600_000).toISOString().replace('Z', '+02:00')
    expect(texts(await list({ created_after: offset }))).toEqual(['Four', 'Three'])
    expect((await list({ created_after: '2199-01-01' })).body.total).toBe(0)
    expect((await list({ created_before: '2020-01-01T00:00' })).body.total).toBe(0)
    expect((await list({ created_before: '2199-12-31', created_after: '2020-01-01' })).body.total).toBe(4)
  })

  test('comes in pages', async () => {
    expect(texts(await list({ page: 2, page_size: 3 }))).toEqual(['One'])
    expect(await list({ page: 9, page_size: 3 })).toMatchObject({ body: { data: [], total: 4, page: 9, page_size: 3 } })
  })

  test('refuses what it does not understand, every parameter named', async () => {
    const query = {
      page: 0,
      page_size: 101,
      priority: 'URGENT',
      priorities: 'HIGH,URGENT',
      created_after: 'yesterday',
      mode: 'fuzzy',
      expand: 'maybe',
      workspace_id: 'x',
      categories: 'y'.repeat(101),
      user_id: 'z'.repeat(256),
      userid: 'ada',
    }
    const response = await list(query)
    expect(response.status).toBe(400)
    const paths = response.body.details.map(({ path }: Json) => String(path).split('.')[0])
    expect([...new Set(paths)].toSorted()).toEqual(Object.keys(query).toSorted())
    for (const page of ['1.5', '-1', 'x', '1e2', '']) expect((await list({ page })).status).toBe(400)
    expect((await client.get('/v1/memories?page=1&page=2')).status).toBe(400)
  })
})

describe('what there is', () => {
  test('of users and agents, with their counts', async () => {
    const { client } = await service.account()
    await remember(client, 'A', { user_id: 'ada', agent_id: 'bot' })
    await remember(client, 'B', { user_id: 'ada' })
    await remember(client, 'C')
    const { status, body } = await client.get('/v1/memories/entities')
    expect(status).toBe(200)
    expect(body.toSorted((a: Json, b: Json) => `${a.type}${a.id}`.localeCompare(`${b.type}${b.id}`))).toEqual([
      { type: 'agent', id: 'bot', count: 1 },
      { type: 'user', id: 'ada', count: 2 },
      { type: 'user', id: 'default', count: 1 },
    ])
  })

  test('of categories, each once', async () => {
    const { client } = await service.account()
    expect((await client.get('/v1/memories/categories')).body).toEqual({ categories: [] })
    await remember(client, 'A', { categories: ['x', 'y'] })
    await remember(client, 'B', { categories: ['y', 'z'] })
    const { body } = await client.get('/v1/memories/categories')
    expect(Object.keys(body)).toEqual(['categories'])
    expect(body.categories.toSorted()).toEqual(['x', 'y', 'z'])
  })
})

describe('the history of a memory', () => {
  test('tells of its creation and of every change, twenty a page', async () => {
    const { client } = await service.account()
    const { id } = await remember(client, 'First.')
    await client.put(`/v1/memories/${id}`, { memory: 'Second.' })
    const { status, body } = await client.get(`/v1/memories/${id}/history`)
    expect(status).toBe(200)
    const { data, ...envelope } = body
    expect(envelope).toEqual({ total: 2, page: 1, page_size: 20 })
    const created = data.find((event: Json) => event.event === 'CREATED')
    const updated = data.find((event: Json) => event.event === 'UPDATED')
    expect(created).toEqual({
      id: UUID,
      memory_id: id,
      event: 'CREATED',
      old_content: null,
      new_content: 'First.',
      created_at: ISO,
    })
    expect(updated).toEqual({
      id: UUID,
      memory_id: id,
      event: 'UPDATED',
      old_content: 'First.',
      new_content: 'Second.',
      created_at: ISO,
    })
    const second = await client.get(`/v1/memories/${id}/history`, { query: { page: 2, page_size: 1 } })
    expect(second.body).toMatchObject({ total: 2, page: 2, page_size: 1 })
    expect(second.body.data).toHaveLength(1)
    expect((await client.get(`/v1/memories/${id}/history`, { query: { page_size: 101 } })).status).toBe(400)
  })
})

describe('the profile of a user', () => {
  let account: TestAccount

  beforeAll(async () => {
    account = await service.account()
  })

  test('is null as long as there is none', async () => {
    const response = await account.client.get(`/v1/memories/profile/${account.workspaceId}/ada`)
    expect([response.status, response.body]).toEqual([200, { profile: null }])
  })

  test('is only for who may use the workspace', async () => {
    const stranger = await service.account()
    const get = (workspace: string) => account.client.get(`/v1/memories/profile/${workspace}/ada`)
    expect((await get(stranger.workspaceId)).body.error_code).toBe('WORKSPACE_ACCESS_DENIED')
    expect((await get(NOBODY)).body.error_code).toBe('WORKSPACE_NOT_FOUND')
    expect((await get('x')).body.error_code).toBe('VALIDATION_ERROR')
  })
})

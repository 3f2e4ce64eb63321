import { beforeAll, describe, expect, test } from 'bun:test'
import type { Client } from '../support/client.ts'
import type { TestAccount } from '../support/service.ts'
import { ISO, NOBODY, remember, type Subject, subject, UUID } from './subject.ts'

let service: Subject
let account: TestAccount
let client: Client

beforeAll(async () => {
  service = await subject()
  account = await service.account()
  client = account.client
})

const create = (body: object) => client.post('/v1/memories', body)

/** Maps path to message of a refused body. */
async function faultsOf(body: object): Promise<Record<string, string>> {
  const response = await create(body)
  expect([response.status, response.body.error_code]).toEqual([400, 'VALIDATION_ERROR'])
  return Object.fromEntries(response.body.details.map(({ path, message }: Record<string, string>) => [path, message]))
}

const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString()

describe('a new memory', () => {
  test('needs nothing but its text, and answers with its fields and their defaults', async () => {
    const { status, body } = await create({ memory: 'Tea is at four.' })
    expect(status).toBe(201)
    const { id } = body
    expect(body).toMatchObject({
      id: UUID,
      memory: 'Tea is at four.',
      user_id: 'default',
      agent_id: null,
      session_id: null,
      categories: [],
      metadata: null,
      created_at: ISO,
      updated_at: ISO,
    })
    const full = (await client.get(`/v1/memories/${id}`)).body
    expect(full).toMatchObject({
      priority: 'MEDIUM',
      access_count: expect.any(Number),
      feedback: null,
      last_accessed_at: null,
    })
    expect(full.workspace).toEqual({ id: account.workspaceId, name: 'Test 1' })
    expect(['PENDING', 'PROCESSING', 'COMPLETED']).toContain(full.status)
  })

  test('keeps every field as it was sent', async () => {
    const sent = {
      memory: '  Exactly as sent:\n\ttabs, 日本語, 😀 and "quotes".  ',
      user_id: 'ada',
      agent_id: 'planner',
      session_id: 's-1',
      priority: 'HIGH',
      categories: ['tech stack', 'überall'],
      metadata: { nested: { list: [1, 'two', null, true], empty: {} }, number: 1.5, big: 9007199254740991 },
    }
    const made = await remember(client, sent.memory, sent)
    const full = (await client.get(`/v1/memories/${made.id}`)).body
    for (const response of [made, full]) expect(response).toMatchObject(sent)
    const [listed] = (await client.get('/v1/memories', { query: { user_id: 'ada' } })).body.data
    const { metadata, ...rest } = sent
    expect(listed).toMatchObject({ ...rest, source: 'API', relevance: 'NONE', workspace_id: account.workspaceId })
    expect(metadata.number).toBe(listed.metadata.number)
  })

  test('may be sent as content, but not as both', async () => {
    expect((await create({ content: 'Sent as content.' })).body.memory).toBe('Sent as content.')
    expect(Object.keys(await faultsOf({ memory: 'a', content: 'b' }))).not.toHaveLength(0)
    expect(Object.keys(await faultsOf({}))).toEqual(['memory'])
  })

  test('is told all that is wrong at once, what no field alone shows included, and before its workspace is looked at', async () => {
    expect(await faultsOf({ priority: 'X', workspace_id: NOBODY })).toEqual({
      memory: 'is required',
      priority: 'must be one of LOW, MEDIUM, HIGH',
    })
    expect(await faultsOf({ memory: 'a', content: 'b', user_id: 7, expires_at: inAnHour() })).toEqual({
      content: 'must not be given together with memory',
      user_id: expect.any(String),
      expires_at: 'is only valid when layer is TASK',
    })
    // Which of the two was meant is not known where one of them is at fault.
    expect(Object.keys(await faultsOf({ content: 7 }))).toEqual(['content'])
    const { body } = await client.post('/v1/memories/batch', { memories: [{ priority: 'X' }, 'x'] })
    const paths = body.results.map(({ error }: { error: { details: { path: string }[] } }) =>
      error.details.map(({ path }) => path).toSorted(),
    )
    expect(paths).toEqual([['memories.0.memory', 'memories.0.priority'], ['memories.1']])
  })

  test('may be as long as the limits say, counted in code points, and not longer', async () => {
    const long = '😀'.repeat(50_000)
    expect((await create({ memory: long })).body.memory).toBe(long)
    expect(await faultsOf({ memory: `${long}x` })).toHaveProperty('memory')
    const id = '😀'.repeat(255)
    expect((await create({ memory: 'Long ids.', user_id: id, agent_id: id, session_id: id })).status).toBe(201)
    const faults = await faultsOf({ memory: 'x', user_id: `${id}x`, agent_id: `${id}x`, session_id: `${id}x` })
    expect(Object.keys(faults).toSorted()).toEqual(['agent_id', 'session_id', 'user_id'])
    const categories = Array.from({ length: 20 }, (_, n) => `${n} `.padEnd(100, 'x'))
    expect((await create({ memory: 'Many categories.', categories })).status).toBe(201)
    expect(await faultsOf({ memory: 'x', categories: [...categories, 'one more'] })).toHaveProperty('categories')
    expect(await faultsOf({ memory: 'x', categories: ['y'.repeat(101)] })).toHaveProperty(['categories.0'])
  })

  test('is refused with every fault named', async () => {
    for (const memory of ['', '   ', '\n\t', '\u3000', 7, null, ['x'], { a: 1 }])
      expect(await faultsOf({ memory })).toHaveProperty('memory')
    expect(await faultsOf({ memory: 'a\u0000b' })).toHaveProperty('memory')
    const faults = await faultsOf({
      memory: '',
      user_id: 7,
      agent_id: {},
      session_id: [],
      priority: 'high',
      categories: 'x',
      metadata: [],
      layer: 'FOREVER',
      expires_at: 'soon',
      workspace_id: 'mine',
      memories: 'x',
    })
    expect(Object.keys(faults).toSorted()).toEqual([
      'agent_id',
      'categories',
      'expires_at',
      'layer',
      'memories',
      'memory',
      'metadata',
      'priority',
      'session_id',
      'user_id',
      'workspace_id',
    ])
  })

  test('with NUL or half a character in its metadata is a fault or kept, never a failure of ours', async () => {
    for (const value of ['a\u0000b', '\ud800', '\udc00x']) {
      for (const metadata of [{ key: value }, { [value]: 1 }, { deep: [{ x: value }] }]) {
        const { status } = await create({ memory: `Odd ${Math.random()}`, metadata })
        expect([JSON.stringify(metadata), [201, 400].includes(status)]).toEqual([JSON.stringify(metadata), true])
      }
    }
  })
})

describe('the same text again', () => {
  const duplicate = { status: 409, body: { error_code: 'DUPLICATE_MEMORY' } }

  test('is refused in the same workspace, whoever it is for, and however it is spelt in Unicode', async () => {
    await remember(client, 'Caf\u00e9 at noon.')
    for (const body of [
      { memory: 'Caf\u00e9 at noon.' },
      { memory: 'Cafe\u0301 at noon.' },
      { memory: '  Caf\u00e9 at noon.\n' },
      { memory: 'Caf\u00e9 at noon.', user_id: 'somebody else', priority: 'LOW', layer: 'TASK' },
    ])
      expect(await create(body)).toMatchObject(duplicate)
    expect((await create({ memory: 'café at noon.' })).status).toBe(201)
  })

  test('is stored once when it is sent many times at once', async () => {
    const responses = await Promise.all(Array.from({ length: 20 }, () => create({ memory: 'All at once.' })))
    expect(responses.map(({ status }) => status).toSorted()).toEqual([201, ...Array(19).fill(409)])
  })

  test('is another memory in another workspace, and after the first is deleted', async () => {
    const other = await service.account()
    const { id } = await remember(client, 'In every workspace.')
    expect((await other.client.post('/v1/memories', { memory: 'In every workspace.' })).status).toBe(201)
    expect(await create({ memory: 'In every workspace.' })).toMatchObject(duplicate)
    await client.delete(`/v1/memories/${id}`)
    expect((await create({ memory: 'In every workspace.' })).status).toBe(201)
  })
})

describe('a TASK memory', () => {
  test('expires when it says, or after seven days', async () => {
    const at = inAnHour()
    expect(await remember(client, 'Task with a time.', { layer: 'TASK', expires_at: at })).toMatchObject({
      expires_at: at,
    })
    const { expires_at } = await remember(client, 'Task without a time.', { layer: 'TASK' })
    expect(Math.abs(Date.parse(expires_at) - Date.now() - 7 * 86_400_000)).toBeLessThan(60_000)
    expect(await remember(client, 'No task.')).toMatchObject({ layer: 'RAW', expires_at: null })
  })

  test('is the only kind with a time, which must be one to come', async () => {
    expect(await faultsOf({ memory: 'x', expires_at: inAnHour() })).toHaveProperty('expires_at')
    expect(await faultsOf({ memory: 'x', layer: 'RAW', expires_at: inAnHour() })).toHaveProperty('expires_at')
    for (const expires_at of ['2020-01-01', new Date().toISOString(), 'tomorrow'])
      expect(await faultsOf({ memory: 'x', layer: 'TASK', expires_at })).toHaveProperty('expires_at')
  })
})

describe('a batch', () => {
  const batch = (memories: unknown) => client.post('/v1/memories/batch', { memories })

  test('answers each item in its place, and a bad one never spoils the others', async () => {
    const { status, body } = await batch([
      { memory: 'Batch one.' },
      { memory: '' },
      { memory: 'Batch one.' },
      'not even an object',
      { memory: 'Batch two.', priority: 'HIGH', colour: 'red' },
      { content: 'Batch three.', layer: 'TASK' },
    ])
    expect(status).toBe(207)
    expect(body.results.map((result: { status: number }) => result.status)).toEqual([201, 400, 409, 400, 400, 201])
    expect(body.results[0].memory).toMatchObject({ id: UUID, memory: 'Batch one.', user_id: 'default' })
    expect(body.results[1].error).toMatchObject({
      status_code: 400,
      error: 'Bad Request',
      error_code: 'VALIDATION_ERROR',
    })
    expect(body.results[2].error).toMatchObject({ status_code: 409, error: 'Conflict', error_code: 'DUPLICATE_MEMORY' })
    expect(
      (await client.get('/v1/memories', { query: { page_size: 2 } })).body.data
        .map((m: { memory: string }) => m.memory)
        .toSorted(),
    ).toEqual(['Batch one.', 'Batch three.'])
  })

  test('holds one to 500 items', async () => {
    const items = (count: number) => Array.from({ length: count }, (_, n) => ({ memory: `Item ${n} of ${count}.` }))
    const { status, body } = await batch(items(500))
    expect([status, body.results.length]).toEqual([207, 500])
    expect(body.results.every((result: { status: number }) => result.status === 201)).toBe(true)
    for (const memories of [items(501), [], 'x', undefined]) expect((await batch(memories)).status).toBe(400)
  })
})

describe('a memory for another workspace', () => {
  test('goes there when the key may use it', async () => {
    const own = await service.account({ workspaces: 2 })
    const [first = '', second = ''] = own.workspaceIds
    const both = await own.key({ workspaceIds: [second] })
    const made = await both.post('/v1/memories', { memory: 'For the second.', workspace_id: second.toUpperCase() })
    expect(made).toMatchObject({ status: 201, body: { workspace_id: second } })
    expect((await both.get('/v1/memories')).body.total).toBe(0)
    expect((await both.get('/v1/memories', { query: { workspace_id: second } })).body.total).toBe(1)
    expect((await both.get(`/v1/memories/${made.body.id}`)).status).toBe(404)
    expect((await both.get(`/v1/memories/${made.body.id}`, { query: { workspace_id: second } })).status).toBe(200)
    expect(first).not.toBe(second)
  })

  test('is refused when the key may not, or when there is none, after the body is checked', async () => {
    const stranger = await service.account()
    const refused = await create({ memory: 'x', workspace_id: stranger.workspaceId })
    expect(refused).toMatchObject({ status: 403, body: { error_code: 'WORKSPACE_ACCESS_DENIED' } })
    expect(await create({ memory: 'x', workspace_id: NOBODY })).toMatchObject({
      status: 404,
      body: { error_code: 'WORKSPACE_NOT_FOUND' },
    })
    expect((await create({ memory: '', workspace_id: NOBODY })).status).toBe(400)
    for (const [path, body] of [
      ['/v1/memories/batch', { memories: [{ memory: 'x' }] }],
      ['/v1/memories/search', { query: 'x' }],
    ] as const)
      expect((await client.post(path, { ...body, workspace_id: stranger.workspaceId })).status).toBe(403)
  })
})

import { describe, expect, test } from 'bun:test'
import { service, type TestAccount } from '../../../test/support/service.ts'

describe('POST /v1/memories', () => {
  test('stores a memory and responds with it', async () => {
    const { client, workspaceId } = await (await service()).account()
    const response = await client.post('/v1/memories', {
      memory: ' Ada prefers tea. ',
      user_id: 'ada',
      agent_id: 'helper',
      session_id: 's1',
      priority: 'HIGH',
      categories: ['preferences', ' drinks ', 'preferences'],
      metadata: { nested: { list: [1, 'two', null] } },
    })
    expect(response.status).toBe(201)
    expect(response.body).toMatchObject({
      memory: ' Ada prefers tea. ',
      user_id: 'ada',
      agent_id: 'helper',
      session_id: 's1',
      priority: 'HIGH',
      status: 'PENDING',
      categories: ['preferences', 'drinks'],
      metadata: { nested: { list: [1, 'two', null] } },
      layer: 'RAW',
      expires_at: null,
      source: 'API',
      workspace_id: workspaceId,
    })
    expect(response.body.created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    const { body } = await client.get(`/v1/memories/${response.body.id}`)
    const { status, ...stored } = response.body
    expect(body).toMatchObject(stored)
  })

  test.each([
    ['text and its alias', { memory: 'a', content: 'a' }, 'content'],
    ['half a surrogate pair', { memory: 'a\ud800' }, 'memory'],
    ['a blank user', { memory: 'a', user_id: ' ' }, 'user_id'],
    ['NUL in an id', { memory: 'a', session_id: '\u0000' }, 'session_id'],
    ['a blank category', { memory: 'a', categories: ['a', ' '] }, 'categories.1'],
    ['NUL in metadata', { memory: 'a', metadata: { 'k\u0000': 1 } }, 'metadata'],
    ['a day that does not exist', { memory: 'a', layer: 'TASK', expires_at: '2199-02-30' }, 'expires_at'],
    ['an unknown field', { memory: 'a', categoriez: [] }, 'categoriez'],
  ])('refuses %s and names the field', async (_, body, path) => {
    const { client } = await sharedAccount()
    const response = await client.post('/v1/memories', body)
    expect(response.status).toBe(400)
    expect(response.body.error_code).toBe('VALIDATION_ERROR')
    expect(response.body.details.map((detail: { path: string }) => detail.path)).toContain(path)
  })

  test('keeps text and metadata exactly', async () => {
    const { client } = await (await service()).account()
    const raw = `{"memory": "e\\u0301 – ‮ \\u2028 \\ud83c\\udf89 '; drop table x; --", "metadata": {"__proto__": {"polluted": 1},
      "constructor": 1, "toString": null, "": "", "long": 9007199254740991, "small": 5e-324, "big": 1.5e300, "list": [[], {}]}}`
    const sent = JSON.parse(raw)
    const { status, body } = await client.request('POST', '/v1/memories', {
      raw,
      headers: { 'content-type': 'application/json' },
    })
    expect(status).toBe(201)
    const stored = (await client.get(`/v1/memories/${body.id}`)).body
    for (const response of [body, stored]) {
      expect(response.memory).toBe(sent.memory)
      expect(JSON.stringify(sorted(response.metadata))).toBe(JSON.stringify(sorted(sent.metadata)))
    }
  })

  test('names the memory that has the text already', async () => {
    const { client } = await (await service()).account()
    const first = await client.post('/v1/memories', { memory: 'taken' })
    const second = await client.post('/v1/memories', { memory: 'taken' })
    expect(second.body.message).toContain(first.body.id)
  })

  test('stores one of many identical concurrent creations, with one history entry and one event', async () => {
    const { database, account } = await service()
    const { client, workspaceId } = await account()
    const responses = await Promise.all(
      Array.from({ length: 12 }, () => client.post('/v1/memories', { memory: 'same' })),
    )
    expect(responses.filter(response => response.status === 201)).toHaveLength(1)
    expect(responses.filter(response => response.status === 409)).toHaveLength(11)
    const [counts] = await database.workspace(
      workspaceId,
      tx =>
        tx`select (select count(*) from memories.memory) as memories, (select count(*) from memories.history) as events`,
    )
    expect(counts).toEqual({ memories: 1, events: 1 })
  })

  test('an expired memory that was not swept yet gives up its text', async () => {
    const { database, account } = await service()
    const { client, workspaceId } = await account()
    const { body: old } = await client.post('/v1/memories', { memory: 'again', layer: 'TASK' })
    await database.workspace(workspaceId, tx => tx`update memories.memory set expires_at = now() - interval '1 second'`)
    const created = await client.post('/v1/memories', { memory: 'again' })
    expect(created.status).toBe(201)
    expect((await client.get(`/v1/memories/${old.id}`)).status).toBe(410)
    expect((await client.get('/v1/memories')).body.total).toBe(1)
  })

  test('a TASK memory expires after seven days by default', async () => {
    const { client } = await (await service()).account()
    const { body } = await client.post('/v1/memories', { memory: 'errand', layer: 'TASK' })
    expect(Date.parse(body.expires_at) - Date.parse(body.created_at)).toBe(7 * 86_400_000)
    const own = await client.post('/v1/memories', {
      memory: 'later',
      layer: 'TASK',
      expires_at: '2199-05-01T10:00+02:00',
    })
    expect(own.body.expires_at).toBe('2199-05-01T08:00:00.000Z')
  })

  test("the workspace's lifetime of TASK memories overrides the server's", async () => {
    const { database, account } = await service()
    const { client, workspaceId } = await account()
    await database.system(
      tx => tx`update core.workspace set settings = settings || '{"task_ttl_days": 2}' where id = ${workspaceId}`,
    )
    const { body } = await client.post('/v1/memories', { memory: 'errand', layer: 'TASK' })
    expect(Date.parse(body.expires_at) - Date.parse(body.created_at)).toBe(2 * 86_400_000)
  })
})

/** Tests that store nothing share this account. */
const sharedAccount = (() => {
  let account: Promise<TestAccount> | undefined
  return () => {
    account ??= service().then(running => running.account())
    return account
  }
})()

/** Sorts keys, because their order is not part of JSON. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, item]) => [key, sorted(item)])
}

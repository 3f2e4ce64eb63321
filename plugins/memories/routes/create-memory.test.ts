import { describe, expect, test } from 'bun:test'
import { randomUUID } from 'node:crypto'
import { service, type TestAccount } from '../../../test/support/service.ts'

describe('POST /v1/memories', () => {
  test('stores a memory and answers with all of it', async () => {
    const { client, workspaceId } = await (await service()).account()
    const answer = await client.post('/v1/memories', {
      memory: ' Ada prefers tea. ',
      user_id: 'ada',
      agent_id: 'helper',
      session_id: 's1',
      priority: 'HIGH',
      categories: ['preferences', ' drinks ', 'preferences'],
      metadata: { nested: { list: [1, 'two', null] } },
    })
    expect(answer.status).toBe(201)
    expect(answer.body).toMatchObject({
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
    expect(answer.body.created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    const { body } = await client.get(`/v1/memories/${answer.body.id}`)
    const { status, ...stored } = answer.body
    expect(body).toMatchObject(stored)
  })

  test('fills in what is left out', async () => {
    const { client } = await (await service()).account()
    const { status, body } = await client.post('/v1/memories', { content: 'only text' })
    expect(status).toBe(201)
    expect(body).toMatchObject({
      memory: 'only text',
      user_id: 'default',
      agent_id: null,
      session_id: null,
      priority: 'MEDIUM',
      categories: [],
      metadata: null,
    })
  })

  test.each([
    ['no text', {}, 'memory'],
    ['an empty text', { memory: '' }, 'memory'],
    ['a blank text', { memory: ' \n\t\u2003' }, 'memory'],
    ['text and its alias', { memory: 'a', content: 'a' }, 'content'],
    ['a text that is no string', { memory: 5 }, 'memory'],
    ['a text beyond the limit', { memory: 'x'.repeat(50_001) }, 'memory'],
    ['NUL in the text', { memory: 'a\u0000b' }, 'memory'],
    ['half a surrogate pair', { memory: 'a\ud800' }, 'memory'],
    ['a blank user', { memory: 'a', user_id: ' ' }, 'user_id'],
    ['a user beyond the limit', { memory: 'a', user_id: 'x'.repeat(256) }, 'user_id'],
    ['an agent beyond the limit', { memory: 'a', agent_id: 'x'.repeat(256) }, 'agent_id'],
    ['a session beyond the limit', { memory: 'a', session_id: 'x'.repeat(256) }, 'session_id'],
    ['NUL in an id', { memory: 'a', session_id: '\u0000' }, 'session_id'],
    ['an unknown priority', { memory: 'a', priority: 'high' }, 'priority'],
    ['an unknown layer', { memory: 'a', layer: 'task' }, 'layer'],
    ['too many categories', { memory: 'a', categories: Array.from({ length: 21 }, (_, n) => `c${n}`) }, 'categories'],
    ['a category beyond the limit', { memory: 'a', categories: ['x'.repeat(101)] }, 'categories.0'],
    ['a blank category', { memory: 'a', categories: ['a', ' '] }, 'categories.1'],
    ['metadata that is no object', { memory: 'a', metadata: [1] }, 'metadata'],
    ['NUL in metadata', { memory: 'a', metadata: { 'k\u0000': 1 } }, 'metadata'],
    ['an expiry for RAW', { memory: 'a', expires_at: '2199-01-01' }, 'expires_at'],
    ['an expiry in the past', { memory: 'a', layer: 'TASK', expires_at: '2020-01-01' }, 'expires_at'],
    ['a day that does not exist', { memory: 'a', layer: 'TASK', expires_at: '2199-02-30' }, 'expires_at'],
    ['a date in words', { memory: 'a', layer: 'TASK', expires_at: 'tomorrow' }, 'expires_at'],
    ['an unknown field', { memory: 'a', categoriez: [] }, 'categoriez'],
  ])('refuses %s and names the field', async (_, body, path) => {
    const { client } = await sharedAccount()
    const answer = await client.post('/v1/memories', body)
    expect(answer.status).toBe(400)
    expect(answer.body.error_code).toBe('VALIDATION_ERROR')
    expect(answer.body.details.map((detail: { path: string }) => detail.path)).toContain(path)
  })

  test('counts code points: 50,000 characters of any kind fit', async () => {
    const { client } = await (await service()).account()
    expect((await client.post('/v1/memories', { memory: '🎉'.repeat(50_000) })).status).toBe(201)
    expect((await client.post('/v1/memories', { memory: '🎉'.repeat(50_001) })).status).toBe(400)
    expect((await client.post('/v1/memories', { memory: 'b', user_id: '🎉'.repeat(255) })).status).toBe(201)
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
    for (const answer of [body, stored]) {
      expect(answer.memory).toBe(sent.memory)
      expect(JSON.stringify(sorted(answer.metadata))).toBe(JSON.stringify(sorted(sent.metadata)))
    }
  })

  test('refuses identical content in the workspace, whatever its composition and margins', async () => {
    const { client } = await (await service()).account()
    const first = await client.post('/v1/memories', { memory: 'caf\u00e9', user_id: 'a' })
    const second = await client.post('/v1/memories', { memory: ' cafe\u0301\n', user_id: 'b' })
    expect(second.status).toBe(409)
    expect(second.body.error_code).toBe('DUPLICATE_MEMORY')
    expect(second.body.message).toContain(first.body.id)
    expect((await client.post('/v1/memories', { memory: 'Caf\u00e9' })).status).toBe(201)
    const { client: other } = await (await service()).account()
    expect((await other.post('/v1/memories', { memory: 'caf\u00e9' })).status).toBe(201)
  })

  test('stores one of many identical ones created at once, with one history and one event', async () => {
    const { database, account } = await service()
    const { client, workspaceId } = await account()
    const answers = await Promise.all(Array.from({ length: 12 }, () => client.post('/v1/memories', { memory: 'same' })))
    expect(answers.filter(answer => answer.status === 201)).toHaveLength(1)
    expect(answers.filter(answer => answer.status === 409)).toHaveLength(11)
    const [counts] = await database.workspace(
      workspaceId,
      tx =>
        tx`select (select count(*) from memories.memory) as memories, (select count(*) from memories.history) as events`,
    )
    expect(counts).toEqual({ memories: 1, events: 1 })
  })

  test('an expired memory that was not swept yet does not block its text', async () => {
    const { database, account } = await service()
    const { client, workspaceId } = await account()
    const { body: old } = await client.post('/v1/memories', { memory: 'again', layer: 'TASK' })
    await database.workspace(workspaceId, tx => tx`update memories.memory set expires_at = now() - interval '1 second'`)
    const created = await client.post('/v1/memories', { memory: 'again' })
    expect(created.status).toBe(201)
    expect((await client.get(`/v1/memories/${old.id}`)).status).toBe(410)
    expect((await client.get('/v1/memories')).body.total).toBe(1)
  })

  test('a TASK memory expires after seven days unless it says otherwise', async () => {
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

  test("the workspace's own time for TASK memories counts before the server's", async () => {
    const { database, account } = await service()
    const { client, workspaceId } = await account()
    await database.system(
      tx => tx`update core.workspace set settings = settings || '{"task_ttl_days": 2}' where id = ${workspaceId}`,
    )
    const { body } = await client.post('/v1/memories', { memory: 'errand', layer: 'TASK' })
    expect(Date.parse(body.expires_at) - Date.parse(body.created_at)).toBe(2 * 86_400_000)
  })

  test('needs a key with memory.write', async () => {
    const { anonymous, account } = await service()
    expect((await anonymous.post('/v1/memories', { memory: 'a' })).status).toBe(401)
    const reader = await (await account()).key({ permissions: ['memory.read'] })
    const answer = await reader.post('/v1/memories', { nonsense: randomUUID() })
    expect([answer.status, answer.body.error_code]).toEqual([403, 'FORBIDDEN'])
  })
})

/** For tests that store nothing. */
const sharedAccount = (() => {
  let account: Promise<TestAccount> | undefined
  return () => {
    account ??= service().then(running => running.account())
    return account
  }
})()

/** Key order is no part of JSON; everything else is. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, item]) => [key, sorted(item)])
}

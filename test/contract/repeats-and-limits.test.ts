import { beforeAll, describe, expect, test } from 'bun:test'
import { randomUUID } from 'node:crypto'
import type { Client } from '../support/client.ts'
import { until } from '../support/wait.ts'
import { type Subject, subject, subjectWith } from './subject.ts'

let service: Subject
let client: Client

beforeAll(async () => {
  service = await subject()
  client = (await service.account()).client
})

describe('an Idempotency-Key', () => {
  const post = (body: object, key: string, caller = client, path = '/v1/memories') =>
    caller.post(path, body, { headers: { 'idempotency-key': key } })

  test('replays the first response, success or failure', async () => {
    const key = randomUUID()
    const first = await post({ memory: 'Stored once.' }, key)
    const again = await post({ memory: 'Stored once.' }, key)
    expect([first.status, again.status]).toEqual([201, 201])
    expect(again.body).toEqual(first.body)
    expect([first, again].map(({ headers }) => headers.get('idempotent-replayed'))).toEqual([null, 'true'])
    const other = randomUUID()
    expect((await post({ memory: 'Stored once.' }, other)).status).toBe(409)
    await client.delete(`/v1/memories/${first.body.id}`)
    expect((await post({ memory: 'Another text.' }, randomUUID())).status).toBe(201)
  })

  test('with another body or path is a conflict', async () => {
    const key = randomUUID()
    await post({ memory: 'The first body.' }, key)
    expect(await post({ memory: 'The second body.' }, key)).toMatchObject({
      status: 409,
      body: { error_code: 'IDEMPOTENCY_CONFLICT' },
    })
    const batch = { memories: [{ memory: 'The first body.' }] }
    expect((await post(batch, key, client, '/v1/memories/batch')).body.error_code).toBe('IDEMPOTENCY_CONFLICT')
  })

  test('is accepted where a POST only reads, and keeps nothing', async () => {
    const { body: made } = await post({ memory: 'Ida keeps bees.' }, randomUUID())
    const reading: [path: string, body: object][] = [
      ['/v1/memories/search', { query: 'bees' }],
      ['/v1/memories/search/why', { query: 'bees', memory_id: made.id }],
      ['/v1/graph/query', { query: 'What does Ida keep?' }],
    ]
    const key = randomUUID()
    for (const [path, body] of [...reading, ...reading]) {
      const response = await post(body, key, client, path)
      expect([path, response.status, response.headers.get('idempotent-replayed')]).toEqual([path, 200, null])
    }
    // The key is still free.
    expect((await post({ memory: 'Ida sells honey.' }, key)).status).toBe(201)
  })

  test('used many times at once does the work once', async () => {
    const key = randomUUID()
    const responses = await Promise.all(Array.from({ length: 12 }, () => post({ memory: 'At the same time.' }, key)))
    expect(new Set(responses.map(({ status, body }) => `${status} ${body.id}`)).size).toBe(1)
    expect(responses[0]?.status).toBe(201)
  })

  test('is one thing to one caller and another to the next', async () => {
    const [key, other] = [randomUUID(), (await service.account()).client]
    const [one, two] = [await post({ memory: 'Said by two.' }, key), await post({ memory: 'Said by two.' }, key, other)]
    expect([one.status, two.status]).toEqual([201, 201])
    expect(one.body.id).not.toBe(two.body.id)
  })

  test('is the same key in every workspace of its caller, test twins included', async () => {
    const account = await service.account({ workspaces: 2 })
    const [own, other] = account.workspaceIds
    for (const mode of ['live', 'test'] as const) {
      const caller = await account.key({ mode, workspaceIds: account.workspaceIds })
      const body = { memory: 'Stored in one place.' }
      const places = [
        ['/v1/memories', body],
        ['/v1/memories', { ...body, workspace_id: other }],
        [`/v1/memories?workspace_id=${other}`, body],
        [`/v1/memories?workspace_id=${own}`, body],
      ] as const
      const [at, elsewhere] = [randomUUID(), randomUUID()]
      const used = [
        { key: at, order: places },
        { key: elsewhere, order: [places[1], places[0], places[3]] },
      ]
      for (const { key, order } of used) {
        const statuses: number[] = []
        for (const [path, sent] of order) statuses.push((await post(sent, key, caller, path)).status)
        expect(statuses).toEqual([201, ...order.slice(1).map(() => 409)])
        const replayed = await post(order[0][1], key, caller, order[0][0])
        expect([replayed.status, replayed.headers.get('idempotent-replayed')]).toEqual([201, 'true'])
      }
      const total = async (workspaceId = '') =>
        (await caller.get('/v1/memories', { query: { workspace_id: workspaceId } })).body.total
      expect([await total(own), await total(other)]).toEqual([1, 1])
    }
  })

  test('replays the response to a batch of more than a megabyte', async () => {
    const key = randomUUID()
    // The limit is as low as it can be, since other tests wait for their memories behind these.
    const memories = Array.from({ length: 25 }, (_, n) => ({
      memory: `${n} ${randomUUID()} `.padEnd(49_000, '🌊 sea '),
    }))
    const sent = () => post({ memories }, key, client, '/v1/memories/batch')
    const [first, again] = [await sent(), await sent()]
    expect([first.status, again.status]).toEqual([207, 207])
    expect(JSON.stringify(first.body).length).toBeGreaterThan(1024 * 1024)
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    expect(again.body).toEqual(first.body)
  })

  test('completes a batch whose client went away in the middle', async () => {
    const key = randomUUID()
    const words = (n: number) => Array.from({ length: 2000 }, (_, at) => `${n}x${(at * 7919).toString(36)}`).join(' ')
    const memories = Array.from({ length: 20 }, (_, n) => ({ memory: words(n) }))
    const headers = { 'idempotency-key': key }
    const leaving = new AbortController()
    const { client: caller } = await service.account()
    const options = { headers, signal: leaving.signal }
    const left = caller.post('/v1/memories/batch', { memories }, options).catch(() => undefined)
    const total = async () => (await caller.get('/v1/memories', { query: { page_size: 1 } })).body.total
    await until('some are stored', async () => (await total()) > 0)
    leaving.abort()
    await left
    // It may have been stored to its end before the service saw the client leave; the client learns the same then.
    const { status, body } = await post({ memories }, key, caller, '/v1/memories/batch')
    expect(status).toBe(207)
    expect(body.results.map((result: { status: number }) => result.status)).toEqual(Array(20).fill(201))
    expect(await total()).toBe(20)
  })

  test('is not used up by a request that was refused', async () => {
    const key = randomUUID()
    expect((await post({ memory: '' }, key)).status).toBe(400)
    expect((await post({ memory: 'Right this time.' }, key)).status).toBe(201)
  })

  test('that is too long or empty is refused, and on other methods it means nothing', async () => {
    for (const key of ['', 'k'.repeat(256)])
      expect([key.length, (await post({ memory: 'x' }, key)).status]).toEqual([key.length, 400])
    const key = randomUUID()
    const made = await post({ memory: 'Changed twice.' }, randomUUID())
    for (const memory of ['Changed once more.', 'Changed for good.']) {
      const response = await client.put(
        `/v1/memories/${made.body.id}`,
        { memory },
        { headers: { 'idempotency-key': key } },
      )
      expect([response.status, response.body.memory]).toEqual([200, memory])
    }
  })

  test('replays batches and feedback too', async () => {
    const key = randomUUID()
    const batch = { memories: [{ memory: 'In a repeated batch.' }] }
    const [one, two] = [
      await post(batch, key, client, '/v1/memories/batch'),
      await post(batch, key, client, '/v1/memories/batch'),
    ]
    expect([one.status, two.status]).toEqual([207, 207])
    expect(two.body).toEqual(one.body)
    const path = `/v1/memories/${one.body.results[0].memory.id}/feedback`
    const feedback = randomUUID()
    for (let n = 0; n < 3; n++) expect((await post({ signal: 'POSITIVE' }, feedback, client, path)).status).toBe(204)
    expect((await client.get(path.replace('/feedback', ''))).body.feedback.positive).toBe(1)
  })

  test('never keeps a key that is shown once', async () => {
    const account = await service.account()
    const session = await account.signIn()
    const body = { name: 'once', workspace_id: account.workspaceId, permissions: ['memory.read'] }
    const key = randomUUID()
    const first = await post(body, key, session, '/v1/api-keys')
    expect(first.status).toBe(201)
    const again = await post(body, key, session, '/v1/api-keys')
    expect(JSON.stringify(again.body)).not.toContain(first.body.key)
  })
})

describe('the rate limit', () => {
  test('shows on every response how much is left, and refuses beyond, key by key', async () => {
    const limited = await subjectWith({ RATE_LIMIT: '5' })
    const account = await limited.account()
    const remaining: number[] = []
    // A window may end in between, so the count may start once more.
    for (let n = 0; n < 12; n++) {
      const response = await account.client.get('/v1/memories', n % 2 ? {} : { query: { page: 0 } })
      expect(response.headers.get('ratelimit-limit')).toBe('5')
      const reset = Number(response.headers.get('ratelimit-reset'))
      expect(reset >= 1 && reset <= 60).toBe(true)
      remaining.push(Number(response.headers.get('ratelimit-remaining')))
      if (response.status === 429) {
        expect(response.body.error_code).toBe('RATE_LIMITED')
        expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
        break
      }
    }
    expect(remaining[0]).toBe(4)
    expect(remaining).toEqual(expect.arrayContaining([3, 2, 1, 0]))
    expect(remaining.at(-1)).toBe(0)
    expect(remaining.length).toBeGreaterThan(5)
    expect((await (await account.key()).get('/v1/memories')).status).toBe(200)
  })

  test('is looked at before permissions, and without a key there is none', async () => {
    const limited = await subjectWith({ RATE_LIMIT: '2' })
    const account = await limited.account()
    const nobody = await account.key({ permissions: [] })
    const statuses = []
    for (let n = 0; n < 6; n++) statuses.push((await nobody.get('/v1/memories')).status)
    expect(statuses.slice(0, 2)).toEqual([403, 403])
    expect(statuses).toContain(429)
    for (let n = 0; n < 6; n++) expect((await limited.anonymous.get('/health')).status).toBe(200)
  })
})

/** Requests of the lightest classes wait so long for their turn. */
const WAIT_MS = 30_000

/**
 * Sends many requests at once. On a machine that is busy with other things the last of them may wait for longer than anybody does, so those
 * that were refused after that time are left out. @returns the statuses of the others, each once
 */
async function served(count: number, send: (n: number) => Promise<{ readonly status: number }>): Promise<number[]> {
  const begunAt = performance.now()
  const responses = await Promise.all(
    Array.from({ length: count }, async (_, n) => {
      const { status } = await send(n)
      return { status, waitedMs: performance.now() - begunAt }
    }),
  )
  const others = responses.filter(({ status, waitedMs }) => status !== 429 || waitedMs < WAIT_MS)
  return [...new Set(others.map(({ status }) => status))]
}

describe('requests of a workspace at once', () => {
  test.each([
    ['batches', '/v1/memories/batch', (n: number) => ({ memories: [{ memory: `Number ${n} of many.` }] }), 207, 40],
    [
      'conversations',
      '/v1/memories/conversations',
      (n: number) => ({ messages: [{ role: 'user', content: `I live in town ${n}.` }] }),
      202,
      40,
    ],
    ['searches', '/v1/memories/search', (n: number) => ({ query: `town ${n}`, mode: 'keyword' }), 200, 110],
  ] as const)('are served as far as the rate limit goes: %s', async (_, path, body, status, count) => {
    const { client: own } = await service.account()
    expect(await served(count, n => own.post(path, body(n)))).toEqual([status])
  })

  test('are served as far as the rate limit goes: a template for many users', async () => {
    const { client: own } = await service.account()
    const memories = [{ memory: '{{who}} was met.' }]
    const { body } = await own.post('/v1/templates', { name: 'Met', variables: [{ name: 'who' }], memories })
    const apply = (n: number) =>
      own.post(`/v1/templates/${body.id}/apply`, { user_id: `u${n}`, variables: { who: `Visitor ${n}` } })
    expect(await served(40, apply)).toEqual([201])
  })
})

describe('other origins', () => {
  test('are let in when settings name them, and only then', async () => {
    const open = await subjectWith({ CORS_ORIGINS: 'https://app.example' })
    const ask = (on: Subject, origin: string) =>
      on.anonymous.request('OPTIONS', '/v1/memories', { headers: { origin, 'access-control-request-method': 'POST' } })
    expect((await ask(open, 'https://app.example')).headers.get('access-control-allow-origin')).toBe(
      'https://app.example',
    )
    expect((await ask(open, 'https://evil.example')).headers.get('access-control-allow-origin')).toBeNull()
    expect((await ask(service, 'https://app.example')).headers.get('access-control-allow-origin')).toBeNull()
  })
})

test('the metrics want their token where one is set', async () => {
  const guarded = await subjectWith({ METRICS_TOKEN: 'metrics-token' })
  expect((await guarded.anonymous.get('/metrics')).status).toBe(401)
  expect((await guarded.anonymous.get('/metrics', { headers: { authorization: 'Bearer metrics-tokem' } })).status).toBe(
    401,
  )
  expect((await guarded.anonymous.get('/metrics', { headers: { authorization: 'Bearer metrics-token' } })).status).toBe(
    200,
  )
})

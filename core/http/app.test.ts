import { describe, expect, test } from 'bun:test'
import { Type } from '@sinclair/typebox'
import { Client } from '../../test/support/client.ts'
import { type FakeWorldOptions, fakeWorld, WORKSPACE } from '../../test/support/fake-world.ts'
import { createApp } from './app.ts'
import { createCors } from './cors.ts'
import { keptKey } from './kept-responses.ts'
import { mountRoute } from './mount.ts'
import { created, noContent, ok, type Route, routesOf } from './route.ts'
import { text, uuid } from './validation.ts'

const route = routesOf<undefined>()

let steps: string[] = []
const world = (options: Partial<FakeWorldOptions> = {}) => fakeWorld({ steps, ...options })

const thing = Type.Object({ name: text({ maxLength: 5 }) })

const routes: Route<undefined>[] = [
  route({
    method: 'GET',
    path: '/v1/things/:id',
    access: { permission: 'thing.read' },
    summary: 'Get',
    params: Type.Object({ id: uuid() }),
    query: Type.Object({ page: Type.Optional(Type.Integer({ minimum: 1, default: 1 })) }),
    responses: { 200: Type.Object({ id: Type.String(), page: Type.Integer() }) },
    handle: ({ params, query }) => ok({ id: params.id, page: query.page }),
  }),
  route({
    method: 'POST',
    path: '/v1/things',
    access: { permission: 'thing.write' },
    summary: 'Make',
    body: thing,
    responses: { 201: thing },
    handle({ body }) {
      steps.push('handler')
      return created({ name: body.name })
    },
  }),
  route({
    method: 'DELETE',
    path: '/v1/things/:thingId',
    access: { permission: 'thing.delete' },
    summary: 'Delete',
    responses: { 204: null },
    handle: () => noContent,
  }),
  route({
    method: 'POST',
    path: '/v1/broken',
    access: 'public',
    summary: 'Break',
    responses: { 200: null },
    handle() {
      throw new Error('select secret from hidden_table failed at /etc/passwd')
    },
  }),
  route({
    method: 'GET',
    path: '/probe',
    access: 'public',
    summary: 'Probe',
    query: Type.Object({ n: Type.Optional(Type.Integer()) }),
    ignoresUnknownQuery: true,
    responses: { 200: null },
    handle: ({ query }) => ok(query),
  }),
  route({
    method: 'GET',
    path: '/v1/keys',
    access: 'account',
    summary: 'Keys',
    responses: { 200: null },
    handle: () => ok({}),
  }),
]

function client(
  options: Parameters<typeof world>[0] = {},
  owner: { feature?: string; enabled?: boolean } = {},
): Client {
  steps = []
  const parts = world(options)
  const mounted = routes.map(item =>
    mountRoute(item as Route, { id: 'things', enabled: true, scope: undefined, ...owner }, parts.wiring),
  )
  return new Client(createApp(mounted, parts, createCors(['https://app.example'])), { 'x-api-key': 'owner' })
}

const ID = '00000000-0000-4000-8000-0000000000aa'

describe('a request passes its checks in the order of the contract', () => {
  test('key, rate limit, body and query, workspace, quota, handler', async () => {
    const response = await client().post('/v1/things', { name: 'x', workspace_id: WORKSPACE })
    expect(response).toMatchObject({ status: 201, body: { name: 'x' } })
    expect(steps).toEqual(['key', 'rate', `workspace ${WORKSPACE}`, 'quota', 'handler'])
  })

  const cases: [who: string, body: unknown, status: number, code: string][] = [
    ['', { wrong: 1 }, 401, 'UNAUTHORIZED'],
    ['eager', { wrong: 1 }, 429, 'RATE_LIMITED'],
    ['reader', { wrong: 1 }, 403, 'FORBIDDEN'],
    ['poor', { wrong: 1 }, 403, 'FEATURE_NOT_ENABLED'],
    ['owner', { wrong: 1, workspace_id: ID }, 400, 'VALIDATION_ERROR'],
    ['owner', { name: 'x', workspace_id: ID }, 404, 'WORKSPACE_NOT_FOUND'],
  ]
  for (const [who, body, status, code] of cases) {
    test(`so ${code} answers before what comes after it`, async () => {
      const response = await client({}, { feature: 'graph' }).with({ 'x-api-key': who }).post('/v1/things', body)
      expect(response).toMatchObject({ status, body: { status_code: status, error_code: code } })
    })
  }

  test('and the paths of a plugin that is switched off still want a key and a permission first', async () => {
    const off = client({}, { enabled: false })
    expect((await off.with({ 'x-api-key': '' }).post('/v1/things', {})).body.error_code).toBe('UNAUTHORIZED')
    expect((await off.with({ 'x-api-key': 'reader' }).post('/v1/things', {})).body.error_code).toBe('FORBIDDEN')
    expect((await off.post('/v1/things', {})).body.error_code).toBe('FEATURE_NOT_ENABLED')
  })

  test('and a key never passes for a signed-in account', async () => {
    expect((await client().get('/v1/keys')).body.error_code).toBe('FORBIDDEN')
    expect((await client().with({ 'x-api-key': 'session' }).get('/v1/keys')).status).toBe(200)
  })
})

test('a request is routed by its path, whatever its Host header says', async () => {
  const { fetch } = client()
  const status = async (url: string) => (await fetch(new Request(url, { headers: { 'x-api-key': 'owner' } }))).status
  for (const host of ['x', 'ab', 'abc', 'x:1', '[::1]', '127.0.0.1:3000', 'memory.example.com']) {
    expect([host, await status(`http://${host}/v1/things/${ID}`)]).toEqual([host, 200])
    expect([host, await status(`http://${host}/aa/v1/things/${ID}`)]).toEqual([host, 404])
  }
})

describe('every failure has the shape of the contract', () => {
  test('an unknown path', async () => {
    const { status, body, headers } = await client().get('/v1/nothing')
    expect({ status, body }).toEqual({
      status: 404,
      body: {
        status_code: 404,
        error: 'Not Found',
        message: 'There is nothing at this path.',
        error_code: 'NOT_FOUND',
      },
    })
    expect(headers.get('x-request-id')).toBeTruthy()
  })

  test('a wrong method, with those that would do', async () => {
    for (const method of ['PATCH', 'PUT', 'OPTIONS', 'PROPFIND']) {
      const response = await client().request(method, `/v1/things/${ID}`)
      expect([method, response.status, response.body.error_code]).toEqual([method, 405, 'METHOD_NOT_ALLOWED'])
      expect(response.headers.get('allow')).toBe('GET, DELETE, HEAD')
    }
  })

  test('a path that cannot be decoded', async () => {
    for (const path of ['/v1/things/%zz', '/v1/things/%ff%fe', '/v1/things/a%2Fb', '/v1/things/%00']) {
      const response = await client().get(path)
      expect([path, response.status, typeof response.body.error_code]).toEqual([path, 400, 'string'])
    }
  })

  test('every field of path, query and body at fault, in one response', async () => {
    const response = await client().get('/v1/things/7', { query: { page: 0, pagee: 2, workspace_id: 'x' } })
    expect(response.status).toBe(400)
    expect(response.body.details).toEqual([
      { path: 'id', message: 'must be a UUID' },
      { path: 'pagee', message: 'is not a known parameter' },
      { path: 'page', message: 'must be a whole number of at least 1' },
      { path: 'workspace_id', message: 'must be a UUID' },
    ])
  })

  test('two workspaces at once, in the query and in the body', async () => {
    const post = (inQuery: string, inBody: string) =>
      client().post('/v1/things', { name: 'x', workspace_id: inBody }, { query: { workspace_id: inQuery } })
    const details = [{ path: 'workspace_id', message: 'must be the same in the query and in the body' }]
    expect(await post(WORKSPACE, ID)).toMatchObject({ status: 400, body: { details } })
    expect((await post(WORKSPACE.toUpperCase(), WORKSPACE)).status).toBe(201)
  })

  test('a failure of our own, which says nothing of its cause', async () => {
    const response = await client().post('/v1/broken')
    expect(response).toMatchObject({ status: 500, body: { error_code: 'INTERNAL_ERROR' } })
    expect(JSON.stringify(response.body)).not.toMatch(/select|hidden|passwd|Error:/)
  })

  test('a body of the wrong type or none', async () => {
    const text = await client().request('POST', '/v1/things', {
      raw: 'name=x',
      headers: { 'content-type': 'text/plain' },
    })
    expect(text).toMatchObject({
      status: 415,
      body: { error: 'Unsupported Media Type', error_code: 'UNSUPPORTED_MEDIA_TYPE' },
    })
    const nothing = await client().request('POST', '/v1/things')
    expect(nothing).toMatchObject({ status: 400, body: { details: [{ path: 'body', message: 'is required' }] } })
  })
})

describe('a response', () => {
  test('carries the request id of the caller when it is a sane one, else a new one', async () => {
    const get = async (id: string) =>
      (await client().get('/v1/things/x', { headers: { 'x-request-id': id } })).headers.get('x-request-id')
    expect(await get('trace-7:a.b_c')).toBe('trace-7:a.b_c')
    for (const id of ['a b', '<script>', 'x'.repeat(129), '']) expect(await get(id)).toMatch(/^[0-9a-f-]{36}$/)
  })

  test('says how much of the rate limit is left, failures included', async () => {
    for (const response of [await client().get(`/v1/things/${ID}`), await client().get('/v1/things/x')]) {
      expect(response.headers.get('ratelimit-limit')).toBe('10')
      expect(response.headers.get('ratelimit-remaining')).toBe('3')
      expect(response.headers.get('ratelimit-reset')).toBe('7')
    }
    const refused = await client().with({ 'x-api-key': 'eager' }).get(`/v1/things/${ID}`)
    expect(refused.headers.get('retry-after')).toBe('7')
  })

  test('without content has no body', async () => {
    const response = await client().delete(`/v1/things/${ID}`)
    expect([response.status, response.body, response.headers.get('content-type')]).toEqual([204, '', null])
  })

  test('to HEAD is that of GET without its body', async () => {
    const response = await client().request('HEAD', `/v1/things/${ID}`)
    expect([response.status, response.body]).toEqual([200, ''])
    expect(response.headers.get('content-type')).toBe('application/json')
    expect(response.headers.get('content-length')).toBe(String(JSON.stringify({ id: ID, page: 1 }).length))
    const refused = await client().with({ 'x-api-key': '' }).request('HEAD', `/v1/things/${ID}`)
    expect([refused.status, Number(refused.headers.get('content-length')) > 50]).toEqual([401, true])
  })

  test('has the query with its defaults and the path with its parameters, at a trailing slash too', async () => {
    expect((await client().get(`/v1/things/${ID}`)).body).toEqual({ id: ID, page: 1 })
    expect((await client().get(`/v1/things/${ID}/?page=2`)).body).toEqual({ id: ID, page: 2 })
  })

  test('that does not fit what the route documents is a failure where tests ask for it', async () => {
    const wrong = route({
      method: 'GET',
      path: '/v1/wrong',
      access: 'public',
      summary: 'Wrong',
      responses: { 200: Type.Object({ name: Type.String() }) },
      handle: () => ok({ name: 1 }),
    })
    const parts = world({ verifyResponses: true })
    const mounted = mountRoute(wrong as Route, { id: 'things', enabled: true, scope: undefined }, parts.wiring)
    const fetch = createApp([mounted], parts, createCors([]))
    expect((await fetch(new Request('http://localhost/v1/wrong'))).status).toBe(500)
  })
})

describe('an Idempotency-Key', () => {
  test('counts on POST only, after the workspace is known', async () => {
    await client().post('/v1/things', { name: 'x' }, { headers: { 'idempotency-key': 'k' } })
    expect(steps).toEqual(['key', 'rate', 'workspace own', 'quota', `idempotent ${keptKey('k')}`, 'handler'])
    await client().get(`/v1/things/${ID}`, { headers: { 'idempotency-key': 'k' } })
    expect(steps).not.toContain(`idempotent ${keptKey('k')}`)
  })

  test('is not spent on a request that fails its checks', async () => {
    await client().post('/v1/things', { nam: 'x' }, { headers: { 'idempotency-key': 'k' } })
    expect(steps).toEqual(['key', 'rate'])
  })

  test('shows when the response is an earlier one', async () => {
    const response = await client().post('/v1/things', { name: 'x' }, { headers: { 'idempotency-key': 'again' } })
    expect([response.status, response.headers.get('idempotent-replayed'), response.body]).toEqual([
      201,
      'true',
      { name: 'x' },
    ])
  })
})

test('a route for probes ignores parameters it does not know, and checks those it knows', async () => {
  const probe = (query: string) => client().get(`/probe?${query}`)
  expect(await probe('cachebust=7&n=1&n2')).toMatchObject({ status: 200, body: { n: 1 } })
  expect((await probe('cachebust=7&n=x')).body.details).toEqual([{ path: 'n', message: 'must be a whole number' }])
})

test('metrics name routes by their pattern, never by the path', async () => {
  const observed: unknown[] = []
  await client({ observed }).get(`/v1/things/${ID}`)
  expect(observed).toEqual([['GET', '/v1/things/:id', 200, expect.any(Number)]])
})

test('a browser of an allowed origin may ask beforehand and read failures too', async () => {
  const headers = { origin: 'https://app.example', 'access-control-request-method': 'POST' }
  expect((await client().request('OPTIONS', '/v1/things', { headers })).status).toBe(204)
  const response = await client().get('/v1/nothing', { headers: { origin: 'https://app.example' } })
  expect(response.headers.get('access-control-allow-origin')).toBe('https://app.example')
})

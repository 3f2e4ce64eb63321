import { beforeAll, describe, expect, test } from 'bun:test'
import type { Client, Json } from '../support/client.ts'
import { isOpenToAnyone } from '../support/operations.ts'
import type { TestAccount } from '../support/service.ts'
import { NOBODY, type Subject, subject } from './subject.ts'

let service: Subject
let account: TestAccount
let client: Client
let reference: Json

beforeAll(async () => {
  service = await subject()
  account = await service.account()
  client = account.client
  reference = (await client.get('/openapi.json')).body
})

/** Lists every documented operation that wants a key, with its path filled in. */
function operations(): { method: string; path: string; operation: Json }[] {
  return Object.entries<Json>(reference.paths).flatMap(([path, methods]) =>
    Object.entries<Json>(methods)
      .filter(([, operation]) => !isOpenToAnyone(operation) && !path.startsWith('/v1/auth/'))
      .map(([method, operation]) => ({
        method: method.toUpperCase(),
        path: path.replace(/\{[^}]+\}/g, NOBODY),
        operation,
      })),
  )
}

/** Builds a body without fields of the type that the operation accepts. */
function emptyBody(method: string, operation: Json) {
  if (method === 'GET') return {}
  const types = Object.keys(operation.requestBody?.content ?? { 'application/json': {} })
  if (types.includes('application/json')) return { body: {} }
  return { raw: '--x--\r\n', headers: { 'content-type': 'multipart/form-data; boundary=x' } }
}

describe('every operation', () => {
  test('wants a key', async () => {
    expect(operations().length).toBeGreaterThan(25)
    for (const { method, path } of operations()) {
      for (const key of [undefined, 'nonsense', `mn_live_${'x'.repeat(32)}`, `mn_test_${'x'.repeat(32)}`]) {
        const headers = key === undefined ? {} : { 'x-api-key': key }
        const response = await service.anonymous.request(method, path, {
          headers,
          body: method === 'GET' ? undefined : {},
        })
        expect([method, path, response.status, response.body.error_code]).toEqual([method, path, 401, 'UNAUTHORIZED'])
      }
    }
  })

  test('wants its permission before it looks at anything else, so that a caller without it learns nothing', async () => {
    const nobody = await account.key({ permissions: [] })
    for (const { method, path, operation } of operations()) {
      if (!operation['x-permission']) continue
      const options = {
        query: { nonsense: 1 },
        ...(method === 'GET' ? {} : { raw: '{', headers: { 'content-type': 'text/plain' } }),
      }
      const response = await nobody.request(method, path.replaceAll(NOBODY, 'no-uuid'), options)
      expect([method, path, response.status, response.body.error_code]).toEqual([method, path, 403, 'FORBIDDEN'])
    }
  })

  test('needs that permission and no other', async () => {
    for (const { method, path, operation } of operations()) {
      const permission = operation['x-permission']
      if (!permission) continue
      const just = await account.key({ permissions: [permission] })
      const response = await just.request(method, path, {
        query: { nonsense: 1 },
        ...emptyBody(method, operation),
      })
      expect([method, path, response.status]).toEqual([method, path, 400])
    }
  })

  test('refuses query parameters it does not know', async () => {
    for (const { method, path, operation } of operations()) {
      const session = operation.security?.every((way: Json) => way.session) ?? false
      const caller = session ? await account.signIn() : client
      const response = await caller.request(method, path, {
        query: { nonsense: 1 },
        ...emptyBody(method, operation),
      })
      expect([method, path, response.status]).toEqual([method, path, 400])
      expect(response.body.details).toContainEqual({ path: 'nonsense', message: 'is not a known parameter' })
    }
  })

  test('takes ids that are UUIDs only, and does not find those that nothing has', async () => {
    for (const { method, path } of operations().filter(
      ({ path }) => path.includes('/memories/') && path.includes(NOBODY),
    )) {
      if (path.includes('/profile/') || path.includes('/conversations/')) continue
      const body = method === 'PUT' ? { memory: 'x' } : path.endsWith('/feedback') ? { signal: 'POSITIVE' } : undefined
      const missing = await client.request(method, path, body ? { body } : {})
      expect([method, path, missing.status, missing.body.error_code]).toEqual([method, path, 404, 'MEMORY_NOT_FOUND'])
      for (const id of ['7', 'no-uuid', `${NOBODY}0`, '%27', 'null']) {
        const wrong = await client.request(method, path.replace(NOBODY, id), body ? { body } : {})
        expect([method, id, wrong.status, wrong.body.error_code]).toEqual([method, id, 400, 'VALIDATION_ERROR'])
      }
    }
  })
})

describe('failures', () => {
  test('of paths that there are not', async () => {
    for (const path of [
      '/v1/nothing',
      '/v2/memories',
      '/',
      '/v1',
      '/v1/memories/x/y/z',
      '/favicon.ico',
      '/docs/constructor',
      '/v1/auth',
      '/v1/auth/sign-up/email',
    ]) {
      const response = await service.anonymous.get(path)
      expect([path, response.status, response.body.error_code]).toEqual([path, 404, 'NOT_FOUND'])
    }
  })

  test('of methods that a path does not answer, with those that it does', async () => {
    const response = await client.patch('/v1/memories', {})
    expect([response.status, response.body.error_code]).toEqual([405, 'METHOD_NOT_ALLOWED'])
    expect(response.headers.get('allow')?.split(', ').toSorted()).toEqual(['DELETE', 'GET', 'HEAD', 'POST'])
    expect((await client.delete('/v1/memories/entities')).status).toBe(405)
    expect((await client.post('/health')).status).toBe(405)
    const signIn = await client.get('/v1/auth/sign-in/email')
    expect([signIn.status, signIn.headers.get('allow')]).toEqual([405, 'POST'])
    const session = await client.delete('/v1/auth/get-session')
    expect([session.status, session.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
  })

  test('of bodies that are no JSON, do not say so, or are missing', async () => {
    const post = (raw: string | undefined, type: string | undefined) =>
      client.request('POST', '/v1/memories', {
        ...(raw === undefined ? {} : { raw }),
        headers: type ? { 'content-type': type } : {},
      })
    const json = 'application/json'
    expect((await post('{"memory": "x"', json)).body).toMatchObject({
      error_code: 'VALIDATION_ERROR',
      details: [{ path: 'body' }],
    })
    for (const raw of ['[]', '"x"', 'null', '7', ''])
      expect([raw, (await post(raw, json)).body.error_code]).toEqual([raw, 'VALIDATION_ERROR'])
    expect((await post(undefined, undefined)).status).toBe(400)
    for (const type of [
      'text/plain',
      'application/xml',
      'multipart/form-data; boundary=x',
      'application/x-www-form-urlencoded',
    ])
      expect((await post('{"memory": "x"}', type)).body).toMatchObject({
        status_code: 415,
        error_code: 'UNSUPPORTED_MEDIA_TYPE',
      })
    expect((await post('{"memory": "typed with a charset"}', 'application/json; charset=utf-8')).status).toBe(201)
  })

  test('name every field at fault and never repeat what was sent', async () => {
    const body = { memory: 7, user_id: 'S3CRET'.repeat(50), priority: 'S3CRET', categories: 'S3CRET', colour: 'S3CRET' }
    const response = await client.post('/v1/memories', body)
    expect(response.status).toBe(400)
    const paths = response.body.details.map(({ path }: { path: string }) => path)
    expect(paths.toSorted()).toEqual(['categories', 'colour', 'memory', 'priority', 'user_id'])
    expect(JSON.stringify(response.body)).not.toContain('S3CRET')
  })
})

test('what is wrong with the input is told before the workspace, whichever rule finds it', async () => {
  const inputs: [path: string, body: object, fields: string[]][] = [
    ['/v1/memories', { priority: 'X' }, ['memory', 'priority']],
    [
      '/v1/memories/search',
      { query: '', limit: 1, page_size: 1, filter: { a: { near: 1 } } },
      ['filter.a.near', 'page_size', 'query'],
    ],
    ['/v1/templates', { name: 7, memories: [{ memory: '{{x}}' }] }, ['memories.0', 'name']],
    ['/v1/webhooks', { events: ['memory.unheard'] }, ['events.0', 'url']],
    [
      '/v1/memories/conversations',
      { user_id: 7, messages: [{ role: 'user', content: 'x' }], metadata: { x: 'x'.repeat(70_000) } },
      ['metadata', 'user_id'],
    ],
  ]
  for (const [path, body, fields] of inputs) {
    const response = await client.post(path, { ...body, workspace_id: NOBODY })
    const paths = response.body.details?.map((detail: { path: string }) => detail.path).toSorted()
    expect([path, response.status, paths]).toEqual([path, 400, fields])
  }
  const query = { query: 'x', limit: 1, page_size: 1, workspace_id: NOBODY }
  expect((await client.get('/v1/memories/search', { query })).body.details).toEqual([
    { path: 'page_size', message: 'must not be given together with limit' },
  ])
})

test('a request id of the caller comes back, on failures too', async () => {
  const headers = { 'x-request-id': 'trace-1' }
  for (const response of [
    await client.get('/v1/memories', { headers }),
    await service.anonymous.get('/v1/nothing', { headers }),
  ])
    expect(response.headers.get('x-request-id')).toBe('trace-1')
  const [a, b] = [await client.get('/v1/memories'), await client.get('/v1/memories')]
  expect(a.headers.get('x-request-id')).not.toBe(b.headers.get('x-request-id'))
})

test('no cache on the way keeps a response, which would be for every other key as well', async () => {
  const stored = async (path: string, caller: Client) => (await caller.get(path)).headers.get('cache-control')
  for (const path of ['/v1/memories', `/v1/memories/${NOBODY}`, '/v1/workspaces']) {
    expect([path, await stored(path, client), await stored(path, service.anonymous)]).toEqual([
      path,
      'no-store',
      'no-store',
    ])
  }
})

describe('without a key', () => {
  test('the service says that it lives and that it is ready, part by part', async () => {
    expect(await service.anonymous.get('/health')).toMatchObject({
      status: 200,
      body: { status: 'ok', version: expect.any(String) },
    })
    const ready = await service.anonymous.get('/ready')
    expect(ready).toMatchObject({ status: 200, body: { status: 'ready' } })
    expect(ready.body.checks).toMatchObject({ database: 'ok', migrations: 'ok', queue: 'ok', embedder: 'ok' })
    expect(Object.keys(ready.body.checks).some(name => name.includes('search'))).toBe(true)
  })

  test('probes may add parameters of their own', async () => {
    for (const path of ['/health', '/ready', '/metrics'])
      expect([path, (await service.anonymous.get(`${path}?probe=7&x`)).status]).toEqual([path, 200])
  })

  test('HEAD tells how long the response to GET is', async () => {
    for (const path of ['/health', '/docs', '/docs/start.js', '/openapi.json', '/v1/nothing', '/v1/auth/get-session']) {
      const [get, head] = [await service.anonymous.get(path), await service.anonymous.request('HEAD', path)]
      const length = Buffer.byteLength(typeof get.body === 'string' ? get.body : JSON.stringify(get.body))
      expect([path, head.status, head.headers.get('content-length')]).toEqual([path, get.status, String(length)])
    }
  })

  test('its reference and the files of its page are downloads, which clients keep and nobody can pile up unread', async () => {
    for (const path of ['/openapi.json', '/docs/start.js', '/docs/swagger-ui.css', '/docs/swagger-ui-bundle.js']) {
      const { headers } = await service.anonymous.get(path)
      expect([path, headers.get('accept-ranges')]).toEqual([path, 'bytes'])
      const [etag, modified] = [headers.get('etag'), headers.get('last-modified')]
      const known = service.anonymous.with(etag ? { 'if-none-match': etag } : { 'if-modified-since': modified ?? '' })
      expect([path, (await known.get(path)).status]).toEqual([path, 304])
    }
  })

  test('its metrics, its reference and the page for it can be read', async () => {
    const metrics = await service.anonymous.get('/metrics')
    expect(metrics.body).toContain('http_server_request_duration_seconds_bucket')
    expect(metrics.body).not.toContain(NOBODY)
    expect(reference).toMatchObject({ openapi: '3.1.0', info: { title: 'Mneme' } })
    const page = await service.anonymous.get('/docs')
    expect(page.headers.get('content-type')).toContain('text/html')
    for (const [, path] of String(page.body).matchAll(/(?:src|href)="(\/[^"]+)"/g))
      expect([path, (await service.anonymous.get(String(path))).status]).toEqual([path, 200])
  })
})

test('the reference is one that tools can read: names are unique, references lead somewhere, parameters are declared', () => {
  const ids = operations().map(({ operation }) => operation.operationId)
  expect(new Set(ids).size).toBe(ids.length)
  for (const [, target] of JSON.stringify(reference).matchAll(/"\$ref":"#\/([^"]+)"/g)) {
    const found = String(target)
      .split('/')
      .reduce((at: Json, part) => at?.[part], reference)
    expect([target, found]).toEqual([target, expect.anything()])
  }
  for (const [path, methods] of Object.entries<Json>(reference.paths)) {
    const wanted = [...path.matchAll(/\{([^}]+)\}/g)].map(match => match[1])
    for (const operation of Object.values<Json>(methods)) {
      const declared = operation.parameters.filter((item: Json) => item.in === 'path').map((item: Json) => item.name)
      expect([path, declared]).toEqual([path, wanted])
    }
  }
})

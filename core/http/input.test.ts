import { describe, expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import { Type } from '@sinclair/typebox'
import { Client, type Json } from '../../test/support/client.ts'
import { fakeWorld } from '../../test/support/fake-world.ts'
import { createApp } from './app.ts'
import { createCors } from './cors.ts'
import { IncomingBody } from './incoming-body.ts'
import { readAddress, readInput } from './input.ts'
import { mountRoute } from './mount.ts'
import { created, ok, type Route, routesOf } from './route.ts'
import { MB } from './sizes.ts'
import { text } from './validation.ts'

const route = routesOf<undefined>()
const shared = { access: { permission: 'thing.write' }, summary: 'Things' } as const
const routes = [
  route({
    ...shared,
    method: 'GET',
    path: '/v1/things/of/:owner',
    params: Type.Object({ owner: text({ maxLength: 20 }) }),
    query: Type.Object({ kind: Type.Optional(text()), kinds: Type.Optional(Type.Array(text())) }),
    responses: { 200: null },
    handle: ({ params, query }) => ok({ ...params, ...query }),
  }),
  route({
    ...shared,
    method: 'POST',
    path: '/v1/things',
    body: Type.Object({ name: text(), free: Type.Optional(Type.Record(Type.String(), Type.Unknown())) }),
    responses: { 201: null },
    handle: ({ body }) => created(body),
  }),
  route({
    ...shared,
    method: 'DELETE',
    path: '/v1/things',
    query: Type.Object({ owner: Type.Optional(text()) }),
    responses: { 200: null },
    handle: ({ query }) => ok({ deleted: query.owner ?? 'all' }),
  }),
]
const parts = fakeWorld({ steps: [] })
const fetch = createApp(
  routes.map(item => mountRoute(item as Route, { id: 'things', enabled: true, scope: undefined }, parts.wiring)),
  parts,
  createCors([]),
)
const client = new Client(fetch, { 'x-api-key': 'owner' })

describe('what is no UTF-8 once it is decoded is a fault of its field', () => {
  const faulty: [address: string, fields: string[]][] = [
    ['/v1/things/of/%ff', ['owner']],
    ['/v1/things/of/%zz?kind=%E4', ['owner', 'kind']],
    ['/v1/things/of/ada?kind=J%FCrgen', ['kind']],
    ['/v1/things/of/ada?kinds=a,%ed%a0%80&kinds=b', ['kinds']],
  ]
  for (const [address, fields] of faulty) {
    test(`in ${address}`, async () => {
      const { status, body } = await client.get(address)
      const details = fields.map(path => ({ path, message: 'must be percent-encoded UTF-8' }))
      expect([status, body.details]).toEqual([400, details])
    })
  }

  test('a percent sign that begins no escape, and the replacement character itself, are taken as they are', async () => {
    expect((await client.get('/v1/things/of/ada?kind=100%')).body.kind).toBe('100%')
    expect((await client.get('/v1/things/of/J%C3%BCrgen?kind=%EF%BF%BD')).body).toEqual({
      owner: 'Jürgen',
      kind: '\uFFFD',
    })
  })
})

describe('a response about a fault does not send the document back', () => {
  const long = '😀'.repeat(100_000)
  const documents: [what: string, json: string][] = [
    ['an unknown field of that name', JSON.stringify({ name: 'x', [long]: 1 })],
    ['a number under that name that cannot be kept', `{"name":"x","free":{"${long}":12345678901234567890}}`],
  ]
  for (const [what, raw] of documents) {
    test(what, async () => {
      const response = await client.request('POST', '/v1/things', {
        raw,
        headers: { 'content-type': 'application/json' },
      })
      const text = JSON.stringify(response.body)
      expect([response.status, text.length < 5000, text.isWellFormed()]).toEqual([400, true, true])
    })
  }
})

describe('checks', () => {
  const range = route({
    ...shared,
    method: 'POST',
    path: '/v1/ranges',
    query: Type.Object({ step: Type.Optional(Type.Integer()) }),
    body: Type.Object({ from: Type.Integer(), to: Type.Integer(), kind: Type.Optional(text()) }),
    checks: [
      {
        fields: ['from', 'to'],
        faults: ({ body: { from, to } }) => (from > to ? [{ path: 'to', message: 'must not be before from' }] : []),
      },
      {
        fields: ['from', 'to', 'step'],
        faults: ({ query: { step = 1 }, body: { from, to } }) =>
          step > to - from ? [{ path: 'step', message: 'must lead to the end' }] : [],
      },
    ],
    responses: { 200: null },
    handle: ({ body }) => ok(body),
  })
  const mounted = mountRoute(range as Route, { id: 'things', enabled: true, scope: undefined }, parts.wiring)
  const ranges = new Client(createApp([mounted], parts, createCors([])), { 'x-api-key': 'owner' })
  const pathsOf = async (address: string, body: unknown) =>
    ((await ranges.post(`/v1/ranges${address}`, body)).body.details ?? []).map(({ path }: Json) => path)

  test('add their faults to those of the schemas, in query and body', async () => {
    expect(await pathsOf('', { from: 2, to: 1, kind: 7 })).toEqual(['kind', 'to', 'step'])
    expect(await pathsOf('?step=2', { from: 1, to: 2 })).toEqual(['step'])
    expect(await pathsOf('?step=1', { from: 1, to: 2 })).toEqual([])
  })

  test('are left out where a field that they read is at fault, or the body is no object', async () => {
    expect(await pathsOf('?step=x', { from: 2, to: 1 })).toEqual(['step', 'to'])
    expect(await pathsOf('', { from: 'x', to: 1 })).toEqual(['from'])
    expect(await pathsOf('', { to: 1 })).toEqual(['from'])
    expect(await pathsOf('', [])).toEqual(['body'])
    expect(await pathsOf('', null)).toEqual(['body'])
  })

  test('come before the workspace', async () => {
    const foreign = 'workspace_id=00000000-0000-4000-8000-000000000009'
    expect((await ranges.post(`/v1/ranges?${foreign}`, { from: 2, to: 1 })).body.error_code).toBe('VALIDATION_ERROR')
  })
})

describe('a route without a body', () => {
  const send = (raw: BodyInit, type = 'application/json') =>
    client.request('DELETE', '/v1/things', { raw, headers: { 'content-type': type } })

  test('refuses fields, so that a filter in the wrong place widens nothing', async () => {
    const [unknown, owner, other] = ['is not a known field', '{"owner":"ada"}', '{"owner":"ada","workspace_id":"x"}']
    for (const type of ['application/json', 'application/x-www-form-urlencoded', 'text/plain']) {
      const { status, body } = await send(owner, type)
      expect([status, body.error_code, body.details]).toEqual([
        400,
        'VALIDATION_ERROR',
        [{ path: 'owner', message: unknown }],
      ])
    }
    const paths = (await send(other)).body.details.map(({ path }: Json) => path)
    expect(paths).toEqual(['owner', 'workspace_id'])
  })

  test.each(['owner=ada', '["ada"]', 'null', '{"owner":', ' ', '\u0000'])(
    'refuses what is no object: %j',
    async raw => {
      expect((await send(raw)).body.details).toEqual([{ path: 'body', message: 'must be empty' }])
    },
  )

  test('names it together with the faults of the query, after the permission and before the workspace', async () => {
    const raw = '{"x":1}'
    const refused = async (key: string, query: string) =>
      (await client.request('DELETE', `/v1/things?${query}`, { raw, headers: { 'x-api-key': key } })).body
    expect((await refused('owner', 'y=1')).details.map(({ path }: Json) => path)).toEqual(['y', 'x'])
    expect((await refused('reader', '')).error_code).toBe('FORBIDDEN')
    const foreign = 'workspace_id=00000000-0000-4000-8000-000000000009'
    expect((await refused('owner', foreign)).error_code).toBe('VALIDATION_ERROR')
  })

  test('takes an empty body and an empty object', async () => {
    for (const raw of ['', '{}', ' { }\n']) expect((await send(raw)).body).toEqual({ deleted: 'all' })
    expect((await client.delete('/v1/things')).body).toEqual({ deleted: 'all' })
  })

  test('reads no more than another body may have', async () => {
    expect((await send('x'.repeat(MB))).status).toBe(400)
    expect((await send('x'.repeat(MB + 1))).body.error_code).toBe('PAYLOAD_TOO_LARGE')
  })
})

test.each([10, 256 * 1024, 900_000])('the fingerprint covers all of a body of %i characters', async length => {
  const mounted = mountRoute(routes[1] as Route, { id: 'things', enabled: true, scope: undefined }, parts.wiring)
  const fingerprintOf = async (body: string, headers: Record<string, string>) => {
    const request = new Request('http://localhost/v1/things', {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
    })
    const address = readAddress(mounted, request, {})
    return (await readInput(mounted, request, address, new IncomingBody(request, parts), parts)).fingerprint
  }
  const body = JSON.stringify({ name: 'x'.repeat(length) })
  const whole = createHash('sha256').update(`POST /v1/things?\n${body}`).digest('hex')
  expect(await fingerprintOf(body, { 'idempotency-key': 'a' })).toBe(whole)
  expect(await fingerprintOf(body, {})).toBeUndefined()
})

test('a HEAD request is answered behind a Host header that makes no address', async () => {
  const headers = { 'x-api-key': 'owner' }
  const request: Json = new Request('http://localhost', { method: 'HEAD', headers })
  Object.defineProperty(request, 'url', { value: 'http://[/v1/things/of/ada?kind=x' })
  const response = await fetch(request)
  const body = JSON.stringify({ owner: 'ada', kind: 'x' })
  expect([response.status, response.headers.get('content-length')]).toEqual([200, String(body.length)])
})

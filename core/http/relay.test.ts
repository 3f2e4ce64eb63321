import { expect, test } from 'bun:test'
import { Type } from '@sinclair/typebox'
import { Client } from '../../test/support/client.ts'
import { fakeWorld } from '../../test/support/fake-world.ts'
import { createApp } from './app.ts'
import { createCors } from './cors.ts'
import { keptKey } from './kept-responses.ts'
import { mountRoute } from './mount.ts'
import { created, ok, type RelayedRequest, type Route, routesOf } from './route.ts'
import { sharesOf } from './shares.ts'
import { MB } from './sizes.ts'
import { form } from './upload.ts'

const route = routesOf<undefined>()
const sent = Type.Object({ calls: Type.Array(Type.Any()) })

/** Carries out what its body lists, in order, and responds with what came of it. */
const relayRoute = route({
  method: 'POST',
  path: '/v1/relay',
  access: 'anyKey',
  relays: true,
  summary: 'Relay',
  body: sent,
  responses: { 200: Type.Any() },
  async handle({ body, relay }) {
    const responses: unknown[] = []
    for (const call of body.calls as Sent[]) responses.push(await relay(toRelayed(call)))
    return ok(responses)
  },
})

type Sent = Omit<RelayedRequest, 'query'> & {
  readonly query?: Readonly<Record<string, string>>
  readonly form?: Readonly<Record<string, string>>
}

function toRelayed({ query, form: fields, ...call }: Sent): RelayedRequest {
  const body = new FormData()
  for (const [name, value] of Object.entries(fields ?? {})) body.append(name, value)
  return { ...call, ...(query ? { query: new URLSearchParams(query) } : {}), ...(fields ? { body } : {}) }
}

const things: Route<undefined>[] = [
  route({
    method: 'GET',
    path: '/v1/things/:id',
    access: { permission: 'thing.read' },
    summary: 'Read',
    params: Type.Object({ id: Type.String() }),
    query: Type.Object({ colour: Type.Optional(Type.String()) }),
    responses: { 200: Type.Any() },
    handle: ({ params, query, caller, requestId }) => ok({ ...params, ...query, caller: caller.id, requestId }),
  }),
  route({
    method: 'POST',
    path: '/v1/things',
    access: { permission: 'thing.write' },
    summary: 'Create',
    body: Type.Object({ name: Type.String() }),
    responses: { 201: Type.Any() },
    handle: ({ body }) => created(body),
  }),
  route({
    method: 'POST',
    path: '/v1/forms',
    access: { permission: 'thing.write' },
    summary: 'Send a form',
    body: form({ fields: Type.Object({ name: Type.String() }), files: {} }),
    responses: { 201: Type.Any() },
    handle: ({ body }) => created(body.fields),
  }),
  route({
    method: 'GET',
    path: '/v1/things/all',
    access: 'anyKey',
    summary: 'A sibling that a router would prefer',
    responses: { 200: Type.Any() },
    handle: () => ok('all'),
  }),
  route({
    method: 'GET',
    path: '/v1/long',
    access: 'anyKey',
    summary: 'A long response',
    responses: { 200: Type.Any() },
    handle: () => ok('x'.repeat(MB)),
  }),
  route({
    method: 'GET',
    path: '/v1/raw',
    access: 'anyKey',
    raw: true,
    summary: 'Not JSON',
    responses: { 200: null },
    handle: () => new Response('text'),
  }),
  route({
    method: 'POST',
    path: '/v1/plain',
    access: 'anyKey',
    summary: 'Relays without saying so',
    responses: { 200: Type.Any() },
    handle: async ({ relay }) => ok(await relay({ method: 'GET', path: '/v1/things/:id', params: { id: '1' } })),
  }),
]

function world(options: Partial<Parameters<typeof fakeWorld>[0]> = {}) {
  const steps: string[] = []
  const counted: string[] = []
  const given = fakeWorld({ steps, ...options })
  const quotas = { ...given.quotas, countRequest: (id: string) => void counted.push(id) }
  const parts = { ...given, quotas } as typeof given
  const mounted = [relayRoute, ...things].map(item =>
    mountRoute(item as Route, { id: 'things', enabled: true, scope: undefined }, parts.wiring),
  )
  const app = createApp(mounted, parts, createCors([]))
  const call = (key: string, calls: unknown[], headers: Record<string, string> = {}) =>
    new Client(app, { 'x-api-key': key, 'x-request-id': 'one', ...headers }).post('/v1/relay', { calls })
  return { steps, counted, call, app }
}

test('another route serves a request of the same caller, with its path, query and body', async () => {
  const { call } = world()
  const { status, body } = await call('owner', [
    { method: 'GET', path: '/v1/things/:id', params: { id: 'a/b' }, query: { colour: 'red' } },
    { method: 'POST', path: '/v1/things', body: { name: 'cup' } },
    { method: 'POST', path: '/v1/forms', form: { name: 'pot' } },
  ])
  expect(status).toBe(200)
  expect(body).toEqual([
    { status: 200, body: { id: 'a/b', colour: 'red', caller: 'owner', requestId: 'one' } },
    { status: 201, body: { name: 'cup' } },
    { status: 201, body: { name: 'pot' } },
  ])
})

test('the other route refuses what it refuses to everybody', async () => {
  const { call } = world()
  const { body } = await call('reader', [
    { method: 'POST', path: '/v1/things', body: { name: 'cup' } },
    { method: 'GET', path: '/v1/things/:id', params: { id: '1' }, query: { size: '3' } },
    { method: 'GET', path: '/v1/long' },
  ])
  expect(body.map((one: { body: { error_code: string } }) => one.body.error_code)).toEqual([
    'FORBIDDEN',
    'VALIDATION_ERROR',
    'RESPONSE_TOO_LARGE',
  ])
})

test('parts of the path never lead to another route', async () => {
  const { call } = world()
  const ids = ['all', '..', '', '?x=1', '\ud800']
  const { body } = await call(
    'owner',
    ids.map(id => ({ method: 'GET', path: '/v1/things/:id', params: { id } })),
  )
  expect(body.map((one: { body: { id: string } }) => one.body.id)).toEqual(ids)
})

test.each(['/v1/things/1', '/v1/raw', '/v1/nothing'])('%s is no route that gives JSON', async path => {
  const { call } = world()
  expect((await call('owner', [{ method: 'GET', path }])).body.error_code).toBe('INTERNAL_ERROR')
})

test('the first one counts with the request that it came with, a further one by itself', async () => {
  const { call, steps, counted } = world()
  const read = { method: 'GET', path: '/v1/things/:id', params: { id: '1' } }
  await call('owner', [read])
  expect([steps.filter(step => step === 'rate').length, counted.length]).toEqual([1, 1])
  await call('owner', [read, read, read])
  expect([steps.filter(step => step === 'rate').length, counted.length]).toEqual([4, 4])
  expect(steps.filter(step => step === 'key')).toHaveLength(2)
})

test('it takes the only turn that its workspace has, since the relay holds none', async () => {
  const one = { running: 1, waiting: 0, waitMs: 1000, statementMs: 1 }
  const { call } = world({ shares: { ...sharesOf('server'), light: one } })
  const { body } = await call('owner', [{ method: 'GET', path: '/v1/things/:id', params: { id: '1' } }])
  expect(body).toMatchObject([{ status: 200 }])
})

test('an Idempotency-Key goes along with what changes something, and the relay keeps nothing', async () => {
  const { call, steps } = world()
  const calls = [
    { method: 'GET', path: '/v1/things/:id', params: { id: '1' } },
    { method: 'POST', path: '/v1/things', body: { name: 'cup' } },
  ]
  const { status, headers } = await call('owner', calls, { 'idempotency-key': 'again' })
  expect([status, headers.get('idempotent-replayed')]).toEqual([200, null])
  expect(steps.filter(step => step.startsWith('idempotent'))).toEqual([`idempotent ${keptKey('again')}`])
})

test('a route that does not say so cannot relay', async () => {
  const { app } = world()
  const { status } = await new Client(app, { 'x-api-key': 'owner' }).post('/v1/plain')
  expect(status).toBe(500)
})

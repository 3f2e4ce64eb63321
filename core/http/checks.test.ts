import { expect, test } from 'bun:test'
import { Client } from '../../test/support/client.ts'
import { fakeWorld, WORKSPACE } from '../../test/support/fake-world.ts'
import { ManualClock } from '../../test/support/manual-clock.ts'
import { until } from '../../test/support/wait.ts'
import { createApp } from './app.ts'
import { createCors } from './cors.ts'
import { mountRoute } from './mount.ts'
import { createRateLimiter } from './rate-limit.ts'
import { ok, type Route, routesOf } from './route.ts'

const route = routesOf<undefined>()

test('a route that leads out of a spent quota is not held to it', async () => {
  const steps: string[] = []
  const parts = fakeWorld({ steps })
  const changePlan: Route<undefined> = route({
    method: 'PATCH',
    path: '/v1/plan',
    access: { permission: 'thing.write' },
    beyondQuota: true,
    summary: 'Change the plan',
    responses: { 200: null },
    handle: () => ok({}),
  })
  const mounted = mountRoute(changePlan as Route, { id: 'things', enabled: true, scope: undefined }, parts.wiring)
  const client = new Client(createApp([mounted], parts, createCors([])), { 'x-api-key': 'owner' })
  expect((await client.patch('/v1/plan', {})).status).toBe(200)
  expect(steps).toEqual(['key', 'rate', 'workspace own'])
})

test('requests that no route serves count against their caller, and tell how many are left', async () => {
  const client = new Client(createApp([], fakeWorld({ steps: [] }), createCors([])), { 'x-api-key': 'owner' })
  const { status, headers } = await client.get('/v1/nothing')
  expect([status, headers.get('ratelimit-limit'), headers.get('ratelimit-remaining')]).toEqual([404, '10', '3'])
  const refused = await client.with({ 'x-api-key': 'eager' }).get('/v1/nothing')
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '7'])
  const stranger = await client.with({ 'x-api-key': '' }).get('/v1/nothing')
  expect([stranger.status, stranger.headers.get('ratelimit-limit')]).toEqual([404, null])
})

test('a request beyond the rate limit does not count towards the requests of the month, another refusal does', async () => {
  const counted: string[] = []
  const parts = fakeWorld({ steps: [] })
  const quotas = { ...parts.quotas, countRequest: (id: string) => void counted.push(id) }
  const read: Route<undefined> = route({
    method: 'GET',
    path: '/v1/things',
    access: { permission: 'thing.secret' },
    summary: 'List things',
    responses: { 200: null },
    handle: () => ok({}),
  })
  const mounted = mountRoute(read as Route, { id: 'things', enabled: true, scope: undefined }, parts.wiring)
  const client = new Client(createApp([mounted], { ...parts, quotas }, createCors([])), {})
  const get = async (key: string) => (await client.get('/v1/things', { headers: { 'x-api-key': key } })).status
  expect([await get('eager'), counted]).toEqual([429, []])
  expect([await get('reader'), counted]).toEqual([403, [WORKSPACE]])
  expect([await get('owner'), counted]).toEqual([200, [WORKSPACE, WORKSPACE]])
})

test('the keys of a workspace have ten times the limit of one together, and those of another their own', async () => {
  const rateLimiter = createRateLimiter({ limit: 2, database: undefined as never, now: () => 0 })
  const client = new Client(createApp([], { ...fakeWorld({ steps: [] }), rateLimiter }, createCors([])), {})
  const get = (key: string) => client.get('/v1/nothing', { headers: { 'x-api-key': key } })
  const statuses: number[] = []
  for (let n = 0; n < 20; n++) statuses.push((await get(`key ${n % 10}`)).status)
  expect(statuses).toEqual(Array(20).fill(404))
  const further = await get('key 11')
  expect([further.status, further.headers.get('ratelimit-remaining'), further.headers.get('retry-after')]).toEqual([
    429,
    '0',
    '60',
  ])
  expect((await get('poor')).status).toBe(404)
})

for (const [caller, key] of [
  ['a key', 'owner'],
  ['an address', ''],
] as const) {
  test(`a client that ignores many refusals of ${caller} gets each further one after a second`, async () => {
    const clock = new ManualClock()
    const limiter = createRateLimiter({ limit: 1, database: undefined as never, now: () => 0 })
    const parts = { ...fakeWorld({ steps: [], clock }), rateLimiter: limiter, anonymousLimiter: limiter }
    const client = new Client(createApp([], parts, createCors([])), { 'x-api-key': key })
    const statuses: number[] = []
    for (let n = 0; n < 51; n++) statuses.push((await client.get('/v1/nothing')).status)
    expect(statuses).toEqual([404, ...Array(50).fill(429)])
    expect(clock.begun).toBe(0)
    let isRefused = false
    const further = client.get('/v1/nothing').then(response => {
      isRefused = true
      return response
    })
    await until('it waits', async () => clock.waiting === 1)
    clock.advance(999)
    expect([isRefused, clock.waiting]).toEqual([false, 1])
    clock.advance(1)
    expect((await further).status).toBe(429)
  })
}

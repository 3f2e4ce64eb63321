import { beforeEach, describe, expect, test } from 'bun:test'
import { Client } from '../../test/support/client.ts'
import { fakeWorld } from '../../test/support/fake-world.ts'
import { createApp } from './app.ts'
import { createCors } from './cors.ts'
import { mountRoute } from './mount.ts'
import type { PipelineParts } from './pipeline.ts'
import { createRateLimiter } from './rate-limit.ts'
import { ok, type Route, routesOf } from './route.ts'

const route = routesOf<undefined>()
const get = (path: string, access: Route['access'], probe = false): Route<undefined> =>
  route({ method: 'GET', path, access, summary: 'Get', probe, responses: { 200: null }, handle: () => ok({}) })
const routes = [get('/v1/things', 'anyKey'), get('/open', 'public'), get('/probe', 'public', true)]

/** Counts are exchanged with other servers only when `sync` is called, which nothing does here. */
const NO_DATABASE = undefined as never
const LIMIT = 3

let at = 0
let address = 'a'
let client: Client

beforeEach(() => {
  at = 0
  address = 'a'
  client = clientWith({})
})

function clientWith(given: Partial<PipelineParts>): Client {
  const anonymousLimiter = createRateLimiter({ limit: LIMIT, database: NO_DATABASE, now: () => at })
  const parts: PipelineParts = { ...fakeWorld({ steps: [] }), anonymousLimiter, clientAddress: () => address, ...given }
  const mounted = routes.map(item =>
    mountRoute(item as Route, { id: 'things', enabled: true, scope: undefined }, parts.wiring),
  )
  return new Client(createApp(mounted, parts, createCors(['https://app.example'])), {})
}

const statuses = async (count: number, path: string, headers = {}, method = 'GET') => {
  const found: number[] = []
  for (let n = 0; n < count; n++) found.push((await client.request(method, path, { headers })).status)
  return found
}

describe('requests without a valid key or session', () => {
  test('count against their address, whatever they ask for', async () => {
    expect(await statuses(1, '/v1/things')).toEqual([401])
    expect(await statuses(1, '/open')).toEqual([200])
    expect(await statuses(1, '/nowhere')).toEqual([404])
    for (const [path, method] of [['/v1/things'], ['/open'], ['/nowhere'], ['/open', 'PUT']] as const) {
      const response = await client.request(method ?? 'GET', path)
      expect([path, response.status, response.body.error_code]).toEqual([path, 429, 'RATE_LIMITED'])
      expect(response.headers.get('retry-after')).toBe('60')
    }
    at = 60_000
    expect(await statuses(LIMIT + 1, '/v1/things')).toEqual([401, 401, 401, 429])
    address = 'b'
    expect(await statuses(1, '/open')).toEqual([200])
  })

  test('never keep those out that have one, and those do not count', async () => {
    const known = { 'x-api-key': 'owner' }
    expect(await statuses(10, '/v1/things', known)).toEqual(Array(10).fill(200))
    expect(await statuses(10, '/open', known)).toEqual(Array(10).fill(200))
    expect(await statuses(10, '/nowhere', known)).toEqual(Array(10).fill(404))
    expect(await statuses(LIMIT + 1, '/open')).toEqual([200, 200, 200, 429])
    for (const path of ['/v1/things', '/open']) expect(await statuses(2, path, known)).toEqual([200, 200])
  })

  test('are told from those of a key, which count against the key where nobody needs to be known as well', async () => {
    const known = { 'x-api-key': 'owner' }
    const rateLimiter = createRateLimiter({ limit: 2, database: NO_DATABASE, now: () => at })
    client = clientWith({ rateLimiter })
    expect(await statuses(3, '/open', known)).toEqual([200, 200, 429])
    expect(await statuses(1, '/v1/things', known)).toEqual([429])
    expect(await statuses(1, '/open')).toEqual([200])
  })

  test('are always told whether the service lives, and browsers what they may ask for', async () => {
    expect(await statuses(LIMIT + 1, '/open')).toContain(429)
    expect(await statuses(10, '/probe')).toEqual(Array(10).fill(200))
    const preflight = { origin: 'https://app.example', 'access-control-request-method': 'GET' }
    expect(await statuses(3, '/v1/things', preflight, 'OPTIONS')).toEqual([204, 204, 204])
  })
})

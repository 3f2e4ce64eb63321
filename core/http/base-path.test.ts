import { beforeAll, expect, test } from 'bun:test'
import { startService, type TestService } from '../../test/support/service.ts'

let service: TestService
beforeAll(async () => {
  service = await startService({ BASE_PATH: '/mneme/' })
})

test('everything is served below the path, and beside it only what watches the process', async () => {
  const { client } = await service.account()
  const stored = await client.post('/mneme/v1/memories', { memory: 'Ada lives in Lisbon', user_id: 'ada' })
  expect(stored.status).toBe(201)
  expect((await client.get('/mneme/v1/memories?user_id=ada')).body.total).toBe(1)
  expect((await client.request('HEAD', '/mneme/v1/memories')).status).toBe(200)
  for (const path of [
    '/v1/memories',
    '/mnemetoo/v1/memories',
    '/openapi.json',
    '/console/',
    '/mneme/mneme/v1/memories',
  ]) {
    expect(await client.get(path)).toMatchObject({ status: 404, body: { error_code: 'NOT_FOUND' } })
  }
  for (const path of ['/health', '/ready', '/metrics']) {
    expect([path, (await service.anonymous.get(path)).status]).toEqual([path, 200])
    expect([path, (await service.anonymous.get(`/mneme${path}`)).status]).toEqual([path, 200])
  }
  expect((await service.anonymous.get('/mneme/openapi.json')).body.servers).toEqual([{ url: '/mneme' }])
})

test('pages, redirects and cookies stay below it', async () => {
  const { anonymous } = service
  const accept = { headers: { accept: 'text/html' } }
  for (const path of ['/mneme', '/mneme/']) {
    const home = await anonymous.get(path, accept)
    expect([home.status, home.headers.get('location')]).toEqual([302, '/mneme/console/'])
  }
  expect((await anonymous.get('/mneme/console')).headers.get('location')).toBe('/mneme/console/')
  for (const path of ['/mneme/console/', '/mneme/console/memories/some', '/mneme/docs']) {
    const page = await anonymous.get(path, accept)
    const named = [...String(page.body).matchAll(/(?:href|src)="(\/[^"]*)"/g)].map(([, address = '']) => address)
    expect(named.length).toBeGreaterThan(1)
    for (const address of named) expect([address, (await anonymous.get(address)).status]).toEqual([address, 200])
  }
  const { email, password } = await service.account()
  const signedIn = await anonymous.post('/mneme/v1/auth/sign-in/email', { email, password })
  const cookies = signedIn.headers.getSetCookie()
  expect(cookies.length).toBeGreaterThan(0)
  for (const cookie of cookies) expect(cookie).toContain('; Path=/mneme;')
  const cookie = cookies.map(one => one.split(';')[0]).join('; ')
  const session = await anonymous.with({ cookie }).get('/mneme/v1/auth/get-session')
  expect(session.body.user.email).toBe(email)
})

test('a path that could be no path is refused at the start', async () => {
  for (const BASE_PATH of ['mneme', 'https://example.com/mneme', '/a b', '/..', '/a//b']) {
    await expect(startService({ BASE_PATH })).rejects.toThrow('BASE_PATH must be a path such as /mneme')
  }
})

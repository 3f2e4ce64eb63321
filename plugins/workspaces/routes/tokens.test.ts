import { beforeAll, describe, expect, test } from 'bun:test'
import { definePlugin, ok, PLUGIN_API_VERSION, routesOf, Type } from 'mneme/plugin'
import { hashKey } from '../../../core/auth/api-key.ts'
import { sweepKeys } from '../../../core/auth/control/workspace-ends.ts'
import { eraseTypes } from '../../../core/plugin.ts'
import type { Client, Json } from '../../../test/support/client.ts'
import { startService, type TestAccount, type TestService } from '../../../test/support/service.ts'
import { until } from '../../../test/support/wait.ts'

const route = routesOf<null>()
const plain = { method: 'GET', access: 'anyKey', summary: 'Greet', responses: { 200: Type.Object({}) } } as const
/** A plugin of a third party: one route says nothing of bound keys, one tells nothing of users. */
const greetings = definePlugin({
  id: 'greetings',
  version: '1.0.0',
  apiVersion: PLUGIN_API_VERSION,
  routes: [
    route({ ...plain, path: '/v1/x/greetings/all', handle: () => ok({}) }),
    route({ ...plain, path: '/v1/x/greetings/time', subject: 'nobody', handle: () => ok({}) }),
  ],
  setup: () => ({ scope: null }),
})

let running: TestService
let account: TestAccount
let session: Client

beforeAll(async () => {
  const origin = { CORS_ORIGINS: 'https://app.example' }
  running = await startService(origin, { thirdParty: [eraseTypes(greetings)] })
  account = await running.account({ workspaces: 2 })
  session = await account.signIn()
})

const use = (key: string) => running.anonymous.with({ 'x-api-key': key })
const make = (body: object) => session.post('/v1/api-keys', { name: 'Browser', permissions: ['memory.read'], ...body })
const data = ['memory.read', 'memory.write']

describe('a key that is bound to a user', () => {
  test('shows to whom, from its creation on', async () => {
    const { status, body } = await make({ user_id: 'ada', agent_id: 'helper' })
    expect([status, body.user_id, body.agent_id]).toEqual([201, 'ada', 'helper'])
    const listed = (await session.get('/v1/api-keys', { query: { page_size: 100 } })).body.data
    expect(listed.find(({ id }: Json) => id === body.id)).toMatchObject({ user_id: 'ada', agent_id: 'helper' })
    expect((await make({})).body).toMatchObject({ user_id: null, agent_id: null })
  })

  test('has no permission on the workspace as a whole, neither at first nor later', async () => {
    const { groups } = (await session.get('/v1/api-keys/permissions')).body
    const all: string[] = groups.flatMap((group: Json) => group.permissions.map(({ name }: Json) => name))
    const whole = all.filter(name => /^(webhook|dashboard|template|workspace|token)\./.test(name))
    expect(whole.length).toBeGreaterThan(10)
    const { id } = (await make({ user_id: 'ada' })).body
    for (const permission of whole) {
      const permissions = ['memory.read', permission]
      for (const refused of [
        await make({ user_id: 'ada', permissions }),
        await session.patch(`/v1/api-keys/${id}`, { permissions }),
      ]) {
        const details = [{ path: 'permissions.1', message: 'is not for keys that are bound to a user' }]
        expect([permission, refused.status, refused.body.details]).toEqual([permission, 400, details])
      }
    }
    expect((await session.patch(`/v1/api-keys/${id}`, { permissions: data })).status).toBe(200)
    expect((await session.patch(`/v1/api-keys/${id}`, { user_id: 'bob' })).status).toBe(400)
    expect((await make({ agent_id: 'helper' })).body.details).toEqual([
      { path: 'agent_id', message: 'needs a user_id' },
    ])
  })

  test('is for the user whom a request leaves out, and for nobody else', async () => {
    const client = use((await make({ user_id: 'ada', permissions: data })).body.key)
    const stored = await client.post('/v1/memories', { memory: 'Ada likes tea.', user_id: null })
    expect([stored.status, stored.body.user_id]).toEqual([201, 'ada'])
    expect((await client.post('/v1/memories', { memory: 'x', user_id: 'ADA' })).body.error_code).toBe('FORBIDDEN')
    expect((await client.get('/v1/memories', { query: { user_id: 'ada ' } })).body.error_code).toBe('FORBIDDEN')
    expect((await client.get('/v1/memories', { query: { user_id: 'ada' } })).body.total).toBe(1)
    await account.client.post('/v1/memories', { memory: 'Bob likes milk.', user_id: 'bob' })
    expect((await client.get('/v1/users')).body.data.map(({ user_id }: Json) => user_id)).toEqual(['ada'])
    expect((await client.get('/v1/memories/entities')).body).toEqual([{ type: 'user', id: 'ada', count: 1 }])
  })

  test('is refused by a route that does not say how it treats one, of whichever plugin', async () => {
    const client = use((await make({ user_id: 'ada' })).body.key)
    expect((await account.client.get('/v1/x/greetings/all')).status).toBe(200)
    expect((await client.get('/v1/x/greetings/all')).body.error_code).toBe('FORBIDDEN')
    expect((await client.get('/v1/x/greetings/time')).status).toBe(200)
  })

  test('can be used by a browser of an allowed origin', async () => {
    const headers = {
      'x-api-key': (await make({ user_id: 'ada' })).body.key,
      origin: 'https://app.example',
    }
    const response = await running.anonymous.get('/v1/memories', { headers })
    expect([response.status, response.headers.get('access-control-allow-origin')]).toEqual([200, headers.origin])
  })
})

describe('a token', () => {
  const mint = async (client: Client, body: object = {}) =>
    client.post('/v1/tokens', { user_id: 'ada', permissions: data, expires_in: 60, ...body })

  test('is a bound key for a while, of the form of a key, in no list', async () => {
    const before = (await session.get('/v1/api-keys')).body.total
    const { status, body } = await mint(await account.key({ permissions: [...data, 'token.write'] }))
    expect([status, Object.keys(body).toSorted()]).toEqual([201, ['expires_at', 'token']])
    expect(body.token).toMatch(/^mn_live_[0-9A-Za-z]{32}$/)
    const lasts = Date.parse(body.expires_at) - Date.now()
    expect([lasts > 30_000, lasts <= 60_000]).toEqual([true, true])
    const stored = await use(body.token).post('/v1/memories', { memory: 'Ada has a token.' })
    expect([stored.status, stored.body.user_id]).toEqual([201, 'ada'])
    expect((await use(body.token).get('/v1/memories', { query: { user_id: 'bob' } })).status).toBe(403)
    expect((await mint(use(body.token))).status).toBe(403)
    // The key that made it was put into the database, and not by the session.
    expect((await session.get('/v1/api-keys')).body.total).toBe(before + 1)
  })

  test('has what its key has at most, also what it loses later', async () => {
    const { id, key } = (await make({ permissions: [...data, 'token.write'] })).body
    const refused = await mint(use(key), { permissions: ['memory.read', 'memory.delete'] })
    expect([refused.status, refused.body.message]).toEqual([403, 'This key lacks the permission memory.delete.'])
    const { token } = (await mint(use(key))).body
    expect((await use(token).post('/v1/memories', { memory: 'Ada may write.' })).status).toBe(201)
    await session.patch(`/v1/api-keys/${id}`, { permissions: ['memory.read', 'token.write'] })
    await until('it may not write', async () => {
      return (await use(token).post('/v1/memories', { memory: `No ${Math.random()}.` })).status === 403
    })
    expect((await use(token).get('/v1/memories')).status).toBe(200)
  })

  test('works on the workspace that it was made for, as long as its key may', async () => {
    const [, second = ''] = account.workspaceIds
    const { id, key } = (await make({ permissions: [...data, 'token.write'], workspace_ids: [second] })).body
    const { token } = (await mint(use(key), { workspace_id: second })).body
    const stored = await use(token).post('/v1/memories', { memory: 'Ada in the other one.' })
    expect([stored.status, stored.body.workspace_id]).toEqual([201, second])
    expect((await use(token).get('/v1/memories', { query: { workspace_id: account.workspaceId } })).status).toBe(403)
    await session.patch(`/v1/api-keys/${id}`, { workspace_ids: [] })
    await until('it ends', async () => (await use(token).get('/v1/memories')).status === 401)
  })

  test.each(['revoked', 'rotated'])('ends when its key is %s', async how => {
    const { id, key } = (await make({ permissions: [...data, 'token.write'] })).body
    const { token } = (await mint(use(key))).body
    expect((await use(token).get('/v1/memories')).status).toBe(200)
    if (how === 'revoked') await session.delete(`/v1/api-keys/${id}`)
    else await session.post(`/v1/api-keys/${id}/rotate`)
    await until('it ends', async () => (await use(token).get('/v1/memories')).status === 401)
  })

  test('of a test key is one of test data', async () => {
    const tester = await account.key({ mode: 'test', permissions: [...data, 'token.write'] })
    const { token } = (await mint(tester)).body
    expect(token).toMatch(/^mn_test_/)
    expect((await use(token).post('/v1/memories', { memory: 'Ada tests.' })).body.workspace_id).not.toBe(
      account.workspaceId,
    )
  })

  test('of a signed-in account is a key of its list', async () => {
    const { token } = (await mint(session)).body
    expect((await use(token).get('/v1/memories')).status).toBe(200)
    const [newest] = (await session.get('/v1/api-keys')).body.data
    expect(newest).toMatchObject({ user_id: 'ada', permissions: data })
    await session.delete(`/v1/api-keys/${newest.id}`)
    await until('it ends', async () => (await use(token).get('/v1/memories')).status === 401)
  })

  test('expires, and is removed then', async () => {
    const { token } = (await mint(await account.key({ permissions: [...data, 'token.write'] }), { expires_in: 2 })).body
    expect((await use(token).get('/v1/memories')).status).toBe(200)
    await until('it has expired', async () => (await use(token).get('/v1/memories')).status === 401)
    const ended = await running.database.system(async tx => {
      await sweepKeys(tx)
      return tx`select from core.api_key where hash = ${hashKey(token)}`
    })
    expect(ended).toHaveLength(0)
  })

  test('and a key of a user end when the user is erased', async () => {
    const one = await running.account()
    const [admin, owner] = [await one.key(), await one.signIn()]
    const { key } = (await owner.post('/v1/api-keys', { name: 'x', user_id: 'ada', permissions: ['memory.read'] })).body
    const { token } = (await mint(admin)).body
    const other = (await mint(admin, { user_id: 'bob' })).body.token
    await admin.delete('/v1/users/ada')
    for (const ends of [key, token])
      await until('it ends', async () => (await use(ends).get('/v1/memories')).status === 401)
    expect((await use(other).get('/v1/memories')).status).toBe(200)
  })

  test('is refused with fields that make no sense', async () => {
    const client = await account.key()
    for (const wrong of [
      { user_id: '' },
      { user_id: null },
      { permissions: [] },
      { permissions: ['memory.fly'] },
      { permissions: ['webhook.read'] },
      { permissions: ['token.write'] },
      { expires_in: 0 },
      { expires_in: 86_401 },
      { expires_in: '60' },
    ])
      expect([wrong, (await mint(client, wrong)).status]).toEqual([wrong, 400])
    expect((await mint(await account.key({ permissions: data }))).status).toBe(403)
  })
})

import { beforeAll, describe, expect, test } from 'bun:test'
import type { Client, Json } from '../support/client.ts'
import type { TestAccount } from '../support/service.ts'
import { until } from '../support/wait.ts'
import { ISO, NOBODY, remember, type Subject, subject, UUID } from './subject.ts'

const PERMISSIONS =
  'memory.read memory.write memory.delete knowledge.read knowledge.write knowledge.delete workspace.read workspace.write ' +
  'workspace.delete export.read export.write dashboard.read webhook.read webhook.write webhook.delete template.read ' +
  'template.write template.delete ingest.write ingest.read'

let service: Subject

beforeAll(async () => {
  service = await subject()
})

describe('the list of permissions', () => {
  test('is for any valid key and holds every permission of the contract, with what it allows', async () => {
    const account = await service.account()
    const { status, body } = await (await account.key({ permissions: [] })).get('/v1/api-keys/permissions')
    expect([status, Object.keys(body)]).toEqual([200, ['groups']])
    const all = body.groups.flatMap((group: Json) => group.permissions)
    for (const { name, description } of all) expect([typeof name, description.length > 5]).toEqual(['string', true])
    expect(body.groups.every((group: Json) => typeof group.name === 'string')).toBe(true)
    // Plugins beyond the contract have more permissions.
    expect(all.map((permission: Json) => permission.name)).toEqual(expect.arrayContaining(PERMISSIONS.split(' ')))
  })
})

describe('a console session', () => {
  test('comes from the right password only, in a cookie that scripts and other sites do not get', async () => {
    const account = await service.account()
    const sign = (password: string) =>
      service.anonymous.post('/v1/auth/sign-in/email', { email: account.email, password })
    expect((await sign('not the password')).status).toBe(401)
    const response = await sign(account.password)
    expect(response.status).toBe(200)
    const cookie = response.headers.getSetCookie().join()
    expect(cookie).toMatch(/HttpOnly/i)
    expect(cookie).toMatch(/SameSite=(Lax|Strict)/i)
    expect(JSON.stringify(response.body)).not.toContain(account.password)
  })

  test('stands in for a key on the workspaces of its account, and ends with signing out', async () => {
    const [account, stranger] = [await service.account({ workspaces: 2 }), await service.account()]
    const session = await account.signIn()
    const made = await remember(session, 'Written in the console.')
    expect((await account.client.get(`/v1/memories/${made.id}`)).status).toBe(200)
    const [, second = ''] = account.workspaceIds
    expect((await session.get('/v1/memories', { query: { workspace_id: second } })).status).toBe(200)
    const refused = await session.get('/v1/memories', { query: { workspace_id: stranger.workspaceId } })
    expect(refused.body.error_code).toBe('WORKSPACE_ACCESS_DENIED')
    expect((await session.post('/v1/auth/sign-out', {})).status).toBe(200)
    await until('the session has ended', async () => (await session.get('/v1/memories')).status === 401)
  })

  test('changes nothing when the request comes from another site', async () => {
    const session = await (await service.account()).signIn()
    for (const headers of [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' },
    ]) {
      const response = await session.post('/v1/memories', { memory: 'Forged.' }, { headers })
      expect([headers, response.status]).toEqual([headers, 403])
    }
    expect((await session.get('/v1/memories')).body.total).toBe(0)
  })
})

describe('API keys', () => {
  let account: TestAccount
  let session: Client

  beforeAll(async () => {
    account = await service.account({ workspaces: 2 })
    session = await account.signIn()
  })

  const make = (more: object = {}) =>
    session.post('/v1/api-keys', {
      name: 'agent',
      workspace_id: account.workspaceId,
      permissions: ['memory.read'],
      ...more,
    })
  const use = (key: string) => service.anonymous.with({ 'x-api-key': key })

  test('are made by a signed-in account and shown once', async () => {
    const { status, body } = await make()
    expect(status).toBe(201)
    const { id, key } = body
    expect(key).toMatch(/^mn_live_[0-9A-Za-z]{24,}$/)
    expect(body).toMatchObject({
      name: 'agent',
      permissions: ['memory.read'],
      workspace_id: account.workspaceId,
      mode: 'live',
    })
    expect(key.startsWith(body.prefix)).toBe(true)
    expect(body.prefix.length).toBeLessThan(key.length - 16)
    expect([Date.parse(body.created_at) > 0, id.length]).toEqual([true, 36])
    const listed = await session.get('/v1/api-keys', { query: { page_size: 100 } })
    expect(listed.body).toMatchObject({ page: 1, page_size: 100 })
    expect(JSON.stringify(listed.body)).not.toContain(key)
    expect(listed.body.data.map((item: Json) => item.id)).toContain(id)
    expect((await use(key).get('/v1/memories')).status).toBe(200)
    expect((await use(key).post('/v1/memories', { memory: 'x' })).status).toBe(403)
    expect((await use(`${key}x`).get('/v1/memories')).status).toBe(401)
    expect((await use(key.slice(0, -1)).get('/v1/memories')).status).toBe(401)
  })

  test('cannot make, list, change or revoke keys', async () => {
    const everything = account.client
    const responses = [
      await everything.get('/v1/api-keys'),
      await everything.post('/v1/api-keys', {
        name: 'x',
        workspace_id: account.workspaceId,
        permissions: ['memory.read'],
      }),
      await everything.patch(`/v1/api-keys/${NOBODY}`, { name: 'x' }),
      await everything.post(`/v1/api-keys/${NOBODY}/rotate`),
      await everything.delete(`/v1/api-keys/${NOBODY}`),
    ]
    for (const response of responses) expect(response).toMatchObject({ status: 403, body: { error_code: 'FORBIDDEN' } })
  })

  test('can be renamed, given other permissions, and more workspaces', async () => {
    const [, second = ''] = account.workspaceIds
    const { id, key } = (await make()).body
    const changed = await session.patch(`/v1/api-keys/${id}`, {
      name: 'renamed',
      permissions: ['memory.write'],
      workspace_ids: [second],
    })
    expect(changed).toMatchObject({ status: 200, body: { id, name: 'renamed', permissions: ['memory.write'] } })
    expect(changed.body.key).toBeUndefined()
    await until('the change has arrived', async () => (await use(key).get('/v1/memories')).status === 403)
    await until(
      'the workspace can be used',
      async () =>
        (await use(key).post('/v1/memories', { memory: `For both ${Math.random()}`, workspace_id: second })).status ===
        201,
      5000,
    )
  })

  test('are rotated: the new one works, the old one stops within five seconds', async () => {
    const { id, key } = (await make()).body
    await use(key).get('/v1/memories')
    const rotated = await session.post(`/v1/api-keys/${id}/rotate`)
    expect(rotated.status).toBe(200)
    expect(rotated.body.key).not.toBe(key)
    expect((await use(rotated.body.key).get('/v1/memories')).status).toBe(200)
    await until('the old key is refused', async () => (await use(key).get('/v1/memories')).status === 401)
  })

  test('are revoked within five seconds, and expire by themselves', async () => {
    const { id, key } = (await make()).body
    expect((await use(key).get('/v1/memories')).status).toBe(200)
    expect(await session.delete(`/v1/api-keys/${id}`)).toMatchObject({ status: 204, body: '' })
    await until('the key is refused', async () => (await use(key).get('/v1/memories')).status === 401)
    expect((await session.delete(`/v1/api-keys/${id}`)).body.error_code).toBe('API_KEY_NOT_FOUND')
    const brief = (await make({ expires_at: new Date(Date.now() + 4000).toISOString() })).body.key
    expect((await use(brief).get('/v1/memories')).status).toBe(200)
    await until('it has expired', async () => (await use(brief).get('/v1/memories')).status === 401)
  })

  test('of another account are not there', async () => {
    const other = await (await service.account()).signIn()
    const { id } = (await make()).body
    for (const response of [
      await other.patch(`/v1/api-keys/${id}`, { name: 'x' }),
      await other.post(`/v1/api-keys/${id}/rotate`),
      await other.delete(`/v1/api-keys/${id}`),
    ])
      expect(response).toMatchObject({ status: 404, body: { error_code: 'API_KEY_NOT_FOUND' } })
    expect((await other.get('/v1/api-keys')).body.data.map((item: Json) => item.id)).not.toContain(id)
  })

  test('are refused with fields that make no sense', async () => {
    const stranger = await service.account()
    expect((await make({ workspace_id: stranger.workspaceId })).body.error_code).toBe('WORKSPACE_ACCESS_DENIED')
    expect((await make({ workspace_id: NOBODY })).body.error_code).toBe('WORKSPACE_NOT_FOUND')
    expect((await make({ workspace_ids: [stranger.workspaceId] })).status).toBe(403)
    for (const wrong of [
      { name: '' },
      { permissions: ['memory.fly'] },
      { permissions: 'memory.read' },
      { mode: 'prod' },
      { expires_at: '2020-01-01' },
      { key: 'mn_live_x' },
    ])
      expect([wrong, (await make(wrong)).status]).toEqual([wrong, 400])
  })
})

describe('a test key', () => {
  test('has the same API on data of its own, of which nothing shows in live data', async () => {
    const account = await service.account()
    const tester = await account.key({ mode: 'test' })
    const live = await remember(account.client, 'Real tea.')
    const made = await remember(tester, 'Pretended tea.')
    const twin = made.workspace_id
    expect(twin).not.toBe(account.workspaceId)
    expect((await tester.post('/v1/memories', { memory: 'Real tea.' })).status).toBe(201)
    for (const [caller, other] of [
      [account.client, made.id],
      [tester, live.id],
    ] as const)
      expect((await caller.get(`/v1/memories/${other}`)).status).toBe(404)
    expect((await account.client.get('/v1/memories')).body.total).toBe(1)
    expect((await tester.get('/v1/memories')).body.total).toBe(2)
    expect(
      (await account.client.get('/v1/memories', { query: { search: 'pretended', mode: 'keyword' } })).body.total,
    ).toBe(0)
    // Naming the live workspace leads a test key to the twin all the same.
    const named = await tester.get('/v1/memories', { query: { workspace_id: account.workspaceId } })
    expect(named.body.data[0].workspace_id).toBe(twin)
    const headers = { 'x-confirm-password': account.password }
    expect((await tester.delete('/v1/memories', { headers })).status).toBe(204)
    expect((await account.client.get('/v1/memories')).body.total).toBe(1)
  })

  test('begins with its own prefix', async () => {
    const account = await service.account()
    const session = await account.signIn()
    const { body } = await session.post('/v1/api-keys', {
      name: 't',
      workspace_id: account.workspaceId,
      permissions: ['memory.read'],
      mode: 'test',
    })
    expect([body.key.startsWith('mn_test_'), body.mode]).toEqual([true, 'test'])
  })
})

describe('workspaces', () => {
  test('are listed, made, read, changed and deleted by who may', async () => {
    const account = await service.account()
    const { client } = account
    const made = await client.post('/v1/workspaces', { name: 'Second' })
    expect(made.status).toBe(201)
    const { id } = made.body
    expect(Object.keys(made.body)).toEqual(
      expect.arrayContaining(['id', 'name', 'plan', 'settings', 'created_at', 'updated_at']),
    )
    const session = await account.signIn()
    const all = (await session.get('/v1/workspaces')).body
    expect(all).toMatchObject({ total: 2, page: 1, page_size: 20 })
    const changed = await session.patch(`/v1/workspaces/${id}`, {
      name: 'Renamed',
      settings: { task_ttl_days: 3, consolidation: false },
    })
    expect(changed).toMatchObject({
      status: 200,
      body: { id, name: 'Renamed', settings: { task_ttl_days: 3, consolidation: false } },
    })
    expect((await session.get(`/v1/workspaces/${id}`)).body).toMatchObject({
      name: 'Renamed',
      created_at: ISO,
      updated_at: ISO,
      id: UUID,
    })
    expect((await session.delete(`/v1/workspaces/${id}`)).body.error_code).toBe('PASSWORD_CONFIRMATION_REQUIRED')
    const headers = { 'x-confirm-password': account.password }
    expect((await session.delete(`/v1/workspaces/${id}`, { headers })).status).toBe(204)
    await until(
      'it is gone',
      async () => (await session.get(`/v1/workspaces/${id}`)).body.error_code === 'WORKSPACE_NOT_FOUND',
    )
  })

  test('of others are out of reach', async () => {
    const [account, stranger] = [await service.account(), await service.account()]
    const get = (id: string) => account.client.get(`/v1/workspaces/${id}`)
    expect((await get(stranger.workspaceId)).body.error_code).toBe('WORKSPACE_ACCESS_DENIED')
    expect((await get(NOBODY)).body.error_code).toBe('WORKSPACE_NOT_FOUND')
    expect((await get('x')).body.error_code).toBe('VALIDATION_ERROR')
    const list = (await account.client.get('/v1/workspaces')).body.data.map((item: Json) => item.id)
    expect(list).toEqual([account.workspaceId])
    expect((await account.client.patch(`/v1/workspaces/${stranger.workspaceId}`, { name: 'Mine' })).status).toBe(403)
  })

  test('are refused with fields that make no sense', async () => {
    const { client } = await service.account()
    for (const body of [
      {},
      { name: '' },
      { name: 7 },
      { name: 'x', colour: 'red' },
      { name: 'x', settings: { colour: 1 } },
      { name: 'x', settings: { task_ttl_days: 0 } },
    ])
      expect([body, (await client.post('/v1/workspaces', body)).status]).toEqual([body, 400])
  })
})

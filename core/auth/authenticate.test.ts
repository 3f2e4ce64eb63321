import { describe, expect, test } from 'bun:test'
import { randomUUID } from 'node:crypto'
import { controlPlane, cookieOf, failure } from '../../test/support/control-plane.ts'
import { type Database, openDatabase } from '../db/database.ts'
import { generateKey } from './api-key.ts'
import { createAuthenticator } from './authenticate.ts'
import { getKey, revokeKey, rotateKey } from './control/keys.ts'

const withKey = (key: string, init: RequestInit = {}) =>
  new Request('http://localhost/v1/memories', { ...init, headers: { 'x-api-key': key, ...init.headers } })

const SESSIONLESS = `mneme.session_token=${'a'.repeat(32)}.${'b'.repeat(44)}`

describe('authentication with a key', () => {
  test('a key acts for its account on its workspace with its permissions', async () => {
    const plane = await controlPlane()
    const { accountId, workspaceId } = await plane.account()
    const { id, key } = await plane.key({ accountId, workspaceId, permissions: ['memory.read', 'memory.write'] })
    const caller = await plane.server().authenticator.authenticate(withKey(key))
    expect(caller).toMatchObject({ kind: 'key', id, accountId, workspaceId, mode: 'live' })
    expect(caller.permissions).toEqual(new Set(['memory.read', 'memory.write']))
  })

  test('a key is known as a bearer token too, and the header of the API wins', async () => {
    const plane = await controlPlane()
    const { accountId, workspaceId } = await plane.account()
    const { id, key } = await plane.key({ accountId, workspaceId })
    const { authenticator } = plane.server()
    const bearer = { headers: { authorization: `Bearer ${key}` } }
    expect(await authenticator.authenticate(new Request('http://localhost/v1', bearer))).toMatchObject({ id })
    expect(await failure(authenticator.authenticate(withKey(generateKey('live'), bearer)))).toMatchObject({
      code: 'UNAUTHORIZED',
    })
    const other = new Request('http://localhost/v1', { headers: { authorization: 'Bearer of-something-else' } })
    expect(await failure(authenticator.authenticate(other))).toMatchObject({ code: 'UNAUTHORIZED' })
  })

  test('a test key acts on the test twin', async () => {
    const plane = await controlPlane()
    const { accountId, workspaceId, twinId } = await plane.account()
    const { key } = await plane.key({ accountId, workspaceId, mode: 'test' })
    expect(key).toStartWith('mn_test_')
    const caller = await plane.server().authenticator.authenticate(withKey(key))
    expect(caller).toMatchObject({ mode: 'test', workspaceId: twinId })
  })

  test.each([
    ['no key', new Request('http://localhost/v1/memories')],
    ['an empty key', withKey('')],
    ['a malformed key', withKey('secret')],
    ['an unknown key', withKey(generateKey('live'))],
    ['a cookie that no session has', new Request('http://localhost/v1', { headers: { cookie: SESSIONLESS } })],
  ])('%s is UNAUTHORIZED, with what would do', async (_, request) => {
    const { authenticator } = (await controlPlane()).server()
    expect(await failure(authenticator.authenticate(request))).toMatchObject({
      code: 'UNAUTHORIZED',
      status: 401,
      message: expect.stringMatching(/API key.* session/),
    })
  })

  test('a wrong key beside a valid session is UNAUTHORIZED', async () => {
    const plane = await controlPlane()
    const { email, password } = await plane.account()
    const { authenticator, sessions } = plane.server()
    const cookie = await cookieOf(sessions, email, password)
    const request = withKey(generateKey('live'), { headers: { cookie } })
    expect(await failure(authenticator.authenticate(request))).toMatchObject({ code: 'UNAUTHORIZED' })
  })

  test('a key stops at the moment it expires, also when it was used just before', async () => {
    const plane = await controlPlane()
    const { accountId, workspaceId } = await plane.account()
    const clock = { now: Date.now() }
    const expiresAt = new Date(clock.now + 60_000)
    const { key } = await plane.key({ accountId, workspaceId, expiresAt })
    const { authenticator } = plane.server({ now: () => clock.now })
    clock.now += 59_999
    await authenticator.authenticate(withKey(key))
    clock.now++
    expect(await failure(authenticator.authenticate(withKey(key)))).toMatchObject({ code: 'UNAUTHORIZED' })
  })

  test('a revoked key stops within 5 s on a server that has it in memory', async () => {
    const plane = await controlPlane()
    const { accountId, workspaceId } = await plane.account()
    const { id, key } = await plane.key({ accountId, workspaceId })
    const clock = { now: Date.now() }
    const { authenticator } = plane.server({ now: () => clock.now })
    await authenticator.authenticate(withKey(key))
    await plane.storage.database.system(tx => revokeKey(tx, id))
    await authenticator.authenticate(withKey(key))
    clock.now += 5000
    expect(await failure(authenticator.authenticate(withKey(key)))).toMatchObject({ code: 'UNAUTHORIZED' })
  })

  test('a revoked key stops at once on the server that is told', async () => {
    const plane = await controlPlane()
    const { accountId, workspaceId } = await plane.account()
    const { id, key } = await plane.key({ accountId, workspaceId })
    const { authenticator } = plane.server()
    await authenticator.authenticate(withKey(key))
    await plane.storage.database.system(tx => revokeKey(tx, id))
    authenticator.forgetKey(id)
    expect(await failure(authenticator.authenticate(withKey(key)))).toMatchObject({ code: 'UNAUTHORIZED' })
  })

  test('a flood of made-up keys does not push good ones out of memory', async () => {
    const plane = await controlPlane()
    const { accountId, workspaceId } = await plane.account()
    const { id, key } = await plane.key({ accountId, workspaceId })
    let queries = 0
    const counting: Database = {
      ...plane.storage.database,
      system(work) {
        queries++
        return plane.storage.database.system(work)
      },
    }
    const now = Date.now()
    const { authenticate } = createAuthenticator({
      database: counting,
      sessions: plane.sessions,
      now: () => now,
    })
    const madeUp = Array.from({ length: 1010 }, () => generateKey('live'))
    await Promise.all(madeUp.slice(0, 1000).map(other => failure(authenticate(withKey(other)))))
    await authenticate(withKey(key))
    await Promise.all(madeUp.slice(1000).map(other => failure(authenticate(withKey(other)))))
    const before = queries
    expect(await authenticate(withKey(key))).toMatchObject({ id })
    expect(queries).toBe(before)
  })

  test('requests that come together with one key share one query', async () => {
    const plane = await controlPlane()
    const { accountId, workspaceId } = await plane.account()
    const { key } = await plane.key({ accountId, workspaceId })
    let queries = 0
    const counting: Database = {
      ...plane.storage.database,
      system(work) {
        queries++
        return plane.storage.database.system(work)
      },
    }
    const { authenticate } = createAuthenticator({ database: counting, sessions: plane.sessions })
    await Promise.all(Array.from({ length: 20 }, () => authenticate(withKey(key))))
    expect(queries).toBe(1)
  })

  test('a rotated key is replaced by the new one and cannot come back', async () => {
    const plane = await controlPlane()
    const { database } = plane.storage
    const { accountId, workspaceId } = await plane.account()
    const { id, key } = await plane.key({ accountId, workspaceId, mode: 'test' })
    const rotated = await database.system(async tx => {
      const current = await getKey(tx, accountId, id)
      if (!current) throw new Error('the key is not there')
      return rotateKey(tx, current)
    })
    const { authenticator } = plane.server()
    expect(await authenticator.authenticate(withKey(rotated))).toMatchObject({ id, mode: 'test' })
    expect(await failure(authenticator.authenticate(withKey(key)))).toMatchObject({ code: 'UNAUTHORIZED' })
  })

  test('when a key was last used is written in batches', async () => {
    const plane = await controlPlane()
    const { database } = plane.storage
    const { accountId, workspaceId } = await plane.account()
    const { id, key } = await plane.key({ accountId, workspaceId })
    const { authenticator } = plane.server()
    const read = async () => (await database.system(tx => getKey(tx, accountId, id)))?.lastUsedAt ?? null
    await authenticator.authenticate(withKey(key))
    expect(await read()).toBeNull()
    await authenticator.flush()
    const lastUsedAt = await read()
    expect(Date.now() - Number(lastUsedAt)).toBeWithin(0, 10_000)
  })

  test('a database that is away is SERVICE_UNAVAILABLE, not UNAUTHORIZED', async () => {
    const database = openDatabase({ url: 'postgres://nobody@127.0.0.1:1/none', poolSize: 1 })
    const sessions = { accountOf: async () => undefined }
    const { authenticate } = createAuthenticator({ database, sessions })
    const error = await failure(authenticate(withKey(generateKey('live'))))
    expect(error).toMatchObject({ code: 'SERVICE_UNAVAILABLE', status: 503 })
    await database.close()
  })
})

describe('authentication with a session', () => {
  test('a session has every permission on the first workspace of its account', async () => {
    const plane = await controlPlane()
    const { accountId, workspaceId, email, password } = await plane.account()
    const { authenticator, sessions } = plane.server()
    const cookie = await cookieOf(sessions, email, password)
    const request = new Request('http://localhost/v1/memories', { headers: { cookie } })
    expect(await authenticator.authenticate(request)).toEqual({
      kind: 'session',
      roles: new Map(),
      id: `session:${accountId}`,
      accountId,
      mode: 'live',
      permissions: 'all',
      workspaceId,
    })
  })

  test('a change that another site makes a browser send is FORBIDDEN', async () => {
    const plane = await controlPlane()
    const { email, password } = await plane.account()
    const { authenticator, sessions } = plane.server()
    const cookie = await cookieOf(sessions, email, password)
    const request = new Request('http://localhost/v1/memories', {
      method: 'DELETE',
      headers: { cookie, 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' },
    })
    expect(await failure(authenticator.authenticate(request))).toMatchObject({ code: 'FORBIDDEN' })
  })

  test('a forged cookie is UNAUTHORIZED', async () => {
    const { authenticator } = (await controlPlane()).server()
    const cookie = `mneme.session_token=${randomUUID()}.${Buffer.from(randomUUID()).toString('base64')}`
    const request = new Request('http://localhost/v1/memories', { headers: { cookie } })
    expect(await failure(authenticator.authenticate(request))).toMatchObject({ code: 'UNAUTHORIZED' })
  })
})

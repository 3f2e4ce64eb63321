import { describe, expect, test } from 'bun:test'
import { randomUUID } from 'node:crypto'
import pg from 'pg'
import {
  askSessions,
  authRequest,
  controlPlane,
  cookieOf,
  cookiesIn,
  failure,
} from '../../test/support/control-plane.ts'
import { type Database, openDatabase } from '../db/database.ts'
import { createLog } from '../log.ts'
import { createClientAddress, setPeer } from './client-address.ts'
import { insertAccount } from './control/accounts.ts'
import { hashPassword } from './password.ts'
import { createPasswordGuard } from './password-guard.ts'
import { createSessions, type Sessions } from './sessions.ts'

const NOWHERE = 'postgres://nobody@127.0.0.1:1/none'

const partsFor = (pool: pg.Pool, database: Database) => ({
  pool,
  secret: 's'.repeat(40),
  log: createLog('silent'),
  database,
  guard: createPasswordGuard({ database }),
  clientAddress: createClientAddress([]),
})

const withCookie = (cookie: string) => new Request('http://localhost/v1/memories', { headers: { cookie } })

/** Each test signs in from an address of its own, as sign-ins are counted by address. */
function from(address: string, request: Request): Request {
  setPeer(request, address)
  return request
}

describe('signing in', () => {
  test('sets a cookie that scripts cannot read and other sites do not send, and that names the account', async () => {
    const plane = await controlPlane()
    const { accountId, email, password } = await plane.account()
    const response = await askSessions(plane.sessions, authRequest('/sign-in/email', { email, password }))
    const [cookie] = response.headers.getSetCookie()
    expect(cookie).toMatch(/^mneme\.session_token=.*HttpOnly.*SameSite=Strict/i)
    expect(cookie).not.toMatch(/Secure/)
    expect(await response.json()).toMatchObject({ user: { id: accountId, email } })
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(await plane.sessions.accountOf(withCookie(cookiesIn(response)))).toEqual({ accountId })
  })

  test('does not mind the case of the address, nor one without a top-level domain', async () => {
    const plane = await controlPlane()
    const email = `${randomUUID()}@localhost`
    const hash = await hashPassword('a password')
    const accountId = await plane.storage.database.system(tx => insertAccount(tx, email, hash))
    const cookie = await cookieOf(plane.sessions, email.toUpperCase(), 'a password')
    expect(await plane.sessions.accountOf(withCookie(cookie))).toEqual({ accountId })
  })

  test('over https the cookie is Secure', async () => {
    const plane = await controlPlane()
    const { email, password } = await plane.account()
    const { sessions } = plane.server({ publicUrl: 'https://memory.example' })
    const response = await askSessions(sessions, authRequest('/sign-in/email', { email, password }))
    expect(response.headers.getSetCookie()[0]).toMatch(/^__Secure-mneme\.session_token=.*; Secure/)
  })

  test('a wrong password and an unknown address get the same response', async () => {
    const plane = await controlPlane()
    const { email, password } = await plane.account()
    const wrong = await failure(
      askSessions(plane.sessions, authRequest('/sign-in/email', { email, password: `${password}!` })),
    )
    const unknown = await failure(
      askSessions(plane.sessions, authRequest('/sign-in/email', { email: `${randomUUID()}@example.com`, password })),
    )
    expect(wrong).toMatchObject({
      code: 'UNAUTHORIZED',
      status: 401,
      message: 'The e-mail address or the password is wrong.',
    })
    expect(unknown?.message).toBe(wrong?.message ?? '')
  })

  test('five wrong tries at an account lock it for their address on every server, known or not, and for no other', async () => {
    const plane = await controlPlane()
    const { email, password } = await plane.account()
    const servers = [plane.server(), plane.server()]
    const signIn = (address: string, given: { email: string; password: string }, server = 0) =>
      failure(
        askSessions(servers[server]?.sessions ?? plane.sessions, from(address, authRequest('/sign-in/email', given))),
      )
    for (const [address, tried] of [
      ['203.0.113.7', email],
      ['203.0.113.17', `${randomUUID()}@example.com`],
    ] as const) {
      const codes: unknown[] = []
      for (let n = 0; n < 6; n++) {
        codes.push(Reflect.get((await signIn(address, { email: tried, password: 'wrong one' }, n % 2)) ?? {}, 'code'))
      }
      expect(codes).toEqual([...Array(5).fill('UNAUTHORIZED'), 'RATE_LIMITED'])
    }
    const limited = await signIn('203.0.113.7', { email, password })
    expect(limited).toMatchObject({ code: 'RATE_LIMITED', status: 429 })
    expect(Reflect.get(limited ?? {}, 'retryAfterSeconds')).toBeWithin(600, 901)
    expect(await signIn('203.0.113.8', { email, password })).toBeUndefined()
    const other = await plane.account()
    expect(await signIn('203.0.113.7', { email: other.email, password: other.password })).toBeUndefined()
  })

  test('right passwords do not count, however many', async () => {
    const plane = await controlPlane()
    const { email, password } = await plane.account()
    const attempt = (given: string) =>
      askSessions(plane.sessions, from('203.0.113.10', authRequest('/sign-in/email', { email, password: given })))
    expect(await failure(attempt('wrong one'))).toMatchObject({ code: 'UNAUTHORIZED' })
    for (let n = 0; n < 11; n++) expect((await attempt(password)).status).toBe(200)
  })

  test('a client cannot escape the count by naming an address itself', async () => {
    const plane = await controlPlane()
    const address = '203.0.113.9'
    const { email } = await plane.account()
    let last: Error | undefined
    for (let n = 0; n < 6; n++) {
      const request = authRequest(
        '/sign-in/email',
        { email, password: 'wrong one' },
        {
          headers: { 'x-forwarded-for': `198.51.100.${n}`, 'x-mneme-client-address': `198.51.100.${n}` },
        },
      )
      last = await failure(askSessions(plane.sessions, from(address, request)))
    }
    expect(last).toMatchObject({ code: 'RATE_LIMITED' })
  })
})

describe('a session', () => {
  test('ends with its sign-out, at once here and within 5 s on other servers', async () => {
    const plane = await controlPlane()
    const { accountId, email, password } = await plane.account()
    const clock = { now: Date.now() }
    const [here, there] = [plane.server(), plane.server({ now: () => clock.now })]
    const cookie = await cookieOf(here.sessions, email, password)
    expect(await there.sessions.accountOf(withCookie(cookie))).toEqual({ accountId })
    await askSessions(here.sessions, authRequest('/sign-out', undefined, { headers: { cookie } }))
    expect(await here.sessions.accountOf(withCookie(cookie))).toBeUndefined()
    clock.now += 5000
    expect(await there.sessions.accountOf(withCookie(cookie))).toBeUndefined()
  })

  test('shows itself and the others of its account', async () => {
    const plane = await controlPlane()
    const { accountId, email, password } = await plane.account()
    const cookie = await cookieOf(plane.sessions, email, password)
    await cookieOf(plane.sessions, email, password)
    const get = (path: string) =>
      askSessions(plane.sessions, authRequest(path, undefined, { method: 'GET', headers: { cookie } })).then(r =>
        r.json(),
      )
    expect(await get('/get-session')).toMatchObject({ user: { id: accountId, email } })
    expect(await get('/list-sessions')).toHaveLength(2)
  })

  test('without a cookie there is none', async () => {
    const { sessions } = await controlPlane()
    const response = await askSessions(sessions, authRequest('/get-session', undefined, { method: 'GET' }))
    expect(await response.json()).toBeNull()
    expect(
      await failure(askSessions(sessions, authRequest('/list-sessions', undefined, { method: 'GET' }))),
    ).toMatchObject({
      code: 'UNAUTHORIZED',
    })
  })

  test('a new password replaces the old one and can end the other sessions', async () => {
    const plane = await controlPlane()
    const { accountId, email, password } = await plane.account()
    const other = await cookieOf(plane.sessions, email, password)
    const cookie = await cookieOf(plane.sessions, email, password)
    const change = (currentPassword: string) =>
      askSessions(
        plane.sessions,
        authRequest(
          '/change-password',
          { currentPassword, newPassword: 'a new password', revokeOtherSessions: true },
          { headers: { cookie } },
        ),
      )
    expect(await failure(change('not the password'))).toMatchObject({ code: 'VALIDATION_ERROR', status: 400 })
    const changed = await change(password)
    expect(await plane.sessions.accountOf(withCookie(other))).toBeUndefined()
    expect(await plane.sessions.accountOf(withCookie(cookiesIn(changed)))).toEqual({ accountId })
    expect(
      await failure(askSessions(plane.sessions, authRequest('/sign-in/email', { email, password }))),
    ).toMatchObject({
      code: 'UNAUTHORIZED',
    })
    expect(await cookieOf(plane.sessions, email, 'a new password')).toContain('session_token')
  })
})

describe('the account endpoints', () => {
  test.each([
    ['/sign-up/email', 'POST', 'NOT_FOUND'],
    ['/request-password-reset', 'POST', 'NOT_FOUND'],
    ['/sign-in/social', 'POST', 'NOT_FOUND'],
    ['/ok', 'GET', 'NOT_FOUND'],
    ['/__proto__', 'GET', 'NOT_FOUND'],
    ['/sign-in/email', 'GET', 'METHOD_NOT_ALLOWED'],
    ['/get-session', 'POST', 'METHOD_NOT_ALLOWED'],
  ])('%s %s is %s', async (path, method, code) => {
    const { sessions } = await controlPlane()
    expect(await failure(askSessions(sessions, authRequest(path, undefined, { method })))).toMatchObject({ code })
  })

  test.each([
    [{ email: 'a@example.com' }, ['password']],
    [{ email: 5, password: '' }, ['email', 'password']],
    [{ email: 'a@example.com', password: 'x', callbackURL: 'https://evil.example' }, ['callbackURL']],
    [[], ['body']],
  ])('sign-in with %j names every field at fault', async (body, paths) => {
    const { sessions } = await controlPlane()
    const error = await failure(askSessions(sessions, authRequest('/sign-in/email', body)))
    expect(error).toMatchObject({ code: 'VALIDATION_ERROR' })
    const details: { path: string }[] = Reflect.get(error ?? {}, 'details') ?? []
    expect(details.map(detail => detail.path).sort()).toEqual(paths.sort())
  })

  test('are found at a trailing slash', async () => {
    const { sessions } = await controlPlane()
    const request = authRequest('/get-session/', undefined, { method: 'GET' })
    expect((await askSessions(sessions, request)).status).toBe(200)
  })

  test('a wrong current password is named as the field at fault', async () => {
    const plane = await controlPlane()
    const { email, password } = await plane.account()
    const cookie = await cookieOf(plane.sessions, email, password)
    const body = { currentPassword: 'not this one', newPassword: 'a new password' }
    const change = authRequest('/change-password', body, { headers: { cookie } })
    expect(await failure(askSessions(plane.sessions, change))).toMatchObject({
      code: 'VALIDATION_ERROR',
      details: [{ path: 'currentPassword', message: 'is wrong' }],
    })
  })

  test('wrong current passwords count with wrong sign-ins', async () => {
    const plane = await controlPlane()
    const { email, password } = await plane.account()
    const cookie = await cookieOf(plane.sessions, email, password)
    const address = '203.0.113.21'
    const change = (currentPassword: string) => {
      const body = { currentPassword, newPassword: 'a new password' }
      return failure(
        askSessions(plane.sessions, from(address, authRequest('/change-password', body, { headers: { cookie } }))),
      )
    }
    const signIn = (given: string) =>
      failure(askSessions(plane.sessions, from(address, authRequest('/sign-in/email', { email, password: given }))))
    for (let n = 0; n < 3; n++) expect(await change('not this one')).toMatchObject({ code: 'VALIDATION_ERROR' })
    for (let n = 0; n < 2; n++) expect(await signIn('nor this')).toMatchObject({ code: 'UNAUTHORIZED' })
    expect(await change(password)).toMatchObject({ code: 'RATE_LIMITED' })
    expect(await signIn(password)).toMatchObject({ code: 'RATE_LIMITED' })
  })

  test('a form of another site cannot sign a browser in', async () => {
    const { sessions } = await controlPlane()
    const body = { email: 'a@example.com', password: 'x' }
    const headers = { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }
    expect(await failure(askSessions(sessions, authRequest('/sign-in/email', body, { headers })))).toMatchObject({
      code: 'FORBIDDEN',
    })
    const form = new Request('http://localhost/v1/auth/sign-in/email', {
      method: 'POST',
      body: new URLSearchParams(body),
    })
    expect(await failure(askSessions(sessions, form))).toMatchObject({ code: 'UNSUPPORTED_MEDIA_TYPE' })
  })

  test('without a database they are SERVICE_UNAVAILABLE', async () => {
    const pool = new pg.Pool({ connectionString: NOWHERE })
    const database = openDatabase({ url: NOWHERE, poolSize: 1 })
    const sessions = createSessions(partsFor(pool, database))
    const signIn = authRequest('/sign-in/email', { email: 'a@example.com', password: 'x' })
    expect(await failure(askSessions(sessions, signIn))).toMatchObject({ code: 'SERVICE_UNAVAILABLE', status: 503 })
    const cookie = await signedCookie()
    const get = authRequest('/get-session', undefined, { method: 'GET', headers: { cookie } })
    expect(await failure(askSessions(sessions, get))).toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
    expect(await failure(sessions.accountOf(withCookie(cookie)))).toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
    await Promise.all([pool.end(), database.close()])
  })

  /** The cookie has a good signature, made by a server that shares the dead one's secret. */
  async function signedCookie(): Promise<string> {
    const plane = await controlPlane()
    const { email, password } = await plane.account()
    const { pool, database } = plane.storage
    const alive: Sessions = createSessions(partsFor(pool, database))
    return cookieOf(alive, email, password)
  }
})

import { expect, test } from 'bun:test'
import { askSessions, authRequest, controlPlane, cookieOf } from '../../test/support/control-plane.ts'
import { Switchboard } from '../ports.ts'
import { authRoutes } from './auth-route.ts'
import { mountRoute } from './mount.ts'
import { compileValidator } from './validation.ts'

test('what the account endpoints take and answer is what the reference says', async () => {
  const plane = await controlPlane()
  const { sessions } = plane
  const routes = authRoutes(sessions)
  const { email, password } = await plane.account()

  async function check(path: string, body?: object, signedIn = true): Promise<unknown> {
    const route = routes.find(each => each.path === `/v1/auth${path}`)
    const schema = route?.responses[200]
    if (!route || !schema) throw new Error(`${path} is not documented`)
    const mounted = mountRoute(route, { id: 'core', enabled: true, scope: undefined }, new Switchboard())
    expect([path, body === undefined ? mounted.body : mounted.body?.faults(body)]).toEqual([path, body && []])
    const headers = signedIn ? { cookie: await cookieOf(sessions, email, password) } : {}
    const response = await askSessions(sessions, authRequest(path, body, { method: route.method, headers }))
    const received: unknown = await response.json()
    expect([path, compileValidator(schema).faults(received)]).toEqual([path, []])
    expect([path, response.headers.has('set-cookie') && !route.setsCookie]).toEqual([path, false])
    return received
  }

  await check('/sign-in/email', { email, password, rememberMe: false }, false)
  expect(await check('/get-session', undefined, false)).toBeNull()
  await check('/get-session')
  await check('/list-sessions')
  await check('/revoke-session', { token: 'names-nothing' })
  await check('/revoke-other-sessions')
  await check('/revoke-sessions')
  await check('/sign-out')
  await check('/change-password', { currentPassword: password, newPassword: password })
  await check('/change-password', { currentPassword: password, newPassword: password, revokeOtherSessions: true })
  expect(routes).toHaveLength(11)
})

test('reading a session that is more than a day old prolongs it, as the reference says', async () => {
  const { sessions, storage, account } = await controlPlane()
  const { accountId, email, password } = await account()
  const cookie = await cookieOf(sessions, email, password)
  await storage.database.system(
    tx => tx`
      update core.account_session set expires_at = now() + interval '5 days' where account_id = ${accountId}`,
  )
  const read = () =>
    askSessions(sessions, authRequest('/get-session', undefined, { method: 'GET', headers: { cookie } }))
  const [first, second] = [await read(), await read()]
  expect([first.headers.has('set-cookie'), second.headers.has('set-cookie')]).toEqual([true, false])
  const { session } = await first.json()
  expect(Date.parse(session.expiresAt)).toBeGreaterThan(Date.now() + 6 * 24 * 60 * 60 * 1000)
  expect(authRoutes(sessions).find(({ path }) => path.endsWith('/get-session'))?.setsCookie).toBe(true)
})

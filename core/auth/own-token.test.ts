import { expect, test } from 'bun:test'
import { askSessions, authRequest, controlPlane, cookieOf } from '../../test/support/control-plane.ts'

test('a session never shows its own token, which scripts cannot read from the cookie, and ends others by theirs', async () => {
  const plane = await controlPlane()
  const { email, password } = await plane.account()
  const [cookie, other] = [
    await cookieOf(plane.sessions, email, password),
    await cookieOf(plane.sessions, email, password),
  ]
  const token = (of: string) => decodeURIComponent(of.slice(of.indexOf('=') + 1)).split('.')[0] ?? ''
  const call = async (path: string, body?: object) => {
    const method = body ? 'POST' : 'GET'
    const response = await askSessions(plane.sessions, authRequest(path, body, { method, headers: { cookie } }))
    const text = await response.text()
    expect([path, text.includes(token(cookie))]).toEqual([path, false])
    return JSON.parse(text)
  }
  expect((await call('/get-session')).session).not.toHaveProperty('token')
  const listed: { token?: string }[] = await call('/list-sessions')
  expect(listed.map(session => session.token)).toEqual(expect.arrayContaining([undefined, token(other)]))
  expect(await call('/revoke-session', { token: token(other) })).toEqual({ status: true })
  expect(await call('/list-sessions')).toHaveLength(1)
  const body = { currentPassword: password, newPassword: password, revokeOtherSessions: true }
  expect(Object.keys(await call('/change-password', body))).toEqual(['user'])
})

import { expect, test } from 'bun:test'
import { askSessions, authRequest, controlPlane, cookieOf, failure } from '../../test/support/control-plane.ts'
import { setPeer } from './client-address.ts'

/** Signs an account in and tries its password from one address. */
async function signedIn(address: string) {
  const plane = await controlPlane()
  const { accountId, email, password } = await plane.account()
  const cookie = await cookieOf(plane.sessions, email, password)
  const change = (currentPassword: string, cookies: string) => {
    const body = { currentPassword, newPassword: 'a new password' }
    const request = authRequest('/change-password', body, { headers: { cookie: cookies } })
    setPeer(request, address)
    return failure(askSessions(plane.sessions, request))
  }
  const tries = () =>
    plane.storage.database.system(
      tx => tx<{ wrong: number; right_at: Date | null }[]>`
        select wrong, right_at from core.password_attempt
        where subject = ${accountId} and place = ${`address ${address}`}`,
    )
  return { plane, accountId, password, cookie, change, tries }
}

test('a cookie spelled so that only the session library would read it gives no uncounted tries', async () => {
  const { password, cookie, change } = await signedIn('203.0.113.31')
  for (const spelled of [cookie.replace('=', ' ='), `a; ${cookie.replace('=', '\t=')}`])
    for (const given of ['not this one', password])
      expect([spelled, await change(given, spelled)]).toMatchObject([spelled, { code: 'UNAUTHORIZED', status: 401 }])
  const codes: unknown[] = []
  for (let n = 0; n < 6; n++) {
    const both = `${cookie}; ${cookie.replace('=', ' =')}`
    codes.push(Reflect.get((await change('not this one', both)) ?? {}, 'code'))
  }
  expect(codes).toEqual([...Array(5).fill('VALIDATION_ERROR'), 'RATE_LIMITED'])
})

test('a change with a session that ended elsewhere counts neither as right nor as wrong', async () => {
  const { plane, accountId, cookie, change, tries } = await signedIn('203.0.113.32')
  const withCookie = new Request('http://localhost/v1/memories', { headers: { cookie } })
  expect(await plane.sessions.accountOf(withCookie)).toEqual({ accountId })
  await plane.storage.database.system(tx => tx`delete from core.account_session where account_id = ${accountId}`)
  expect(await change('not this one', cookie)).toMatchObject({ code: 'UNAUTHORIZED' })
  expect(await tries()).toMatchObject([{ wrong: 0, right_at: null }])
})

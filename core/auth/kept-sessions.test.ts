import { expect, test } from 'bun:test'
import { controlPlane, cookieOf } from '../../test/support/control-plane.ts'

test('signing in ends the oldest sessions of an account that has a hundred', async () => {
  const plane = await controlPlane()
  const [{ accountId, email, password }, other] = [await plane.account(), await plane.account()]
  const { database } = plane.storage
  for (const account of [accountId, other.accountId])
    await database.system(
      tx => tx`
        insert into core.account_session (account_id, token, expires_at, created_at)
        select ${account}, gen_random_uuid()::text, now() + interval '7 days', now() - n * interval '1 minute'
        from generate_series(1, 120) as n`,
    )
  const cookie = await cookieOf(plane.sessions, email, password)
  expect(await plane.sessions.accountOf(new Request('http://localhost/v1/memories', { headers: { cookie } }))).toEqual({
    accountId,
  })
  const left = await database.system(
    tx => tx<{ account_id: string; count: number; minutes: number }[]>`
      select account_id, count(*)::int as count, round(extract(epoch from now() - min(created_at)) / 60)::int as minutes
      from core.account_session
      where account_id = any(${`{${accountId},${other.accountId}}`}::uuid[])
      group by account_id`,
  )
  expect(left.find(row => row.account_id === accountId)).toMatchObject({ count: 100, minutes: 99 })
  expect(left.find(row => row.account_id === other.accountId)).toMatchObject({ count: 120 })
})

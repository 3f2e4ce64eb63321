import { describe, expect, test } from 'bun:test'
import { randomUUID } from 'node:crypto'
import { controlPlane, failure } from '../../test/support/control-plane.ts'
import { insertAccount } from './control/accounts.ts'
import { lockedPlaces } from './control/password-attempts.ts'
import { createPasswordGuard } from './password-guard.ts'
import { resetPassword } from './reset-password.ts'

async function scene() {
  const { storage } = await controlPlane()
  const waits: number[] = []
  const guard = createPasswordGuard({
    database: storage.database,
    wait: async seconds => void waits.push(seconds),
  })
  const subject: string = randomUUID()
  const attempt = (place: string, isRight: boolean, of = subject) =>
    guard.attempt({ subject: of, place }, async () => isRight)
  /** Makes fifty wrong tries, each from another place. */
  const attack = (of = subject) => Promise.all(Array.from({ length: 50 }, () => attempt(randomUUID(), false, of)))
  return { guard, attempt, attack, waits, subject, database: storage.database }
}

describe('wrong passwords', () => {
  test('of one place at many accounts lock the place, so that one password is not tried on all', async () => {
    const { attempt, database } = await scene()
    const place = randomUUID()
    for (let n = 0; n < 50; n++) expect(await attempt(place, false, randomUUID())).toBe(false)
    const unknown = randomUUID()
    expect(await failure(attempt(place, true, unknown))).toMatchObject({ code: 'RATE_LIMITED' })
    // Nothing is kept of accounts that a locked place makes up.
    const rows = await database.system(tx => tx`select from core.password_attempt where subject = ${unknown}`)
    expect(rows).toHaveLength(0)
  })

  test('of others at the same address, as of an office, do not lock out whoever signed in from there', async () => {
    const { attempt } = await scene()
    const office = randomUUID()
    expect(await attempt(office, true)).toBe(true)
    for (let n = 0; n < 50; n++) expect(await attempt(office, false, randomUUID())).toBe(false)
    expect(await failure(attempt(office, false, randomUUID()))).toMatchObject({ code: 'RATE_LIMITED' })
    expect(await attempt(office, true)).toBe(true)
    // Nor does a right password make room for further wrong ones.
    expect(await failure(attempt(office, false, randomUUID()))).toMatchObject({ code: 'RATE_LIMITED' })
    for (let n = 0; n < 5; n++) expect(await attempt(office, false)).toBe(false)
    expect(await failure(attempt(office, true))).toMatchObject({ code: 'RATE_LIMITED' })
  })

  test('of many places at one account make its tries wait for one another, two seconds apart', async () => {
    const { attempt, attack, waits } = await scene()
    await attack()
    expect(waits).toEqual([])
    expect(await attempt(randomUUID(), false)).toBe(false)
    expect(await attempt(randomUUID(), false)).toBe(false)
    expect(await attempt(randomUUID(), true)).toBe(true)
    expect(waits).toHaveLength(3)
    for (const [n, wait] of waits.entries()) expect(wait).toBeWithin(2 * n, 2 * (n + 1) + 0.1)
  })

  test('never let more wait than can be served soon', async () => {
    const { attempt, attack } = await scene()
    await attack()
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => failure(attempt(randomUUID(), false))))
    const refused = outcomes.filter(error => error !== undefined)
    expect(refused.length).toBeWithin(7, 12)
    for (const error of refused) expect(error).toMatchObject({ code: 'RATE_LIMITED', retryAfterSeconds: 20 })
  })

  test('of strangers do not hold up a place from which the right one came', async () => {
    const { attempt, attack, waits } = await scene()
    const home = randomUUID()
    expect(await attempt(home, true)).toBe(true)
    await attack()
    for (let n = 0; n < 15; n++) await failure(attempt(randomUUID(), false))
    waits.length = 0
    expect(await attempt(home, true)).toBe(true)
    expect(waits).toEqual([])
  })

  test('are not counted where the check itself fails, which says nothing of the password', async () => {
    const { guard, subject, database } = await scene()
    const given = { subject, place: randomUUID() }
    for (let n = 0; n < 8; n++) {
      const attempt = guard.attempt(given, () => Promise.reject(new Error('the database is away')))
      expect((await failure(attempt))?.message).toBe('the database is away')
    }
    expect(await guard.attempt(given, async () => true)).toBe(true)
    expect(await failure(guard.attempt(given, () => Promise.reject(new Error('away'))))).toBeInstanceOf(Error)
    const known = await database.system(
      tx =>
        tx`select from core.password_attempt where place = ${given.place} and subject = ${subject} and right_at is not null`,
    )
    expect(known).toHaveLength(1)
  })

  test('are forgotten with the password that an operator replaces, and those of other accounts are not', async () => {
    const { attempt, attack, waits, database } = await scene()
    const email = `${randomUUID()}@example.com`
    const account = await database.system(tx => insertAccount(tx, email, 'a hash'))
    const [office, other] = [randomUUID(), randomUUID()]
    for (let n = 0; n < 5; n++) await attempt(office, false, account)
    for (let n = 0; n < 46; n++) await attempt(office, false, randomUUID()).catch(() => undefined)
    for (let n = 0; n < 5; n++) await attempt(other, false)
    await attack(account)
    expect(await failure(attempt(office, true, account))).toMatchObject({ code: 'RATE_LIMITED' })
    expect(await database.system(lockedPlaces)).toContainEqual({ place: office, seconds: expect.any(Number) })
    waits.length = 0

    const reset = await resetPassword(database, email)
    expect('locked' in reset && reset.locked.map(({ place }) => place)).not.toContain(office)
    expect(await attempt(office, true, account)).toBe(true)
    expect(waits).toEqual([])
    expect(await failure(attempt(other, true))).toMatchObject({ code: 'RATE_LIMITED' })
  })
})

import { describe, expect, test } from 'bun:test'
import { randomUUID } from 'node:crypto'
import { controlPlane, failure } from '../../test/support/control-plane.ts'
import type { Caller } from './caller.ts'
import { createClientAddress } from './client-address.ts'
import { createPasswordConfirmation } from './confirm-password.ts'
import { insertAccount } from './control/accounts.ts'
import { hashPassword } from './password.ts'
import { createPasswordGuard } from './password-guard.ts'

const MINUTES = 60_000

async function scene() {
  const plane = await controlPlane()
  const { database } = plane.storage
  const { accountId, workspaceId, password } = await plane.account()
  const caller: Caller = { kind: 'key', id: randomUUID(), accountId, mode: 'live', permissions: 'all', workspaceId }
  const guards = [createPasswordGuard({ database }), createPasswordGuard({ database })]
  const clientAddress = createClientAddress([])
  const servers = guards.map(guard => createPasswordConfirmation({ database, guard, clientAddress }))
  const attempt = (given: string | undefined, server = 0, by: Caller = caller) => {
    const headers: Record<string, string> = given === undefined ? {} : { 'x-confirm-password': given }
    const request = new Request('http://localhost/v1/memories', { method: 'DELETE', headers })
    return failure(servers[server]?.confirm(by, request) ?? Promise.reject(new Error('no such server')))
  }
  /** Moves the caller's first wrong try into the past by so much. */
  const age = (ms: number) =>
    database.system(
      tx => tx`
        update core.password_attempt
        set window_ends_at = password_attempt.window_ends_at - make_interval(secs => ${ms / 1000})
        where password_attempt.subject = ${accountId}`,
    )
  return { database, caller, password, attempt, age, guards }
}

const code = (error: Error | undefined): unknown => error && Reflect.get(error, 'code')

describe('confirming with the password', () => {
  test('the password of the account passes', async () => {
    const { attempt, password } = await scene()
    expect(await attempt(password)).toBeUndefined()
  })

  test('a missing, empty or wrong one is PASSWORD_CONFIRMATION_REQUIRED', async () => {
    const { attempt, password } = await scene()
    for (const given of [undefined, '', 'wrong', `${password} `.repeat(2), 'x'.repeat(5000)]) {
      expect(await attempt(given)).toMatchObject({ code: 'PASSWORD_CONFIRMATION_REQUIRED', status: 400 })
    }
  })

  test('the sixth try is RATE_LIMITED, right or wrong, on every server', async () => {
    const { attempt, password } = await scene()
    for (let n = 0; n < 5; n++) expect(code(await attempt('wrong', n % 2))).toBe('PASSWORD_CONFIRMATION_REQUIRED')
    for (const [given, server] of [
      [password, 0],
      ['wrong', 1],
      [password, 1],
    ] as const) {
      const error = await attempt(given, server)
      expect(error).toMatchObject({ code: 'RATE_LIMITED', status: 429 })
      expect(Reflect.get(error ?? {}, 'retryAfterSeconds')).toBeWithin(14 * 60, 15 * 60 + 1)
    }
  })

  test('a request without a password is no try', async () => {
    const { attempt, password } = await scene()
    for (let n = 0; n < 8; n++) await attempt(undefined)
    expect(await attempt(password)).toBeUndefined()
  })

  test('of many wrong tries at once exactly five are looked at', async () => {
    const { attempt } = await scene()
    const codes = (await Promise.all(Array.from({ length: 24 }, (_, n) => attempt('wrong', n % 2)))).map(code)
    expect(codes.filter(value => value === 'PASSWORD_CONFIRMATION_REQUIRED')).toHaveLength(5)
    expect(codes.filter(value => value === 'RATE_LIMITED')).toHaveLength(19)
  })

  test('right tries at once do not lock each other out, and wrong ones before them still count', async () => {
    const { attempt, password } = await scene()
    for (let n = 0; n < 4; n++) await attempt('wrong')
    const together = await Promise.all(Array.from({ length: 8 }, () => attempt(password)))
    expect(together).toEqual(Array(8).fill(undefined))
    expect(code(await attempt('wrong'))).toBe('PASSWORD_CONFIRMATION_REQUIRED')
    expect(code(await attempt(password))).toBe('RATE_LIMITED')
  })

  test('the lock ends 15 minutes after the first wrong try', async () => {
    const { attempt, password, age } = await scene()
    for (let n = 0; n < 5; n++) await attempt('wrong')
    await age(14 * MINUTES)
    const error = await attempt(password)
    expect(code(error)).toBe('RATE_LIMITED')
    expect(Reflect.get(error ?? {}, 'retryAfterSeconds')).toBeWithin(1, 61)
    await age(1 * MINUTES)
    expect(await attempt(password)).toBeUndefined()
    for (let n = 0; n < 5; n++) expect(code(await attempt('wrong'))).toBe('PASSWORD_CONFIRMATION_REQUIRED')
    expect(code(await attempt('wrong'))).toBe('RATE_LIMITED')
  })

  test('one key that is locked does not lock another', async () => {
    const { attempt, password, caller } = await scene()
    for (let n = 0; n < 5; n++) await attempt('wrong')
    expect(await attempt(password, 0, { ...caller, id: randomUUID() })).toBeUndefined()
  })

  test('a password with letters beyond ASCII passes as a client sends it', async () => {
    const { database, caller, attempt } = await scene()
    const password = 'Größe-über-alles'
    const hash = await hashPassword(password)
    const accountId = await database.system(tx => insertAccount(tx, `${randomUUID()}@example.com`, hash))
    const bytesAsLatin1 = Buffer.from(password, 'utf8').toString('latin1')
    expect(await attempt(bytesAsLatin1, 0, { ...caller, id: randomUUID(), accountId })).toBeUndefined()
    expect(await attempt(password, 0, { ...caller, id: randomUUID(), accountId })).toBeUndefined()
  })

  test('counters whose time is over are removed', async () => {
    const { database, caller, attempt, age, guards } = await scene()
    await attempt('wrong')
    await age(16 * MINUTES)
    await guards[0]?.sweep()
    const rows = await database.system(
      tx => tx`select from core.password_attempt where subject = ${caller.accountId} and place <> '*'`,
    )
    expect(rows).toHaveLength(0)
  })
})

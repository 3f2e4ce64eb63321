import { describe, expect, test } from 'bun:test'
import { oncePerRun } from '../../test/support/closing.ts'
import { type ControlPlane, cookieOf, failure, openControlPlane } from '../../test/support/control-plane.ts'
import { ownDatabaseUrl } from '../../test/support/database.ts'
import { createLog } from '../log.ts'
import { generateKey, hashKey } from './api-key.ts'
import { bootstrap } from './bootstrap.ts'
import { findKeys, getKey, revokeKey, rotateKey } from './control/keys.ts'
import { insertWorkspace } from './control/workspaces.ts'

const log = createLog('silent')
const withKey = (key: string) => new Request('http://localhost/v1/memories', { headers: { 'x-api-key': key } })

/** Only this file uses this database, and each test empties it. */
async function emptyPlane(): Promise<ControlPlane> {
  const plane = await oncePerRun('bootstrap-plane', async () => openControlPlane(await ownDatabaseUrl()))
  await plane.storage.database.system(tx => tx`truncate core.account cascade`)
  return plane
}

describe('the first start', () => {
  test('makes an account, a workspace with its twin and a key, and tells them once', async () => {
    const plane = await emptyPlane()
    const { database } = plane.storage
    const first = await bootstrap({ config: {}, database, log })
    expect(first?.password).toMatch(/^[0-9A-Za-z]{20}$/)
    const caller = await plane.server().authenticator.authenticate(withKey(first?.apiKey ?? ''))
    expect(caller).toMatchObject({ kind: 'key', mode: 'live', permissions: 'all' })
    expect(await cookieOf(plane.sessions, first?.email ?? '', first?.password ?? '')).toContain('session_token')
    const rows = await database.system(
      tx => tx<{ name: string; plan: string; mode: string }[]>`
        select workspace.name, workspace.plan, workspace.mode from core.workspace order by workspace.mode`,
    )
    expect([...rows]).toEqual([
      { name: 'Default', plan: 'unlimited', mode: 'live' },
      { name: 'Default', plan: 'unlimited', mode: 'test' },
    ])
    expect(await bootstrap({ config: {}, database, log })).toBeUndefined()
  })

  test('takes what the environment gives and does not repeat it', async () => {
    const plane = await emptyPlane()
    const { database } = plane.storage
    const BOOTSTRAP_API_KEY = `mn_live_${'k'.repeat(24)}`
    const config = { ADMIN_EMAIL: 'Owner@Example.com', ADMIN_PASSWORD: 'a given password', BOOTSTRAP_API_KEY }
    expect(await bootstrap({ config, database, log })).toEqual({ email: 'owner@example.com' })
    expect(await plane.server().authenticator.authenticate(withKey(BOOTSTRAP_API_KEY))).toMatchObject({ kind: 'key' })
    expect(await cookieOf(plane.sessions, 'owner@example.com', 'a given password')).toContain('session_token')
  })

  test('of servers that start together makes everything once', async () => {
    const plane = await emptyPlane()
    const { database } = plane.storage
    const results = await Promise.all(Array.from({ length: 4 }, () => bootstrap({ config: {}, database, log })))
    expect(results.filter(Boolean)).toHaveLength(1)
    const [count] = await database.system(
      tx => tx<{ accounts: number; workspaces: number; keys: number }[]>`
        select (select count(*)::int from core.account) as accounts,
          (select count(*)::int from core.workspace) as workspaces,
          (select count(*)::int from core.api_key) as keys`,
    )
    expect(count).toEqual({ accounts: 1, workspaces: 2, keys: 1 })
  })

  test('a later start adds a new key to the first workspace and changes no password', async () => {
    const plane = await emptyPlane()
    const { database } = plane.storage
    const first = await bootstrap({ config: {}, database, log })
    const { accountId, workspaceId } = await plane.server().authenticator.authenticate(withKey(first?.apiKey ?? ''))
    await database.system(tx => insertWorkspace(tx, { accountId, name: 'Second', plan: 'free' }))
    const key = generateKey('live')
    const config = { ADMIN_EMAIL: 'other@example.com', ADMIN_PASSWORD: 'another password', BOOTSTRAP_API_KEY: key }
    expect(await bootstrap({ config, database, log })).toBeUndefined()
    expect(await bootstrap({ config, database, log })).toBeUndefined()
    expect(await plane.server().authenticator.authenticate(withKey(key))).toMatchObject({ accountId, workspaceId })
    expect(await failure(cookieOf(plane.sessions, 'other@example.com', 'another password'))).toMatchObject({
      code: 'UNAUTHORIZED',
    })
    expect(await cookieOf(plane.sessions, first?.email ?? '', first?.password ?? '')).toContain('session_token')
  })

  test('a key that was revoked or rotated does not come back with the environment', async () => {
    const plane = await emptyPlane()
    const { database } = plane.storage
    const [revoked, rotated] = [generateKey('live'), generateKey('live')]
    await bootstrap({ config: { BOOTSTRAP_API_KEY: revoked }, database, log })
    await bootstrap({ config: { BOOTSTRAP_API_KEY: rotated }, database, log })
    await database.system(async tx => {
      const [one] = await findKeys(tx, [hashKey(revoked).toString('hex')])
      const [other] = await findKeys(tx, [hashKey(rotated).toString('hex')])
      if (!one || !other) throw new Error('the keys are not there')
      await revokeKey(tx, one.id)
      await rotateKey(tx, other)
      expect(await getKey(tx, other.accountId, other.id)).toMatchObject({ allPermissions: true })
    })
    for (const key of [revoked, rotated]) {
      await bootstrap({ config: { BOOTSTRAP_API_KEY: key }, database, log })
      expect(await failure(plane.server().authenticator.authenticate(withKey(key)))).toMatchObject({
        code: 'UNAUTHORIZED',
      })
    }
  })
})

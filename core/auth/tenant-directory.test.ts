import { describe, expect, test } from 'bun:test'
import { randomUUID } from 'node:crypto'
import { controlPlane, failure } from '../../test/support/control-plane.ts'
import type { Caller } from './caller.ts'
import { closeWorkspace, insertWorkspace, updateWorkspace } from './control/workspaces.ts'

/** Makes an account with two workspaces, and callers of every kind on the first. */
async function scene() {
  const plane = await controlPlane()
  const { accountId, workspaceId, twinId } = await plane.account()
  const second = await plane.storage.database.system(tx =>
    insertWorkspace(tx, { accountId, name: 'Second', plan: 'pro' }),
  )
  const stranger = await plane.account()
  const base = { accountId, permissions: 'all' as const }
  const key: Caller = { ...base, kind: 'key', id: randomUUID(), mode: 'live', workspaceId }
  const grantedWorkspaceIds = new Set([workspaceId, second.id])
  return {
    plane,
    accountId,
    directory: plane.server().directory,
    first: { id: workspaceId, twinId },
    second: { id: second.id, twinId: second.twinId ?? '' },
    stranger,
    session: { ...base, kind: 'session', id: `session:${accountId}`, mode: 'live', workspaceId } satisfies Caller,
    key: { ...key, grantedWorkspaceIds: new Set([workspaceId]) },
    granted: { ...key, grantedWorkspaceIds },
    testKey: { ...key, mode: 'test', workspaceId: twinId, grantedWorkspaceIds } satisfies Caller,
  }
}

describe('the workspace of a request', () => {
  test("is the caller's own unless another is named", async () => {
    const { directory, key, testKey, session, first } = await scene()
    expect((await directory.select(key)).workspaceId).toBe(first.id)
    expect((await directory.select(session)).workspaceId).toBe(first.id)
    expect((await directory.select(testKey)).workspaceId).toBe(first.twinId)
    expect((await directory.select(key, first.id)).workspaceId).toBe(first.id)
  })

  test('is one that the key was granted', async () => {
    const { directory, key, granted, second } = await scene()
    expect((await directory.select(granted, second.id)).workspaceId).toBe(second.id)
    expect(await failure(directory.select(key, second.id))).toMatchObject({ code: 'WORKSPACE_ACCESS_DENIED' })
  })

  test('is any of its account for a session, twins too', async () => {
    const { directory, session, second, stranger } = await scene()
    expect((await directory.select(session, second.id)).workspaceId).toBe(second.id)
    expect((await directory.select(session, second.twinId)).workspaceId).toBe(second.twinId)
    for (const id of [stranger.workspaceId, stranger.twinId]) {
      expect(await failure(directory.select(session, id))).toMatchObject({
        code: 'WORKSPACE_ACCESS_DENIED',
        status: 403,
      })
    }
  })

  test('is the twin where a test key names a live workspace, and never a live one', async () => {
    const { directory, testKey, first, second, stranger } = await scene()
    for (const { id, twinId } of [first, second]) {
      expect((await directory.select(testKey, id)).workspaceId).toBe(twinId)
      expect((await directory.select(testKey, twinId)).workspaceId).toBe(twinId)
    }
    expect(await failure(directory.select(testKey, stranger.workspaceId))).toMatchObject({
      code: 'WORKSPACE_ACCESS_DENIED',
    })
  })

  test('is never a twin for a live key', async () => {
    const { directory, granted, first, second } = await scene()
    for (const { twinId } of [first, second]) {
      expect(await failure(directory.select(granted, twinId))).toMatchObject({ code: 'WORKSPACE_ACCESS_DENIED' })
    }
  })

  test('that nobody has is WORKSPACE_NOT_FOUND, and so is a deleted one', async () => {
    const { plane, accountId, directory, session, granted, second } = await scene()
    expect(await failure(directory.select(session, randomUUID()))).toMatchObject({
      code: 'WORKSPACE_NOT_FOUND',
      status: 404,
    })
    await plane.storage.database.system(tx => closeWorkspace(tx, accountId, second.id))
    for (const caller of [session, granted]) {
      for (const id of [second.id, second.twinId]) {
        expect(await failure(directory.select(caller, id))).toMatchObject({ code: 'WORKSPACE_NOT_FOUND' })
      }
    }
    expect(await directory.find(second.id)).toBeUndefined()
    expect(await failure(directory.tenant(second.id))).toMatchObject({ code: 'WORKSPACE_NOT_FOUND' })
  })

  test('a tenant sees its own id inside its transactions', async () => {
    const { directory, key, first } = await scene()
    const tenant = await directory.select(key)
    const [row] = await tenant.transaction(
      tx => tx<{ id: string; role: string }[]>`select core.current_workspace() as id, current_user::text as role`,
    )
    expect(row).toEqual({ id: first.id, role: 'mneme_app' })
  })
})

describe('the directory', () => {
  test('gives a twin the plan of its live workspace', async () => {
    const { directory, second } = await scene()
    const twin = await directory.find(second.twinId)
    expect(twin).toMatchObject({ plan: 'pro', twinOf: second.id })
    expect(twin?.features.has('painting')).toBe(true)
    expect(twin?.features.has('glazing')).toBe(false)
  })

  test('tells the plan of the account, which its first workspace has, at once where that changes', async () => {
    const { plane, accountId, directory, first, second } = await scene()
    const plans = async () => {
      const found = await Promise.all([second.id, second.twinId, first.id].map(id => directory.find(id)))
      return found.map(workspace => workspace?.accountPlan)
    }
    const { system } = plane.storage.database
    const change = (plan: string) => system(tx => updateWorkspace(tx, first.id, { plan }))
    await change('free')
    expect(await plans()).toEqual(['free', 'free', 'free'])
    await change('scale')
    directory.forgetWorkspaces(accountId)
    expect(await plans()).toEqual(['scale', 'scale', 'scale'])
    await system(tx => closeWorkspace(tx, accountId, first.id))
    directory.forgetWorkspaces(accountId)
    expect(await plans()).toEqual(['pro', 'pro', undefined])
  })

  test('tells the new plan of the account also where the changed workspace was not looked up', async () => {
    const { plane, accountId, directory, first, second, stranger } = await scene()
    const plan = async () => (await directory.find(second.id))?.accountPlan
    const other = await directory.find(stranger.workspaceId)
    const before = await plan()
    await plane.storage.database.system(tx => updateWorkspace(tx, first.id, { plan: 'scale' }))
    expect(await plan()).toBe(before)
    directory.forgetWorkspaces(accountId)
    expect(await plan()).toBe('scale')
    expect(directory.known(stranger.workspaceId)).toBe(other)
  })

  test('answers who asks while a change makes it forget', async () => {
    const { accountId, directory, first } = await scene()
    for (let time = 0; time < 3; time++) {
      const asked = directory.find(first.id)
      directory.forgetWorkspaces(accountId)
      expect(await asked).toMatchObject({ id: first.id })
    }
  })

  test('shows a change at once where it was made and within 5 s elsewhere', async () => {
    const { plane, accountId, directory, first } = await scene()
    const clock = { now: 1000 }
    const elsewhere = plane.server({ now: () => clock.now }).directory
    await Promise.all([directory.find(first.id), elsewhere.find(first.id)])
    await plane.storage.database.system(tx =>
      updateWorkspace(tx, first.id, { plan: 'free', settings: stored => ({ ...stored, glossy: false }) }),
    )
    directory.forgetWorkspaces(accountId)
    expect(await directory.find(first.id)).toMatchObject({ plan: 'free', settings: { glossy: false } })
    clock.now += 5000
    expect(await elsewhere.find(first.id)).toMatchObject({ plan: 'free' })
  })
})

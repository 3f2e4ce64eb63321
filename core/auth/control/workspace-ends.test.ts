import { describe, expect, test } from 'bun:test'
import { randomUUID } from 'node:crypto'
import { controlPlane, failure } from '../../../test/support/control-plane.ts'
import type { Tx } from '../../db/database.ts'
import { grantWorkspace } from './keys.ts'
import { endedWorkspaceIds, pendingEnds, removeEnded, sweepKeys } from './workspace-ends.ts'
import { closeWorkspace, insertWorkspace } from './workspaces.ts'

async function scene() {
  const { storage, account, key } = await controlPlane()
  const { database } = storage
  const { accountId, workspaceId: kept } = await account()
  const doomed = await database.system(tx => insertWorkspace(tx, { accountId, name: 'Doomed', plan: 'unlimited' }))
  const ids = [doomed.twinId ?? '', doomed.id]
  const [own, granted] = [
    await key({ accountId, workspaceId: doomed.id }),
    await key({ accountId, workspaceId: kept, workspaceIds: [doomed.id] }),
  ]
  const keys = () =>
    database.system(
      tx => tx<{ id: string; home: string | null; isNamed: boolean; revoked: boolean; grants: number }[]>`
        select api_key.id, api_key.workspace_id as home, api_key.name || api_key.prefix <> '' as "isNamed", api_key.revoked_at is not null as revoked,
          (select count(*) from core.api_key_workspace where key_id = api_key.id)::int as grants
        from core.api_key
        where api_key.account_id = ${accountId}`,
    )
  const expected = [
    { id: own.id, home: null, isNamed: false, revoked: true, grants: 0 },
    { id: granted.id, home: kept, isNamed: true, revoked: false, grants: 0 },
  ].toSorted((a, b) => a.id.localeCompare(b.id))
  const sortedKeys = async () => [...(await keys())].toSorted((a, b) => a.id.localeCompare(b.id))
  return { database, accountId, kept, doomed: doomed.id, ids, own, granted, keys: sortedKeys, expected }
}

const remove = (tx: Tx, id: string) => removeEnded(tx, id, [])

describe('removing an ended workspace', () => {
  test('takes its row, its twin and every grant, and leaves its keys revoked and without names', async () => {
    const { database, accountId, doomed, ids, keys, expected } = await scene()
    await database.system(tx => closeWorkspace(tx, accountId, doomed))
    expect(await database.system(tx => endedWorkspaceIds(tx, doomed))).toEqual(ids)
    await database.system(tx => remove(tx, doomed))
    const left = await database.system(tx => tx`select from core.workspace where id in ${tx(ids)}`)
    expect(left).toHaveLength(0)
    expect(await keys()).toEqual(expected)
  })

  test('does nothing to one that is in use', async () => {
    const { database, doomed, keys } = await scene()
    const before = await keys()
    expect(await database.system(tx => endedWorkspaceIds(tx, doomed))).toEqual([])
    await database.system(tx => remove(tx, doomed))
    const left = await database.system(tx => tx`select from core.workspace where id = ${doomed}`)
    expect(left).toHaveLength(1)
    expect(await keys()).toEqual(before)
  })

  test('and a key or grant that came in between is swept away', async () => {
    const { database, accountId, doomed, own, granted, keys, expected } = await scene()
    await database.system(tx => closeWorkspace(tx, accountId, doomed))
    await database.system(tx => remove(tx, doomed))
    await database.system(async tx => {
      await tx`
        update core.api_key
        set workspace_id = ${doomed}, revoked_at = null, name = 'late', prefix = 'mn_live_late'
        where id = ${own.id}`
      await grantWorkspace(tx, granted.id, doomed)
      await sweepKeys(tx)
    })
    expect(await keys()).toEqual(expected)
  })
})

test('an account cannot be removed past its workspaces, whose rows would stay', async () => {
  const { database, accountId } = await scene()
  const error = await failure(database.system(tx => tx`delete from core.account where id = ${accountId}`))
  expect(error).toMatchObject({ constraint_name: 'workspace_account_fk' })
})

test('the id of a workspace that nobody knows is erased by itself', async () => {
  const { database } = await scene()
  const id = randomUUID()
  expect(await database.system(tx => endedWorkspaceIds(tx, id))).toEqual([id])
})

test('ends that nobody can answer do not keep the ones behind them from their turn', async () => {
  const { storage } = await controlPlane()
  const eraser = `eraser-${randomUUID()}`
  const ids = [randomUUID(), randomUUID(), randomUUID()]
  for (const [hours, id] of ids.entries()) {
    await storage.database.system(
      tx => tx`
        insert into core.workspace_end (ended_workspace, eraser, ended_at)
        values (${id}, ${eraser}, now() - make_interval(hours => ${hours}))`,
    )
  }
  const asked = new Set<string>()
  // None is ever answered. That one of three is drawn in none of 200 runs is as good as impossible.
  for (let runs = 0; runs < 200 && asked.size < ids.length; runs++) {
    const [end] = await storage.database.system(tx => pendingEnds(tx, [eraser], 1))
    if (end) asked.add(end.workspaceId)
  }
  expect(asked).toEqual(new Set(ids))
})

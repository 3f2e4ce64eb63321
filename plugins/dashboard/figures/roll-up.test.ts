import { expect, test } from 'bun:test'
import type { Tx } from 'mneme/plugin'
import { idleService } from '../../../test/support/service.ts'
import { dueWorkspaces } from '../queries/watched.ts'
import type { DashboardScope } from '../scope.ts'
import { daysAgo, world } from '../world.test-support.ts'
import { rollUp } from './roll-up.ts'

test('a young workspace that an update rolls up again takes no transactions for the time before it', async () => {
  const { event, get, database, workspaceId } = await world()
  const { kernel } = await idleService()
  for (const days of [0, 2]) await event('memory.created', daysAgo(days))
  await get('summary')
  await database.system(
    tx => tx`
      update dashboard.progress
      set kept_to = date_trunc('day', now(), 'UTC'), rolled_to = date_trunc('day', now() - interval '800 days', 'UTC')
      where workspace_id = ${workspaceId}`,
  )
  let transactions = 0
  const transaction = <T>(work: (tx: Tx) => Promise<T>) => {
    transactions++
    return database.workspace(workspaceId, work)
  }
  const scope = { wiring: kernel.wiring, activityKinds: [{ kind: 'memory.created' }] } as unknown as DashboardScope
  await rollUp(scope, { workspaceId, transaction } as Parameters<typeof rollUp>[1], new Date())
  expect(transactions).toBeLessThan(6)
  const { memories } = await get('summary')
  expect(memories.current).toBe(2)
})

test('a workspace that was checked before the clock was put back is due', async () => {
  const { get, database, workspaceId } = await world()
  await get('alerts')
  const isDue = async (checkedAt: Date) => {
    await database.system(
      tx => tx`update dashboard.progress set checked_at = ${checkedAt} where workspace_id = ${workspaceId}`,
    )
    const quarantine: Parameters<typeof dueWorkspaces>[1] = { admits: tx => tx`true` }
    const due = await database.system(tx => dueWorkspaces(tx, quarantine, 'dashboard:watch', daysAgo(0, 1), 10_000))
    return due.includes(workspaceId)
  }
  expect(await isDue(new Date())).toBe(false)
  expect(await isDue(daysAgo(0, 2))).toBe(true)
  expect(await isDue(daysAgo(-1))).toBe(true)
})

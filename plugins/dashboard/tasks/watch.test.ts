import { describe, expect, test } from 'bun:test'
import type { UsageLog, Wiring } from 'mneme/plugin'
import { quarantineOf } from '../../../test/support/quarantine.ts'
import { idleService } from '../../../test/support/service.ts'
import { dayOf, daysAgo } from '../world.test-support.ts'
import { dueWorkspaces } from './watch.ts'

/** A workspace that was last checked so many hours ago, where anybody looked at its dashboard. */
async function workspace({ checkedHoursAgo, isUsed }: { readonly checkedHoursAgo?: number; readonly isUsed: boolean }) {
  const { account: accountOf, database } = await idleService()
  const { workspaceId } = await accountOf()
  if (checkedHoursAgo !== undefined) {
    await database.system(
      tx => tx`
        insert into dashboard.progress (workspace_id, rolled_to, checked_at)
        values (${workspaceId}, ${daysAgo(1)}, ${daysAgo(0, checkedHoursAgo)})`,
    )
  }
  const workspaces: UsageLog['workspaces'] = async () => [{ workspaceId, isActive: isUsed }]
  const wiring = { use: () => ({ workspaces }) } as unknown as Wiring
  const scope = { database, quarantine: quarantineOf('dashboard', database), wiring }
  const isDue = async () => (await dueWorkspaces(scope, Date.now())).includes(workspaceId)
  return { database, workspaceId, isDue }
}

describe('a workspace that is in use', () => {
  test('is due where it is not rolled up yet', async () => {
    expect(await (await workspace({ isUsed: true })).isDue()).toBe(true)
  })

  test('is due where it was not checked just now, or before the clock was put back', async () => {
    const isDue = async (checkedHoursAgo: number) => (await workspace({ checkedHoursAgo, isUsed: true })).isDue()
    expect(await isDue(0)).toBe(false)
    expect(await isDue(1)).toBe(true)
    expect(await isDue(-24)).toBe(true)
  })
})

describe('a workspace that nobody has used for a day', () => {
  test('is not looked at', async () => {
    expect(await (await workspace({ isUsed: false })).isDue()).toBe(false)
    expect(await (await workspace({ checkedHoursAgo: 1000, isUsed: false })).isDue()).toBe(false)
  })

  test('is due where it has days to count again', async () => {
    const { database, workspaceId, isDue } = await workspace({ checkedHoursAgo: 0, isUsed: false })
    await database.system(
      tx => tx`insert into dashboard.past_day (workspace_id, day) values (${workspaceId}, ${dayOf(daysAgo(5))})`,
    )
    expect(await isDue()).toBe(true)
  })

  test('is due once a day while an alert lasts', async () => {
    const { database, workspaceId, isDue } = await workspace({ checkedHoursAgo: 25, isUsed: false })
    await database.system(
      tx => tx`
        insert into dashboard.alert (workspace_id, id, type, subject, severity, title, message)
        values (${workspaceId}, gen_random_uuid(), 'QUOTA_WARNING', 'requests', 'WARNING', 'nearly used', '')`,
    )
    expect(await isDue()).toBe(true)
    await database.system(
      tx => tx`
        update dashboard.progress set checked_at = ${daysAgo(0, 23)} where workspace_id = ${workspaceId}`,
    )
    expect(await isDue()).toBe(false)
    await database.system(async tx => {
      await tx`update dashboard.progress set checked_at = ${daysAgo(2)} where workspace_id = ${workspaceId}`
      await tx`update dashboard.alert set resolved_at = now() where workspace_id = ${workspaceId}`
    })
    expect(await isDue()).toBe(false)
  })
})

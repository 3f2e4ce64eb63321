import { expect, test } from 'bun:test'
import type { Tenant } from 'mneme/plugin'
import { idleService } from '../../../test/support/service.ts'
import { daysAgo } from '../world.test-support.ts'
import { recount } from './recount.ts'

test('a workspace without days to count again asks nothing of the logs', async () => {
  const { account: accountOf, database } = await idleService()
  const { workspaceId } = await accountOf()
  await database.system(
    tx => tx`insert into dashboard.progress (workspace_id, rolled_to) values (${workspaceId}, ${daysAgo(0)})`,
  )
  const ask = () => {
    throw new Error('the logs were asked')
  }
  const scope = { wiring: { find: ask, use: ask } }
  const transaction: Tenant['transaction'] = work => database.workspace(workspaceId, work)
  expect(await recount(scope, { workspaceId, transaction } as Tenant)).toBeUndefined()
})

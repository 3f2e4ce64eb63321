import { Type } from '@sinclair/typebox'
import { tasksOf } from 'mneme/plugin'
import { retentionDays } from '../contract.ts'
import { findOlderThan, findWorkspaces } from '../queries/expiry.ts'
import { removeMemories } from '../removal.ts'
import type { MemoriesScope } from '../scope.ts'

const task = tasksOf<MemoriesScope>()

const ROUND = 1000
const DAY_MS = 86_400_000

/** Deletes what a workspace's `retention_days` no longer wants: RAW memories that were not changed for that long. */
export const retainTask = task({
  name: 'memories:retain',
  payload: Type.Object({}),
  async run({ scope, signal }) {
    for (const workspaceId of await scope.database.system(findWorkspaces)) {
      if (signal.aborted) return
      const workspace = await scope.tenants.find(workspaceId)
      const days = workspace && retentionDays.of(workspace)
      if (days) await deleteOlder(scope, workspaceId, new Date(Date.now() - days * DAY_MS), signal)
    }
  },
})

async function deleteOlder(
  scope: MemoriesScope,
  workspaceId: string,
  before: Date,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const found = await scope.database.workspace(workspaceId, async tx => {
      const ids = await findOlderThan(tx, workspaceId, before, ROUND)
      if (ids.length > 0) await removeMemories(tx, scope, workspaceId, { ids })
      return ids.length
    })
    if (found < ROUND) return
  }
}

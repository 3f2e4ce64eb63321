import { Type } from '@sinclair/typebox'
import { type NewJob, tasksOf } from 'mneme/plugin'
import { workspaceErasers } from '../contract.ts'
import type { WorkspacesScope } from '../scope.ts'

const ERASE_TASK = 'workspaces:erase'

/** Other servers may know the workspace for up to 5 s, and requests under way may write a little longer. */
const LAST_WRITES_MS = 10_000

/** The job that removes a closed workspace. */
export function erasureOf(workspaceId: string): NewJob {
  return { task: ERASE_TASK, payload: { workspace_id: workspaceId, last: false }, key: `${ERASE_TASK}:${workspaceId}` }
}

/**
 * Removes what a closed workspace and its test twin hold, then comes again for what was written while other servers still
 * knew them, and removes the workspace itself.
 */
export const eraseTask = tasksOf<WorkspacesScope>()({
  name: ERASE_TASK,
  payload: Type.Object({ workspace_id: Type.String(), last: Type.Boolean() }),
  maxAttempts: 10,
  async run({ payload, scope, signal }) {
    const { workspace_id: workspaceId, last } = payload
    const { administration, database, jobs, log, wiring } = scope
    const ids = await database.system(tx => administration.workspaces.closedIds(tx, workspaceId))
    let removed = 0
    for (const id of ids) {
      for (const eraser of wiring.extensions(workspaceErasers)) await eraser.erase(id, signal)
      removed += await administration.workspaces.eraseRows(id, signal)
    }
    await database.system(async tx => {
      if (last) return administration.workspaces.removeClosed(tx, workspaceId)
      const again = { ...erasureOf(workspaceId), payload: { workspace_id: workspaceId, last: true } }
      await jobs.enqueue(tx, [{ ...again, runAt: new Date(Date.now() + LAST_WRITES_MS) }])
    })
    log.info({ workspace: workspaceId, rows: removed, last }, 'workspace erased')
  },
})

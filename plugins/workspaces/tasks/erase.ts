import { Type } from '@sinclair/typebox'
import { type NewJob, tasksOf } from 'mneme/plugin'
import { workspaceErasers } from '../contract.ts'
import type { WorkspacesScope } from '../scope.ts'

const ERASE_TASK = 'workspaces:erase'

/** Other servers may know the workspace for up to 5 s, and requests under way may write a little longer. */
const LAST_WRITES_MS = 10_000

/** The job that removes a closed workspace, or what is left of one that is gone. */
export function erasureOf(workspaceId: string): NewJob {
  return { task: ERASE_TASK, payload: { workspace_id: workspaceId, last: false }, key: `${ERASE_TASK}:${workspaceId}` }
}

/**
 * Removes what a closed workspace and its test twin hold, then comes again for what was written while other servers still
 * knew them, and removes the workspace itself. Every step can be repeated, so a process may die anywhere in between.
 */
export const eraseTask = tasksOf<WorkspacesScope>()({
  name: ERASE_TASK,
  payload: Type.Object({ workspace_id: Type.String(), last: Type.Boolean() }),
  maxAttempts: 10,
  async run({ payload, scope, signal }) {
    const { workspace_id: workspaceId, last } = payload
    const { database, jobs, log, wiring } = scope
    const { ends } = scope.administration
    const erasers = wiring.extensions(workspaceErasers)
    const ids = await database.system(tx => ends.ids(tx, workspaceId))
    let removed = 0
    for (const id of ids) {
      for (const eraser of erasers) await eraser.erase(id, signal)
      removed += await ends.eraseRows(id, signal)
    }
    await database.system(async tx => {
      const answered = erasers.map(({ id }) => id)
      if (last) return ends.remove(tx, workspaceId, answered)
      const again = { ...erasureOf(workspaceId), payload: { workspace_id: workspaceId, last: true } }
      await jobs.enqueue(tx, [{ ...again, inMs: LAST_WRITES_MS }])
    })
    log.info({ workspace: workspaceId, rows: removed, last }, 'workspace erased')
  },
})

import { snoozeFor, Type, tasksOf } from 'mneme/plugin'
import { REMOVE } from '../job.ts'
import { removePiecesOfGone } from '../queries/pieces.ts'
import type { ExportsScope } from '../scope.ts'

/** Removes the file of an export that is gone or has failed, in short transactions: it may have tens of thousands of pieces. */
export const removeTask = tasksOf<ExportsScope>()({
  name: REMOVE,
  payload: Type.Object({ workspace_id: Type.String(), export_id: Type.String() }),
  gated: false,
  async run({ payload: { workspace_id: workspaceId, export_id: id }, scope: { database } }) {
    const removed = await database.workspace(workspaceId, tx => removePiecesOfGone(tx, workspaceId, id))
    if (removed > 0) return snoozeFor(0, { progressed: true })
  },
})

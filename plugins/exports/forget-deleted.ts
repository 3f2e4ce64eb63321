import type { Subscription } from 'mneme/plugin'
import { writeJob } from './job.ts'
import { noteDeleted, restartTelling } from './queries/exports.ts'
import type { ExportsScope } from './scope.ts'

/** A deleted memory leaves the exports that tell of it: their files are removed and written anew from what is there now. */
export const forgetDeleted: Subscription<ExportsScope> = {
  event: 'memory.deleted',
  name: 'forget',
  // Deletion holds whatever the plan includes by now.
  gated: false,
  async handle({ workspaceId, data }, { database, jobs }) {
    const ids = Array.isArray(data.ids) ? data.ids.map(String) : []
    if (ids.length === 0) return
    await database.workspace(workspaceId, async tx => {
      await noteDeleted(tx, workspaceId, ids)
      const restarted = await restartTelling(tx, workspaceId, ids)
      await jobs.enqueue(
        tx,
        restarted.map(id => writeJob(workspaceId, id)),
      )
    })
  },
}

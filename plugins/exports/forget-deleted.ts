import { subscriptionsOf } from 'mneme/plugin'
import { memoryEvents } from '../memories/contract.ts'
import { writeJob } from './job.ts'
import { removeDeleted } from './queries/deletions.ts'
import type { ExportsScope } from './scope.ts'

/** A file that is written again reads back all of it; deletions of a few seconds share that. */
const TOGETHER_MS = 3000

/** A deleted memory leaves the exports that tell of it at once; what stood beside it is written again. */
export const forgetDeleted = subscriptionsOf<ExportsScope>()({
  event: memoryEvents.deleted,
  name: 'forget',
  erases: true,
  async handle({ workspaceId, userId, data: { ids } }, { database, jobs }) {
    if (ids.length === 0) return
    await database.workspace(workspaceId, async tx => {
      const outdated = await removeDeleted(tx, workspaceId, ids, userId)
      await jobs.enqueue(
        tx,
        outdated.map(id => writeJob(workspaceId, id, TOGETHER_MS)),
      )
    })
  },
})

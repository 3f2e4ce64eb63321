import type { JobQueue } from 'mneme/plugin'
import type { UserEraser } from '../memories/contract.ts'
import { writeJob } from './job.ts'
import { areImportsOver, noteCleared } from './queries/clear-imports.ts'
import { areSectionsMended, outdateSections } from './queries/deletions.ts'
import { forgetFileNames } from './queries/imports.ts'

/**
 * Files of all users that tell of somebody who is erased are written again without them; `forget-deleted.ts` does that for memories. Files
 * that are being imported hold the user's lines until they are done, and those that were may be named after the user.
 */
export function createUserEraser(jobs: JobQueue): UserEraser {
  return {
    id: 'exports',
    async begin(tx, workspaceId, userId) {
      await noteCleared(tx, workspaceId, { userId, agentId: undefined, sessionId: undefined })
      const outdated = await outdateSections(tx, workspaceId)
      await jobs.enqueue(
        tx,
        outdated.map(id => writeJob(workspaceId, id)),
      )
    },
    isDone: async (tx, workspaceId, _userId, removedAt) =>
      (await areSectionsMended(tx, workspaceId)) && (await areImportsOver(tx, workspaceId, removedAt)),
    end: forgetFileNames,
  }
}

import { Type } from '@sinclair/typebox'
import { tasksOf } from '../../../core/jobs/task.ts'
import { compileJob } from '../compilation/schedule.ts'
import { findForgotten, markImprovable } from '../queries/changes.ts'
import type { KnowledgeScope } from '../scope.ts'
import { WAITS_MAX } from '../settings.ts'

/** Longer than any pause between two attempts of a job, so that one that is being tried again is left alone. */
const QUIET_MS = 300_000
const USERS_MAX = 500

/**
 * A safety net below the jobs: changes that wait although nothing compiles them are queued again, and entries that a model was
 * not there for are queued once it may be.
 */
export const resumeTask = tasksOf<KnowledgeScope>()({
  name: 'knowledge:resume',
  payload: Type.Object({}),
  async run({ scope }) {
    const now = new Date()
    const before = new Date(now.getTime() - QUIET_MS - WAITS_MAX * scope.debounceMs)
    await scope.database.system(async tx => {
      const users = [...(await findForgotten(tx, before, USERS_MAX)), ...(await markImprovable(tx, now, USERS_MAX))]
      await scope.jobs.enqueue(
        tx,
        users.map(({ workspaceId, userId }) => compileJob(workspaceId, userId, now)),
      )
    })
  },
})

import { hasFeature, type NewJob, Type, tasksOf } from 'mneme/plugin'
import { importJob, writeJob } from '../job.ts'
import { findUnfinished, type Unfinished } from '../queries/unfinished.ts'
import { type ExportsScope, FEATURE } from '../scope.ts'

const NAME = 'exports:requeue'
/** Longer than an import runs. Of an export that is read back for longer, the second job waits for the first and finds it complete. */
const QUIET_MINUTES = 15
const LIMIT = 1000

/**
 * A safety net below the jobs, which are added with exports and imports: jobs that come while the workspace's plan lacks the feature are left
 * out, and nothing else would add them again.
 */
export const requeueTask = tasksOf<ExportsScope>()({
  name: NAME,
  payload: Type.Object({}),
  async run({ scope: { database, quarantine, tenants, jobs }, signal }) {
    await quarantine.sweep({
      name: NAME,
      items: await database.system(tx => findUnfinished(tx, quarantine, NAME, QUIET_MINUTES, LIMIT)),
      workspaceOf: ({ workspaceId }) => workspaceId,
      idOf: ({ id }) => id,
      signal,
      async work(workspaceId, own) {
        const workspace = await tenants.find(workspaceId)
        if (!workspace || !hasFeature(workspace, FEATURE)) return
        await database.workspace(workspaceId, tx => jobs.enqueue(tx, own.map(jobOf)))
      },
    })
  },
})

/** A job that still waits is replaced, and keeps about the place that it had in line. */
function jobOf({ kind, workspaceId, id, quietMs }: Unfinished): NewJob {
  return kind === 'export' ? writeJob(workspaceId, id, -quietMs) : importJob(workspaceId, id, -quietMs)
}

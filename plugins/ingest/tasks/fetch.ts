import { Type, tasksOf } from 'mneme/plugin'
import type { IngestScope } from '../scope.ts'
import { doSteps } from './do-steps.ts'
import { FETCH, fetchJobOf } from './jobs.ts'

/** Half of what the plugin's jobs may take of a process at its usual size: pages leave places to the readings of all workspaces. */
const PER_PROCESS_MAX = 6
/** Longer than a page may take with the wait for its turn, and the storing of it. */
const TIME_LIMIT_MS = 120_000

/**
 * Fetches one page, and calls for the next where one is due. So pages of a workspace are waited for side by side, and those of others have
 * their turn after each.
 */
export const fetchTask = tasksOf<IngestScope>()({
  name: FETCH,
  payload: Type.Object({ workspace_id: Type.String({ minLength: 36, maxLength: 36 }) }),
  timeLimitMs: TIME_LIMIT_MS,
  perProcessMax: PER_PROCESS_MAX,
  async run({ payload: { workspace_id: workspaceId }, scope, signal }) {
    if (!(await scope.tenants.find(workspaceId))) return
    const tenant = await scope.tenants.tenant(workspaceId)
    const claims = await tenant.transaction(async tx => {
      const claimed = await scope.fetches.claimIn(tx, workspaceId, 1)
      const isMoreDue = (await scope.fetches.nextDueInMs(tx, workspaceId)) === 0
      if (isMoreDue) await scope.jobs.enqueue(tx, [fetchJobOf(workspaceId)])
      return claimed
    })
    await doSteps(scope, tenant, scope.fetches, claims, signal)
  },
})

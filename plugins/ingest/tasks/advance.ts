import { setTimeout as sleep } from 'node:timers/promises'
import { snoozeFor, type Tenant, Type, tasksOf } from 'mneme/plugin'
import type { IngestScope } from '../scope.ts'
import { doSteps } from './do-steps.ts'
import { ADVANCE } from './jobs.ts'

const task = tasksOf<IngestScope>()

/**
 * One run goes on for so long, and waits so long between two steps at the most: it holds a place that others may need.
 */
const RUN_MS = 2_000
const PAUSE_MS_MAX = 200
/** Longer than a reading may take that was handed its last chunks just before it would have given way. */
const TIME_LIMIT_MS = 600_000

export const advanceTask = task({
  name: ADVANCE,
  payload: Type.Object({ workspace_id: Type.String({ minLength: 36, maxLength: 36 }) }),
  timeLimitMs: TIME_LIMIT_MS,
  async run({ payload: { workspace_id: workspaceId }, scope, signal }) {
    if (!(await scope.tenants.find(workspaceId))) return
    const tenant = await scope.tenants.tenant(workspaceId)
    const begunAt = performance.now()
    for (;;) {
      const inMs = await advance(scope, tenant, signal)
      if (inMs === undefined) return
      // A small file is through in a few steps, which need not wait for the queue each time.
      const isLate = performance.now() - begunAt > RUN_MS
      if (signal.aborted || isLate || inMs > PAUSE_MS_MAX) return snoozeFor(inMs, { progressed: true })
      await sleep(inMs, undefined, { signal })
    }
  },
})

/** One step of the job whose turn it is. @returns in how many milliseconds the next one is due, if there is any */
async function advance(scope: IngestScope, tenant: Tenant, signal: AbortSignal): Promise<number | undefined> {
  const { workspaceId } = tenant
  const claims = await tenant.transaction(tx => scope.work.claimIn(tx, workspaceId, 1))
  await doSteps(scope, tenant, scope.work, claims, signal)
  return tenant.transaction(tx => scope.work.nextDueInMs(tx, workspaceId))
}

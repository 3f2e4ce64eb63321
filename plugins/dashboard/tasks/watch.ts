import { Type, tasksOf, usageLog } from 'mneme/plugin'
import { CHECK_EVERY_MS, lookForAlerts } from '../alerts/look.ts'
import { recount } from '../figures/recount.ts'
import { rollUp } from '../figures/roll-up.ts'
import { dueWorkspaces, unwatchedOf } from '../queries/watched.ts'
import type { DashboardScope } from '../scope.ts'

const NAME = 'dashboard:watch'
const LEAST = '00000000-0000-0000-0000-000000000000'
const DAY_MS = 86_400_000
/** Workspaces that one run checks; the next one takes those that are left, as they were checked longest ago. */
const CHECKED_MAX = 5000
/** Workspaces that one run begins to watch: a long log takes seconds. */
const BEGUN_MAX = 100
/** Workspaces that are looked through at once. */
const PAGE = 500

/** Rolls up and checks the workspaces that are in use, and goes on with those that were. */
export const watchTask = tasksOf<DashboardScope>()({
  name: NAME,
  payload: Type.Object({}),
  timeLimitMs: 9 * 60_000,
  async run({ scope, signal }) {
    const { database, quarantine, tenants } = scope
    const before = new Date(Date.now() - CHECK_EVERY_MS)
    const due = await database.system(tx => dueWorkspaces(tx, quarantine, NAME, before, CHECKED_MAX))
    const begun = await unwatched(scope)
    await quarantine.sweep({
      name: NAME,
      // Those that begin go first: there may be more due ones than one run gets through.
      items: [...begun, ...due],
      workspaceOf: workspaceId => workspaceId,
      signal,
      async work(workspaceId) {
        const tenant = await tenants.tenant(workspaceId)
        await rollUp(scope, tenant, new Date())
        await recount(scope, tenant)
        await lookForAlerts(scope, tenant, new Date(), CHECK_EVERY_MS)
      },
    })
  },
})

/** Finds workspaces that were used within a day and are not rolled up yet. */
async function unwatched({ database, quarantine, wiring }: DashboardScope): Promise<string[]> {
  const since = new Date(Date.now() - DAY_MS)
  const found: string[] = []
  for (let after = LEAST; found.length < BEGUN_MAX; ) {
    const page = await database.system(tx => wiring.use(usageLog).workspaces(tx, after, PAGE, since))
    const active = page.filter(({ isActive }) => isActive).map(({ workspaceId }) => workspaceId)
    if (active.length > 0) found.push(...(await database.system(tx => unwatchedOf(tx, quarantine, NAME, active))))
    const last = page.at(-1)
    if (!last || page.length < PAGE) break
    after = last.workspaceId
  }
  return found.slice(0, BEGUN_MAX)
}

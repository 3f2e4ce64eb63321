import { DAY_MS, Type, tasksOf, usageLog } from 'mneme/plugin'
import { CHECK_EVERY_MS, lookForAlerts } from '../alerts/look.ts'
import { recount } from '../figures/recount.ts'
import { rollUp } from '../figures/roll-up.ts'
import { type DueWorkspace, dueInUse, dueUnused } from '../queries/watched.ts'
import type { DashboardScope } from '../scope.ts'

const NAME = 'dashboard:watch'
const LEAST = '00000000-0000-0000-0000-000000000000'
/** Workspaces that one run checks; the next one takes those that are left, as they were checked longest ago. */
const CHECKED_MAX = 5000
/** Workspaces that one run begins to watch: a long log takes seconds. */
const BEGUN_MAX = 100
/** Workspaces that are looked through at once. */
const PAGE = 500

/** Rolls up and checks the workspaces that are in use; of others it looks after what changes by itself. */
export const watchTask = tasksOf<DashboardScope>()({
  name: NAME,
  payload: Type.Object({}),
  timeLimitMs: 9 * 60_000,
  async run({ scope, signal }) {
    await scope.quarantine.sweep({
      name: NAME,
      items: await dueWorkspaces(scope, Date.now()),
      workspaceOf: workspaceId => workspaceId,
      signal,
      async work(workspaceId) {
        const tenant = await scope.tenants.tenant(workspaceId)
        await rollUp(scope, tenant, new Date())
        await recount(scope, tenant)
        await lookForAlerts(scope, tenant, new Date(), CHECK_EVERY_MS)
      },
    })
  },
})

/** Those that begin come first, as there may be more due ones than one run gets through; then those that have waited longest. */
export async function dueWorkspaces(
  { database, quarantine, wiring }: Pick<DashboardScope, 'database' | 'quarantine' | 'wiring'>,
  now: number,
): Promise<string[]> {
  const [dayAgo, before] = [new Date(now - DAY_MS), new Date(now - CHECK_EVERY_MS)]
  const begun: DueWorkspace[] = []
  let due: readonly DueWorkspace[] = await database.system(tx => dueUnused(tx, quarantine, NAME, dayAgo, CHECKED_MAX))
  for (let after = LEAST; ; ) {
    const page = await database.system(tx => wiring.use(usageLog).workspaces(tx, after, PAGE, dayAgo))
    const used = page.filter(({ isActive }) => isActive).map(({ workspaceId }) => workspaceId)
    const found = used.length > 0 ? await database.system(tx => dueInUse(tx, quarantine, NAME, used, before)) : []
    begun.push(...found.filter(({ isRolledUp }) => !isRolledUp).slice(0, BEGUN_MAX - begun.length))
    due = longestWaiting([...due, ...found.filter(({ isRolledUp }) => isRolledUp)])
    const last = page.at(-1)
    if (!last || page.length < PAGE) break
    after = last.workspaceId
  }
  return [...new Set([...begun, ...due].map(({ workspaceId }) => workspaceId))]
}

function longestWaiting(due: readonly DueWorkspace[]): DueWorkspace[] {
  const at = ({ checkedAt }: DueWorkspace) => checkedAt?.getTime() ?? 0
  return due.toSorted((a, b) => at(a) - at(b)).slice(0, CHECKED_MAX)
}

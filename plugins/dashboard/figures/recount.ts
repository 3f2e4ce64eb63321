import type { Tenant } from 'mneme/plugin'
import type { MemoryWriteHook } from '../../memories/contract.ts'
import { replaceCategories } from '../queries/categories.ts'
import { askForRecount, findProgress, setRecountFrom } from '../queries/progress.ts'
import type { DashboardScope } from '../scope.ts'
import { dayOf, keptDay } from './period.ts'
import { categoriesOf } from './roll-up.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** The longest span that one transaction counts. */
const SPAN_DAYS = 31

/** Notes memories that keep a time of creation in the past, as imports do: their days were rolled up without them. */
export const pastMemories: MemoryWriteHook = {
  id: 'dashboard',
  async created(tx, memories) {
    const [first] = memories.map(({ createdAt }) => createdAt).toSorted((one, other) => one.getTime() - other.getTime())
    const [memory] = memories
    if (!first || !memory || first.getTime() > Date.now() - HOUR_MS) return
    await askForRecount(tx, memory.workspaceId, keptDay(first, new Date()))
  },
  async updated() {},
  async removed() {},
}

/** Counts the categories of days again that memories were added to later. What was deleted since still counts. */
export async function recount(scope: DashboardScope, tenant: Tenant): Promise<void> {
  const { workspaceId } = tenant
  for (let isDone = false; !isDone; ) {
    isDone = await tenant.transaction(async tx => {
      const progress = await findProgress(tx, workspaceId, 'held')
      if (!progress || progress.recountFrom === null) return true
      const first = new Date(progress.recountFrom)
      const end = new Date(Math.min(progress.rolledTo.getTime(), first.getTime() + SPAN_DAYS * DAY_MS))
      for (let day = first; day < end; day = new Date(day.getTime() + DAY_MS)) {
        const until = new Date(Math.min(end.getTime(), day.getTime() + DAY_MS))
        const counts = await categoriesOf(scope, tx, workspaceId, day, until)
        await replaceCategories(tx, workspaceId, dayOf(day), counts, 'raised')
      }
      const isLast = end >= progress.rolledTo
      await setRecountFrom(tx, workspaceId, isLast ? null : dayOf(end))
      return isLast
    })
  }
}

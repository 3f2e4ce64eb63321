import { DAY_MS, HOUR_MS, type Tenant } from 'mneme/plugin'
import type { MemoryWriteHook } from '../../memories/contract.ts'
import { replaceCategories } from '../queries/categories.ts'
import { notePastDays, takePastDays } from '../queries/past-days.ts'
import { findProgress } from '../queries/progress.ts'
import { DAYS_KEPT, dayOf } from './period.ts'
import { categoriesOf, type LogReaders, wholeLogs } from './roll-up.ts'

/** One transaction counts so many days. */
const DAYS_AT_ONCE = 31

/** Notes memories that keep a time of creation in the past, as imports do: their days were rolled up without them. */
export const pastMemories: MemoryWriteHook = {
  id: 'dashboard',
  async created(tx, memories) {
    const [memory] = memories
    const now = Date.now()
    const past = memories
      .map(({ createdAt }) => createdAt)
      .filter(at => at.getTime() <= now - HOUR_MS && at.getTime() > now - DAYS_KEPT * DAY_MS)
    if (memory && past.length > 0) await notePastDays(tx, memory.workspaceId, [...new Set(past.map(dayOf))])
  },
  async updated() {},
  async removed() {},
}

/** Counts the categories of those days again that memories were added to later. */
export async function recount(scope: LogReaders, tenant: Tenant): Promise<void> {
  const { workspaceId } = tenant
  for (let isDone = false; !isDone; ) {
    isDone = await tenant.transaction(async tx => {
      const progress = await findProgress(tx, workspaceId, 'held')
      if (!progress) return true
      const days = await takePastDays(tx, workspaceId, DAYS_AT_ONCE)
      if (days.length === 0) return true
      const modeOf = await wholeLogs(scope, tenant, tx)
      for (const day of days) {
        const first = new Date(day)
        const end = new Date(Math.min(progress.rolledTo.getTime(), first.getTime() + DAY_MS))
        // Later days are yet to be rolled up, with all that is in them then.
        if (end <= first) continue
        const counts = await categoriesOf(scope, tx, workspaceId, first, end)
        await replaceCategories(tx, workspaceId, day, counts, modeOf(first).categories)
      }
      return days.length < DAYS_AT_ONCE
    })
  }
}

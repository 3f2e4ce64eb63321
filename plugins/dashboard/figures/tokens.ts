import { type DayUsage, type Tenant, usageLog } from 'mneme/plugin'
import type { DashboardScope } from '../scope.ts'
import { daysOf, type Period } from './period.ts'

/** Counts the tokens that models read and wrote for a workspace, and its requests, by whole days (UTC). */
export function usageIn({ wiring }: DashboardScope, tenant: Tenant, period: Period): Promise<DayUsage[]> {
  const { from, to } = daysOf(period)
  return tenant.transaction(tx => wiring.use(usageLog).daily(tx, tenant.workspaceId, from, to))
}

export function sumOf(usage: readonly DayUsage[], metric: string): number {
  return usage.reduce((sum, row) => (row.metric === metric ? sum + row.input + row.output : sum), 0)
}

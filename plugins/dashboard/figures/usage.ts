import { type SpanUsage, type Tenant, usageLog } from 'mneme/plugin'
import type { DashboardScope } from '../scope.ts'
import type { Spans } from './period.ts'

/** Reads what a workspace used: `requests`, or the `tokens` that models read and wrote for it. */
export function usageIn(
  { wiring }: DashboardScope,
  tenant: Tenant,
  metric: 'requests' | 'tokens',
  { starts, end }: Spans,
): Promise<SpanUsage[]> {
  return tenant.transaction(tx => wiring.use(usageLog).spans(tx, tenant.workspaceId, [metric], starts, end))
}

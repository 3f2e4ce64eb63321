import type { QuotaDefinition } from 'mneme/plugin'
import { countLive } from './queries/quota.ts'

/** Live memories of a workspace, whoever stored them. */
export const memoryQuota: QuotaDefinition = {
  name: 'memories',
  description: 'Memories in all.',
  limits: { free: 10_000, pro: 250_000, scale: 5_000_000 },
  count: (tx, { workspaceId }) => countLive(tx, workspaceId),
}

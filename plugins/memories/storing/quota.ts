import type { QuotaDefinition } from 'mneme/plugin'
import { countMemories } from '../queries/memory-count.ts'

/** The quota counts the memories of a workspace, whichever route created them. Absorbed ones count: they stay readable. */
export const memoryQuota: QuotaDefinition = {
  name: 'memories',
  description: 'Memories of the workspace, with those that others absorbed.',
  limits: { free: 10_000, pro: 250_000, scale: 5_000_000 },
  count: (tx, { workspaceId }) => countMemories(tx, workspaceId),
}

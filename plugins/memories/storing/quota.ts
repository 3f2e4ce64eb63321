import type { QuotaDefinition } from 'mneme/plugin'
import { countLive } from '../queries/live-count.ts'

/** The quota counts the live memories of a workspace, whichever route created them. */
export const memoryQuota: QuotaDefinition = {
  name: 'memories',
  description: 'Live memories of the workspace.',
  limits: { free: 10_000, pro: 250_000, scale: 5_000_000 },
  count: (tx, { workspaceId }) => countLive(tx, workspaceId),
}

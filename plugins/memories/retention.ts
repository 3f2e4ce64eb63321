import type { Removal, Retention } from 'mneme/plugin'
import { retentionDays } from './contract/settings.ts'
import { EXPIRED_KEPT_DAYS } from './queries/read.ts'
import { removeMemories } from './removal.ts'
import type { MemoriesScope } from './scope.ts'

/** With history, index entries and kept answers, and told to whoever listens. */
const removal: Removal<MemoriesScope> = {
  key: 'id',
  async run({ tx, workspaceId, keys, scope }) {
    await removeMemories(tx, scope, workspaceId, { ids: keys })
  },
}

export const memoryRetention: readonly Retention<MemoriesScope>[] = [
  // What a workspace's `retention_days` no longer wants: RAW memories that were not changed for that long.
  {
    table: 'memories.memory',
    column: 'created_at',
    workspaceSetting: retentionDays,
    where: "item.live and item.layer = 'RAW' and item.updated_at < :before",
    removal,
  },
  // Expired ones answer that they are for some days more.
  {
    table: 'memories.memory',
    column: 'expires_at',
    keepMs: EXPIRED_KEPT_DAYS * 86_400_000,
    removal,
  },
]

import { DAY_MS, type Removal, type Retention } from 'mneme/plugin'
import { retentionDays } from '../contract/settings.ts'
import { EXPIRED_KEPT_DAYS } from '../queries/read.ts'
import type { MemoriesScope } from '../scope.ts'
import { removeMemories } from './remove.ts'

/** Deletion goes through the plugin, because it also removes index entries and stored responses and publishes events. */
const removal: Removal<MemoriesScope> = {
  key: 'id',
  async run({ tx, workspaceId, keys, scope }) {
    await removeMemories(tx, scope, workspaceId, keys)
  },
}

export const memoryRetention: readonly Retention<MemoriesScope>[] = [
  // `retention_days` of a workspace deletes RAW memories that were not changed for that many days.
  {
    table: 'memories.memory',
    column: 'created_at',
    workspaceSetting: retentionDays,
    where: "item.live and item.layer = 'RAW' and item.updated_at < :before",
    removal,
  },
  // Expired memories are kept for some days, because they answer 410 during that time.
  {
    table: 'memories.memory',
    column: 'expires_at',
    keepMs: EXPIRED_KEPT_DAYS * DAY_MS,
    removal,
  },
]

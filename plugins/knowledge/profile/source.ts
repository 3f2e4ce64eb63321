import { hasFeature } from 'mneme/plugin'
import type { MemoryProfile, ProfileSource } from '../../memories/contract.ts'
import { isBlank } from './portrait.ts'
import { findProfile } from './store.ts'
import { summaryOf } from './summary.ts'

/** Reads profiles as compilations left them. Null without the plan's feature, as every other knowledge. */
export function createProfileSource(feature: string): ProfileSource {
  return {
    async profile(tenant, userId): Promise<MemoryProfile | null> {
      const { workspaceId, workspace } = tenant
      if (!hasFeature(workspace, feature)) return null
      const stored = await tenant.transaction(tx => findProfile(tx, workspaceId, userId))
      if (!stored || isBlank(stored.portrait)) return null
      return {
        userId,
        workspaceId,
        summary: summaryOf(stored.portrait, userId),
        topics: stored.portrait.topics.map(({ name }) => name),
        entityCount: stored.entityCount,
        extractedAt: stored.extractedAt.toISOString(),
      }
    },
  }
}

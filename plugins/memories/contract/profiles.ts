import { definePort, type Tenant } from 'mneme/plugin'

/** The plugin that compiles knowledge provides user profiles; without one every profile is null. */
export interface ProfileSource {
  profile(tenant: Tenant, userId: string): Promise<MemoryProfile | null>
}
export interface MemoryProfile {
  userId: string
  workspaceId: string
  summary: string
  topics: string[]
  entityCount: number
  extractedAt: string
}
export const memoryProfiles = definePort<ProfileSource>('memories.profiles')

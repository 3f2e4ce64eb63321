import { definePort, type Tenant } from 'mneme/plugin'

/** The plugin that compiles knowledge provides user profiles; without one every profile is null. */
export interface ProfileSource {
  profile(tenant: Tenant, userId: string): Promise<MemoryProfile | null>
  /** In the shape that the workspace has set; undefined where it has none, or its plan has no profiles. */
  shaped?(tenant: Tenant, userId: string, signal: AbortSignal): Promise<ShapedProfile | undefined>
}
/** A profile by a schema, as the API gives it. */
export interface ShapedProfile {
  readonly profile: Readonly<Record<string, unknown>>
  /** By the path of a value, such as `home.city`, and `tools.0` in a list. */
  readonly sources: Readonly<Record<string, { readonly memory_id: string; readonly said_at: string }>>
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

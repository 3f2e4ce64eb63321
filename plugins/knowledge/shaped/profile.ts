import { type Embedder, hasFeature, type LanguageModel, type Tenant, type Wiring } from 'mneme/plugin'
import type { ProfileSource, ShapedProfile } from '../../memories/contract.ts'
import { findProfileSchema } from '../queries/profile-schema.ts'
import { fillByGraph } from './by-graph.ts'
import { fillByModel } from './by-model.ts'
import { type Filling, type KnownOfUser, readKnown } from './known.ts'
import { type Leaf, leavesOf } from './schema.ts'

interface Parts {
  readonly wiring: Pick<Wiring, 'use'>
  readonly language: LanguageModel
  readonly embedder: Pick<Embedder, 'embed'>
}

/** Profiles by the workspace's schema; none without the plan's feature. */
export function createShapedProfiles(feature: string, parts: Parts): Required<Pick<ProfileSource, 'shaped'>> {
  return {
    async shaped(tenant, userId, signal) {
      return hasFeature(tenant.workspace, feature) ? shapedProfile(parts, tenant, userId, signal) : undefined
    },
  }
}

/** Fills the workspace's schema with what is known of a user; undefined where the workspace has none. */
async function shapedProfile(
  parts: Parts,
  tenant: Tenant,
  userId: string,
  signal: AbortSignal,
): Promise<ShapedProfile | undefined> {
  const schema = await tenant.transaction(tx => findProfileSchema(tx, tenant.workspaceId))
  if (!schema) return undefined
  const leaves = leavesOf(schema)
  const known = await readKnown(tenant, parts.wiring, userId)
  return assembled(leaves, await fillings(parts, tenant.workspaceId, leaves, known, signal))
}

async function fillings(
  { language, embedder }: Parts,
  workspaceId: string,
  leaves: readonly Leaf[],
  known: KnownOfUser,
  signal: AbortSignal,
): Promise<readonly Filling[]> {
  const byModel =
    language.modelId === 'none' ? undefined : await fillByModel(language, workspaceId, leaves, known, signal)
  return byModel ?? fillByGraph(embedder, leaves, known, signal)
}

/** Every property is there, null where nothing is known; sources go by the path, with the place of an item of a list behind it. */
function assembled(leaves: readonly Leaf[], filled: readonly Filling[]): ShapedProfile {
  const profile: Record<string, unknown> = {}
  const sources: Record<string, { memory_id: string; said_at: string }> = {}
  for (const { path, isList } of leaves) {
    const key = path.join('.')
    const own = filled.filter(one => one.path.join('.') === key)
    put(profile, path, own.length === 0 ? null : isList ? own.map(({ value }) => value) : own[0]?.value)
    for (const [n, { memoryId, saidAt }] of own.entries())
      sources[isList ? `${key}.${n}` : key] = { memory_id: memoryId, said_at: saidAt.toISOString() }
  }
  return { profile, sources }
}

function put(target: Record<string, unknown>, [name = '', ...rest]: readonly string[], value: unknown): void {
  if (rest.length === 0) {
    target[name] = value
    return
  }
  const inner = target[name]
  const next = isRecord(inner) ? inner : {}
  target[name] = next
  put(next, rest, value)
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

import type { Tenant, Tx } from 'mneme/plugin'
import type { MemoryRecord } from '../contract.ts'
import { lockCurrent } from '../queries/processing.ts'
import type { MemoryServices } from '../scope.ts'
import { consolidation } from '../settings/workspace.ts'
import { announceConsolidated, announceUpdated } from '../storing/announce.ts'
import { prepareWrites } from '../storing/preparation.ts'
import { dependsOnDay } from './day-dependent.ts'
import { type Likeness, likenessOf } from './likeness.ts'
import { changedFields, livesAsLongAs, type Merge, mergeFields, type NearDuplicate, planMerges } from './merges.ts'
import { lockWithNearDuplicates, setInheritedFields, storeMerges } from './store.ts'

/** The locked state of memories that are about to be completed. */
export interface Completing {
  /** Ids of the memories that are unchanged since processing claimed them. */
  readonly current: ReadonlySet<string>
  /** The memories with their near-duplicates, all locked; empty where the workspace has consolidation switched off. */
  readonly nearDuplicates: readonly NearDuplicate[]
}

type Services = Pick<MemoryServices, 'wiring' | 'events' | 'jobs'>

/** A comparison needs this of a text. Near-duplicates have the same words, so one of them tells for all whether they name a day. */
export interface Analysis {
  readonly likeness: Likeness
  readonly dependsOnDay: boolean
}

/** Analyses memories by id, which takes too long for a transaction; those that are never merged are left out. */
export function analysesOf(memories: readonly MemoryRecord[]): ReadonlyMap<string, Analysis> {
  const analyses = new Map<string, Analysis>()
  for (const memory of memories) {
    const likeness = likenessOf(memory)
    if (likeness !== undefined) analyses.set(memory.id, { likeness, dependsOnDay: dependsOnDay(memory.text) })
  }
  return analyses
}

/** Locks memories that are about to be completed, together with their near-duplicates. */
export async function lockForCompletion(
  tx: Tx,
  { workspaceId, workspace }: Tenant,
  memories: readonly MemoryRecord[],
  analyses: ReadonlyMap<string, Analysis>,
): Promise<Completing> {
  const claimed = new Map(memories.map(memory => [memory.id, memory]))
  if (!consolidation.of(workspace) || analyses.size === 0) {
    const given = memories.map(({ id, revision }) => ({ memory_id: id, revision }))
    const locked = await lockCurrent(tx, workspaceId, given)
    const current = memories.filter(memory => {
      const now = locked.get(memory.id)
      return now && livesAsLongAs(now, memory)
    })
    return { current: new Set(current.map(({ id }) => id)), nearDuplicates: [] }
  }
  const namesDay = new Map([...analyses.values()].map(({ likeness, dependsOnDay }) => [likeness, dependsOnDay]))
  const rows = await lockWithNearDuplicates(tx, workspaceId, [...claimed.keys()], [...namesDay.keys()])
  const nearDuplicates: NearDuplicate[] = []
  const current = new Set<string>()
  for (const { record, keptApart, likeness: stored } of rows) {
    const processed = record.status === 'PROCESSING'
    if (processed && !isUnchanged(record, claimed.get(record.id))) continue
    if (processed) current.add(record.id)
    const likeness = processed ? analyses.get(record.id)?.likeness : stored
    if (!likeness) continue
    nearDuplicates.push({ record, likeness, dependsOnDay: namesDay.get(likeness) ?? false, keptApart, processed })
  }
  return { current, nearDuplicates }
}

/** A promotion changes how long a memory lives, and queues it again, without a new revision. */
function isUnchanged(now: MemoryRecord, claimed: MemoryRecord | undefined): boolean {
  return now.revision === claimed?.revision && livesAsLongAs(now, claimed)
}

/** The outcome of a merge: absorbed memories are complete, and survivors that gained something are queued again. */
export interface Consolidated {
  readonly absorbed: ReadonlySet<string>
  readonly queued: ReadonlySet<string>
}

/**
 * Merges near-duplicates into the oldest of them inside the transaction that completes them, so that search and other plugins drop the
 * absorbed memories at the same moment and one event reports the merge.
 */
export async function consolidate(
  tx: Tx,
  services: Services,
  tenant: Tenant,
  { nearDuplicates }: Completing,
): Promise<Consolidated> {
  const merges = planMerges(nearDuplicates)
  const queued = new Set<string>()
  if (merges.length === 0) return { absorbed: new Set(), queued }
  const now = new Date()
  await storeMerges(tx, tenant.workspaceId, merges, now)
  await announceConsolidated(tx, services, tenant.workspaceId, merges)
  for (const merge of merges) if (await passOnFields(tx, services, tenant, merge, now)) queued.add(merge.survivor.id)
  return { absorbed: new Set(merges.flatMap(({ absorbed }) => absorbed.map(({ id }) => id))), queued }
}

/** Copies categories and priority to the survivor. @returns whether it gained any, so that it is indexed and processed again */
async function passOnFields(
  tx: Tx,
  services: Services,
  tenant: Tenant,
  { survivor, absorbed }: Merge,
  now: Date,
): Promise<boolean> {
  const inherited = mergeFields(survivor, absorbed)
  if (changedFields(survivor, inherited).length === 0) return false
  const record = await setInheritedFields(tx, tenant.workspaceId, survivor.id, inherited, 'kept', now)
  // The analysis of the survivor's text was not kept; compared texts are short, so repeating it inside the transaction is cheap.
  await announceUpdated(tx, services, record, [], await prepareWrites(services, tenant, [record]))
  return true
}

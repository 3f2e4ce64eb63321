import type { Tenant, Tx } from 'mneme/plugin'
import { announceConsolidated, announceUpdated } from '../announce.ts'
import type { MemoryRecord } from '../contract.ts'
import { prepareWrites } from '../preparation.ts'
import { lockCurrent } from '../queries/processing.ts'
import type { MemoryServices } from '../scope.ts'
import { consolidation } from '../workspace-settings.ts'
import { type Likeness, likenessOf } from './likeness.ts'
import { type Alike, differingMarks, joinedMarks, type Merge, planMerges } from './merges.ts'
import { lockWithAlike, setMarks, storeMerges } from './store.ts'

/** What is known of memories that are about to be completed. */
export interface Completing {
  /** Those that are still as they were taken up. */
  readonly current: ReadonlySet<string>
  readonly likenesses: ReadonlyMap<string, Likeness>
  /** The memories and their near-duplicates, all of them locked; empty where a workspace does not want merges. */
  readonly alike: readonly Alike[]
}

type Services = Pick<MemoryServices, 'wiring' | 'events' | 'jobs'>

/** Locks memories that are about to be completed, together with those that say the same. */
export async function lockForCompletion(
  tx: Tx,
  { workspaceId, workspace }: Tenant,
  memories: readonly MemoryRecord[],
): Promise<Completing> {
  const likenesses = new Map<string, Likeness>()
  for (const memory of memories) {
    const likeness = likenessOf(memory)
    if (likeness !== undefined) likenesses.set(memory.id, likeness)
  }
  const revisions = new Map(memories.map(({ id, revision }) => [id, revision]))
  if (!consolidation.of(workspace) || likenesses.size === 0) {
    const given = [...revisions].map(([id, revision]) => ({ memory_id: id, revision }))
    return { current: await lockCurrent(tx, workspaceId, given), likenesses, alike: [] }
  }
  const rows = await lockWithAlike(tx, workspaceId, [...revisions.keys()], [...likenesses.values()])
  const alike: Alike[] = []
  const current = new Set<string>()
  for (const { record, keptApart, likeness: stored } of rows) {
    const processed = record.status === 'PROCESSING'
    if (processed && record.revision !== revisions.get(record.id)) continue
    if (processed) current.add(record.id)
    const likeness = processed ? likenesses.get(record.id) : stored
    if (likeness) alike.push({ record, likeness, keptApart, processed })
  }
  return { current, likenesses, alike }
}

/** What became of memories in a merge: the absorbed are done; survivors that gained something are processed once more. */
export interface Consolidated {
  readonly absorbed: ReadonlySet<string>
  readonly queued: ReadonlySet<string>
}

/**
 * Merges near-duplicates into the oldest of them, inside the transaction that completes them: search and every other plugin
 * lose the absorbed ones, and what is told about it is told once.
 */
export async function consolidate(
  tx: Tx,
  services: Services,
  tenant: Tenant,
  { alike }: Completing,
): Promise<Consolidated> {
  const merges = planMerges(alike)
  const queued = new Set<string>()
  if (merges.length === 0) return { absorbed: new Set(), queued }
  const now = new Date()
  await storeMerges(tx, tenant.workspaceId, merges, now)
  await announceConsolidated(tx, services, tenant.workspaceId, merges)
  for (const merge of merges) if (await passOnMarks(tx, services, tenant, merge, now)) queued.add(merge.survivor.id)
  return { absorbed: new Set(merges.flatMap(({ absorbed }) => absorbed.map(({ id }) => id))), queued }
}

/** @returns whether the survivor gained a category or a higher priority, and is indexed and processed anew */
async function passOnMarks(
  tx: Tx,
  services: Services,
  tenant: Tenant,
  { survivor, absorbed }: Merge,
  now: Date,
): Promise<boolean> {
  const marks = joinedMarks(survivor, absorbed)
  if (differingMarks(survivor, marks).length === 0) return false
  const record = await setMarks(tx, tenant.workspaceId, survivor.id, marks, 'kept', now)
  // Its text was read before, but nobody keeps that; texts that are compared are short.
  await announceUpdated(tx, services, record, [], await prepareWrites(services, tenant, [record]))
  return true
}

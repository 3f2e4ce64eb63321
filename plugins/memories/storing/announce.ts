import { forgetResponses, inParts, type NewEvent, type Tx } from 'mneme/plugin'
import { maskedKinds } from '../contract/secrets.ts'
import {
  type MemoryMerge,
  type MemoryRecord,
  type MemoryWriteHook,
  memoryWriteHooks,
  type PreparedWrites,
} from '../contract.ts'
import { processingJob, processingJobs } from '../processing/queueing.ts'
import type { MemoryServices } from '../scope.ts'
import { preparedFor } from './preparation.ts'

/**
 * These functions notify hooks, events and jobs of a write, inside its transaction. `announceCreated` issues all statements at once; if the
 * caller does not await its own insert first, they share one round trip.
 */

type Announcers = Pick<MemoryServices, 'wiring' | 'events' | 'jobs'>

export async function announceCreated(
  tx: Tx,
  { wiring, events, jobs }: Announcers,
  memories: readonly MemoryRecord[],
  writes: PreparedWrites,
  placeOffset = 0,
): Promise<void> {
  if (memories.length === 0) return
  await Promise.all([
    ...wiring.extensions(memoryWriteHooks).map(hook => hook.created(tx, memories, preparedFor(writes, hook.id))),
    events.publish(
      tx,
      memories.flatMap((memory): NewEvent[] => {
        const { id, workspaceId, userId, status, revision } = memory
        const data = { id, user_id: userId, status, revision }
        return [{ kind: 'memory.created', workspaceId, subjectId: id, userId, data }, ...maskedEvents(memory)]
      }),
    ),
    jobs.enqueue(tx, processingJobs(memories, placeOffset)),
  ])
}

/** @param changed names of the fields whose value changed; without any, no event is published */
export async function announceUpdated(
  tx: Tx,
  { wiring, events, jobs }: Announcers,
  memory: MemoryRecord,
  changed: readonly string[],
  writes: PreparedWrites,
): Promise<void> {
  const { id, workspaceId, userId, status, priority, revision } = memory
  const data = { id, user_id: userId, status, priority, revision, changed }
  const sameText = new Set(changed.includes('memory') ? [] : [id])
  await Promise.all([
    callInOrder(wiring, hook => hook.updated(tx, [memory], preparedFor(writes, hook.id), sameText)),
    changed.length > 0
      ? events.publish(tx, [
          { kind: 'memory.updated', workspaceId, subjectId: id, userId, data },
          ...(changed.includes('memory') || changed.includes('metadata') ? maskedEvents(memory) : []),
        ])
      : undefined,
    jobs.enqueue(tx, [processingJob(memory)]),
  ])
}

/** Reads from the masks what was masked: a text may have been masked long before it became this memory. */
function maskedEvents({ id, workspaceId, userId, revision, text, metadata, categories }: MemoryRecord): NewEvent[] {
  const kinds = maskedKinds([text, ...categories, ...(metadata ? [JSON.stringify(metadata)] : [])])
  const data = { id, user_id: userId, revision, kinds }
  return kinds.length > 0 ? [{ kind: 'memory.masked', workspaceId, subjectId: id, userId, data }] : []
}

/** Tells of memories whose session and metadata were set; no event is published. */
export async function announceAmended(
  tx: Tx,
  { wiring }: Pick<Announcers, 'wiring'>,
  memories: readonly MemoryRecord[],
): Promise<void> {
  if (memories.length > 0) await callInOrder(wiring, hook => hook.amended?.(tx, memories))
}

/** A memory that leaves lists and search; its row may remain. */
export interface RemovedMemory {
  readonly id: string
  readonly userId: string
}

/** One event carries at most this many ids, so a mass deletion publishes several. */
const IDS_PER_EVENT = 500
/** Hooks delete index rows by id; chunks keep the parameter of a statement below a few hundred kilobytes. */
const IDS_PER_HOOK = 5000

/** @param formerTexts reads in pieces what hooks hear of as erased; each of them has it read again */
export async function announceDeleted(
  tx: Tx,
  { wiring, events }: Announcers,
  workspaceId: string,
  memories: readonly RemovedMemory[],
  formerTexts?: () => AsyncIterable<readonly string[]>,
): Promise<void> {
  const ids = memories.map(memory => memory.id)
  const parts = inParts(ids, IDS_PER_HOOK)
  for (const part of parts) await forgetResponses(tx, workspaceId, part)
  await callInOrder(wiring, async hook => {
    if (hook.erased && formerTexts) for await (const texts of formerTexts()) await hook.erased(tx, workspaceId, texts)
    for (const part of parts) await hook.removed(tx, workspaceId, part, 'deleted')
  })
  await events.publish(
    tx,
    inParts(byUser(memories), IDS_PER_EVENT).map(part => deletedEvent(workspaceId, part)),
  )
}

export async function announceExpired(
  tx: Tx,
  { wiring, events }: Announcers,
  workspaceId: string,
  memories: readonly RemovedMemory[],
): Promise<void> {
  if (memories.length === 0) return
  const ids = memories.map(memory => memory.id)
  await Promise.all([
    callInOrder(wiring, hook => hook.removed(tx, workspaceId, ids, 'expired')),
    events.publish(
      tx,
      memories.map(({ id, userId }) => ({
        kind: 'memory.expired',
        workspaceId,
        subjectId: id,
        userId,
        data: { id, user_id: userId },
      })),
    ),
  ])
}

/** Removes absorbed memories from search and other plugins, and publishes one event per survivor. */
export async function announceConsolidated(
  tx: Tx,
  { wiring, events }: Pick<Announcers, 'wiring' | 'events'>,
  workspaceId: string,
  merges: readonly MemoryMerge[],
): Promise<void> {
  const ids = merges.flatMap(({ absorbed }) => absorbed.map(memory => memory.id))
  await Promise.all([
    callInOrder(wiring, hook => hook.removed(tx, workspaceId, ids, 'absorbed')),
    events.publish(
      tx,
      merges.map(({ survivor: { id, userId, revision }, absorbed }) => ({
        kind: 'memory.consolidated',
        workspaceId,
        subjectId: id,
        userId,
        data: { id, user_id: userId, revision, consolidated_ids: absorbed.map(memory => memory.id) },
      })),
    ),
  ])
  await callInOrder(wiring, hook => hook.absorbed?.(tx, workspaceId, merges))
}

/** Other plugins treat a restored memory as a new one. */
export async function announceRestored(
  tx: Tx,
  { wiring, events, jobs }: Announcers,
  memory: MemoryRecord,
  writes: PreparedWrites,
): Promise<void> {
  const { id, workspaceId, userId, revision } = memory
  const data = { id, user_id: userId, revision }
  await Promise.all([
    ...wiring.extensions(memoryWriteHooks).map(hook => hook.created(tx, [memory], preparedFor(writes, hook.id))),
    events.publish(tx, [{ kind: 'memory.restored', workspaceId, subjectId: id, userId, data }]),
    jobs.enqueue(tx, [processingJob(memory)]),
  ])
}

function deletedEvent(workspaceId: string, part: readonly RemovedMemory[]) {
  const [first] = part
  const userId = first && part.every(memory => memory.userId === first.userId) ? first.userId : null
  const id = part.length === 1 && first ? first.id : null
  const ids = part.map(memory => memory.id)
  return {
    kind: 'memory.deleted',
    workspaceId,
    subjectId: id,
    userId,
    data: { id, user_id: userId, ids, count: ids.length },
  }
}

/**
 * Calls hooks one after the other in the order of set-up. Hooks for changes and removals lock shared rows (a user's graph, documents), and
 * two transactions that took these locks in different orders would deadlock.
 */
async function callInOrder(
  wiring: Announcers['wiring'],
  call: (hook: MemoryWriteHook) => Promise<void> | undefined,
): Promise<void> {
  for (const hook of wiring.extensions(memoryWriteHooks)) await call(hook)
}

/** Groups memories by user, so that most events are about a single user. */
function byUser(memories: readonly RemovedMemory[]): RemovedMemory[] {
  return [...memories].sort((a, b) => (a.userId < b.userId ? -1 : a.userId > b.userId ? 1 : 0))
}

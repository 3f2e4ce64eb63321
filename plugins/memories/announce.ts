import { forgetAnswers, type NewJob, type Tx } from 'mneme/plugin'
import {
  type MemoryMerge,
  type MemoryRecord,
  type MemoryWriteHook,
  memoryWriteHooks,
  type PreparedWrites,
} from './contract.ts'
import { preparedFor } from './preparation.ts'
import { classOf } from './processing/priority.ts'
import type { MemoryServices } from './scope.ts'

/**
 * What a write has to tell others, inside its transaction: hooks, events, jobs. A creation issues all statements at once, so they
 * travel together with the write's own when the caller does not wait for those first.
 */

type Announcers = Pick<MemoryServices, 'wiring' | 'events' | 'jobs'>

export async function announceCreated(
  tx: Tx,
  { wiring, events, jobs }: Announcers,
  memories: readonly MemoryRecord[],
  writes: PreparedWrites,
): Promise<void> {
  if (memories.length === 0) return
  await Promise.all([
    ...wiring.extensions(memoryWriteHooks).map(hook => hook.created(tx, memories, preparedFor(writes, hook.id))),
    events.publish(
      tx,
      memories.map(({ id, workspaceId, userId, status, revision }) => ({
        kind: 'memory.created',
        workspaceId,
        subjectId: id,
        userId,
        data: { id, user_id: userId, status, revision },
      })),
    ),
    jobs.enqueue(
      tx,
      memories.map((memory, place) => processingJob(memory, place)),
    ),
  ])
}

/** @param changed the fields whose value is another now; without any there is nothing to tell receivers of events */
export async function announceUpdated(
  tx: Tx,
  { wiring, events, jobs }: Announcers,
  memory: MemoryRecord,
  changed: readonly string[],
  writes: PreparedWrites,
): Promise<void> {
  const { id, workspaceId, userId, status, priority, revision } = memory
  const data = { id, user_id: userId, status, priority, revision, changed }
  await Promise.all([
    inTurn(wiring, hook => hook.updated(tx, [memory], preparedFor(writes, hook.id))),
    changed.length > 0
      ? events.publish(tx, [{ kind: 'memory.updated', workspaceId, subjectId: id, userId, data }])
      : undefined,
    jobs.enqueue(tx, [processingJob(memory)]),
  ])
}

/** A memory that leaves lists and search; its row may stay. */
export interface RemovedMemory {
  readonly id: string
  readonly userId: string
}

/** Deletions of many at once are told in events of at most this many ids. */
const IDS_PER_EVENT = 500
/** Hooks delete index rows by id; chunks keep each statement's parameter to a few hundred kilobytes. */
const IDS_PER_HOOK = 5000

export async function announceDeleted(
  tx: Tx,
  { wiring, events }: Announcers,
  workspaceId: string,
  memories: readonly RemovedMemory[],
): Promise<void> {
  const ids = memories.map(memory => memory.id)
  const parts = chunks(ids, IDS_PER_HOOK)
  for (const part of parts) await forgetAnswers(tx, workspaceId, part)
  await inTurn(wiring, async hook => {
    for (const part of parts) await hook.removed(tx, workspaceId, part)
  })
  await events.publish(
    tx,
    chunks(byUser(memories), IDS_PER_EVENT).map(part => deletedEvent(workspaceId, part)),
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
    inTurn(wiring, hook => hook.removed(tx, workspaceId, ids)),
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

/** Near-duplicates that live on in others: they leave search and every other plugin, and each survivor names them. */
export async function announceConsolidated(
  tx: Tx,
  { wiring, events }: Pick<Announcers, 'wiring' | 'events'>,
  workspaceId: string,
  merges: readonly MemoryMerge[],
): Promise<void> {
  const ids = merges.flatMap(({ absorbed }) => absorbed.map(memory => memory.id))
  await Promise.all([
    inTurn(wiring, hook => hook.removed(tx, workspaceId, ids)),
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
  await Promise.all(wiring.extensions(memoryWriteHooks).map(hook => hook.absorbed?.(tx, workspaceId, merges)))
}

/** A memory that was absorbed and is back: for other plugins it is new again. */
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

/**
 * One waiting job a memory: adding another replaces it, and the newest revision is the one that counts.
 *
 * @param place the memory's place among those that are stored with it
 */
export function processingJob({ workspaceId, id, revision, text }: MemoryRecord, place = 0): NewJob {
  return {
    task: 'memories:process',
    key: `memories:process:${id}`,
    payload: { workspace_id: workspaceId, memory_id: id, revision, characters: text.length },
    priority: classOf(text, place),
  }
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
 * One hook after the other, in the order of set-up: hooks of changes and removals lock what others hold (a user's graph, documents),
 * and two transactions that took those locks in different orders would wait for each other.
 */
async function inTurn(
  wiring: Announcers['wiring'],
  call: (hook: MemoryWriteHook) => Promise<void> | undefined,
): Promise<void> {
  for (const hook of wiring.extensions(memoryWriteHooks)) await call(hook)
}

/** Keeps each user's memories together, so that most events are about one user. */
function byUser(memories: readonly RemovedMemory[]): RemovedMemory[] {
  return [...memories].sort((a, b) => (a.userId < b.userId ? -1 : a.userId > b.userId ? 1 : 0))
}

export function chunks<T>(items: readonly T[], size: number): T[][] {
  const parts: T[][] = []
  for (let start = 0; start < items.length; start += size) parts.push(items.slice(start, start + size))
  return parts
}

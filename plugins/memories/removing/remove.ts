import { inParts, type Tx } from 'mneme/plugin'
import type { ClearedScope } from '../contract/clearing.ts'
import { findLeftEvents, type LeftEvent } from '../queries/history.ts'
import { type DeletedMemory, deleteHistory, deleteMemories, lockInScope } from '../queries/remove.ts'
import type { MemoryServices } from '../scope.ts'
import { announceDeleted, type RemovedMemory } from '../storing/announce.ts'
import { hashOf } from '../storing/content-hash.ts'

type Services = Pick<MemoryServices, 'wiring' | 'events' | 'jobs'>

/**
 * Deletes memories permanently, with everything that contains their text: history, index entries, stored idempotent responses.
 * @returns the deleted memories, including those that deleted survivors had absorbed
 */
export async function removeMemories(
  tx: Tx,
  services: Services,
  workspaceId: string,
  ids: readonly string[],
): Promise<readonly RemovedMemory[]> {
  const removed = await deleteMemories(tx, workspaceId, ids)
  if (removed.length === 0) return removed
  const edited = removed.filter(({ hasFormerTexts }) => hasFormerTexts)
  await announceDeleted(tx, services, workspaceId, removed, () => formerTexts(tx, workspaceId, edited))
  for (const part of inParts(edited, PART)) {
    await deleteHistory(
      tx,
      workspaceId,
      part.map(({ id }) => id),
    )
  }
  return removed
}

/** Each statement and each list of ids is of so many memories, however many there are in all. */
const PART = 5_000

/** Deletes all memories of a scope as {@link removeMemories} does, in the caller's one transaction. */
export async function clearMemories(
  tx: Tx,
  services: Services,
  workspaceId: string,
  scope: ClearedScope,
  part = PART,
): Promise<void> {
  // All are locked before the first goes: with it goes what it absorbed, which need not be next in the order of locks.
  for await (const _ of parts(tx, workspaceId, scope, part));
  for await (const ids of parts(tx, workspaceId, scope, part)) await removeMemories(tx, services, workspaceId, ids)
}

async function* parts(tx: Tx, workspaceId: string, scope: ClearedScope, size: number): AsyncGenerator<string[]> {
  let after: string | undefined
  while (true) {
    const ids = await lockInScope(tx, workspaceId, scope, after, size)
    if (ids.length > 0) yield ids
    if (ids.length < size) return
    after = ids.at(-1)
  }
}

/** Reads the former texts of deleted memories, in pieces. */
async function* formerTexts(
  tx: Tx,
  workspaceId: string,
  memories: readonly DeletedMemory[],
): AsyncGenerator<readonly string[]> {
  for (const part of inParts(memories, PART)) {
    const indexedHashes = new Map(part.map(({ id, indexedHash }) => [id, indexedHash]))
    const ids = [...indexedHashes.keys()]
    let events = await findLeftEvents(tx, workspaceId, ids, undefined)
    while (events.length > 0) {
      const texts = new Set(events.flatMap(event => textsOf(event, indexedHashes.get(event.memory_id))))
      if (texts.size > 0) yield [...texts]
      events = await findLeftEvents(tx, workspaceId, ids, events.at(-1))
    }
  }
}

function textsOf({ old_content, new_content }: LeftEvent, indexedHash: string | null | undefined): string[] {
  return [old_content, new_content].flatMap(text => (text === null || hashOf(text) === indexedHash ? [] : [text]))
}

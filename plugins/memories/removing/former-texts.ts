import { inParts, type Tx } from 'mneme/plugin'
import { findLeftEvents, type LeftEvent } from '../queries/history.ts'
import type { DeletedMemory } from '../queries/remove.ts'
import { hashOf } from '../storing/content-hash.ts'

/** Each statement is about the histories of so many memories. */
const PART = 5_000

/** Reads the former texts of deleted memories, in pieces. */
export async function* formerTexts(
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

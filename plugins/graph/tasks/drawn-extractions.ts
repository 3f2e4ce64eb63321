import { BoundedCache } from 'mneme/plugin'
import type { MemoryRecord } from '../../memories/contract.ts'
import type { Extraction } from '../contract.ts'

const MAX = 1_000
const MAX_BYTES = 16 * 1024 * 1024
/** Longer than a workspace waits for its turn at the database; what was deleted meanwhile is not kept for longer. */
const KEPT_MS = 10 * 60_000

type Key = Pick<MemoryRecord, 'id' | 'revision' | 'workspaceId'>

/** Extractions that a model was paid for and that are not written yet, so that a busy database costs no second call. */
export class DrawnExtractions {
  readonly #kept = new BoundedCache<Extraction>({
    name: 'graph.drawn_extractions',
    max: MAX,
    maxBytes: MAX_BYTES,
    bytesOf: extraction => 2 * JSON.stringify(extraction).length,
    ttlMs: KEPT_MS,
  })

  find(memory: Key): Extraction | undefined {
    return this.#kept.get(keyOf(memory))
  }

  keep(memory: Key, extraction: Extraction): void {
    this.#kept.set(keyOf(memory), extraction)
  }

  forget(memory: Key): void {
    this.#kept.delete(keyOf(memory))
  }
}

function keyOf({ workspaceId, id, revision }: Key): string {
  return `${workspaceId} ${id} ${revision}`
}

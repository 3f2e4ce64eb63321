import type { Tx } from 'mneme/plugin'
import { type Database, type Holding, held, inParts, isUnavailable, plainArray } from 'mneme/plugin'

/** The buffer holds this many memories between two flushes; reads of further ones go uncounted, which bounds its size. */
const MEMORIES_MAX = 100_000
/** An id, a count and a time, with what the maps need for them. */
const ENTRY_BYTES = 250
/** One statement writes at most this many rows. */
const CHUNK = 1000

interface Entry {
  count: number
  lastAt: Date
}

/** Collects reads of memories in a buffer and writes them in batches, never on the request path. */
export class AccessCounter {
  /** The entries are keyed by workspace, then by memory. */
  #entries = new Map<string, Map<string, Entry>>()
  #size = 0
  readonly holding: Holding = held({
    name: 'memories.accesses',
    maxBytes: MEMORIES_MAX * ENTRY_BYTES,
    bytes: () => this.#size * ENTRY_BYTES,
  })

  constructor(private readonly database: Pick<Database, 'workspace'>) {}

  count(workspaceId: string, ids: readonly string[]): void {
    const lastAt = new Date()
    for (const id of ids) this.#add(workspaceId, { id, count: 1, lastAt })
  }

  /**
   * Writes the buffer one workspace at a time. While the database is away the counts return to the buffer; counts that it refuses are
   * dropped, so that one workspace does not keep those of the others from being written.
   */
  async flush(): Promise<void> {
    const parts = partsOf(this.#entries)
    this.#entries = new Map()
    this.#size = 0
    const refused: unknown[] = []
    for (const [n, { workspaceId, counts }] of parts.entries()) {
      try {
        await this.database.workspace(workspaceId, tx => addAccesses(tx, workspaceId, counts))
      } catch (error) {
        if (!isUnavailable(error)) {
          refused.push(error)
          continue
        }
        for (const left of parts.slice(n)) for (const count of left.counts) this.#add(left.workspaceId, count)
        throw error
      }
    }
    if (refused.length > 0) throw new AggregateError(refused, 'accesses of memories could not be counted')
  }

  #add(workspaceId: string, { id, count, lastAt }: AccessCount): void {
    const entries = this.#entries.get(workspaceId) ?? new Map<string, Entry>()
    const entry = entries.get(id)
    if (entry) {
      entry.count += count
      if (lastAt > entry.lastAt) entry.lastAt = lastAt
    } else if (this.#size < MEMORIES_MAX) {
      entries.set(id, { count, lastAt })
      this.#entries.set(workspaceId, entries)
      this.#size++
    }
  }
}

interface Part {
  readonly workspaceId: string
  readonly counts: readonly AccessCount[]
}

/** Splits the entries into transactions, each with memories of one workspace in ascending order of id, the order of all row locks. */
function partsOf(entries: ReadonlyMap<string, ReadonlyMap<string, Entry>>): Part[] {
  return [...entries].flatMap(([workspaceId, own]) => {
    const counts = [...own].map(([id, entry]) => ({ id, ...entry })).sort((a, b) => (a.id < b.id ? -1 : 1))
    return inParts(counts, CHUNK).map(part => ({ workspaceId, counts: part }))
  })
}

/** The reads of one memory since the last flush. */
interface AccessCount {
  readonly id: string
  readonly count: number
  readonly lastAt: Date
}

/**
 * Adds counts to memories of one workspace and skips deleted ones. Rows are locked in ascending order of id, which rules out a deadlock.
 */
async function addAccesses(tx: Tx, workspaceId: string, counts: readonly AccessCount[]): Promise<void> {
  await tx`
    with hit as (
      select memory.id, given.count, given.last_at
      from unnest(
        ${plainArray(counts.map(count => count.id))}::uuid[],
        ${plainArray(counts.map(count => count.count))}::bigint[],
        ${plainArray(counts.map(count => count.lastAt.toISOString()))}::timestamptz[]
      ) as given (id, count, last_at)
      join memories.memory on memory.workspace_id = ${workspaceId} and memory.id = given.id
      order by memory.id
      for update of memory
    )
    update memories.memory
    set
      access_count = memory.access_count + hit.count,
      last_accessed_at = greatest(memory.last_accessed_at, hit.last_at)
    from hit
    where memory.workspace_id = ${workspaceId}
      and memory.id = hit.id`
}

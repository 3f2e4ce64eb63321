import type { Database } from 'mneme/plugin'
import { type AccessCount, addAccesses } from './queries/accesses.ts'

/** Memories counted between two flushes at the most; further ones go uncounted rather than let the buffer grow. */
const MEMORIES_MAX = 100_000
/** Rows of one statement. */
const CHUNK = 1000

interface Entry {
  count: number
  lastAt: Date
}

/** Gathers reads of memories in memory and writes them in batches, never on the request path. */
export class AccessCounter {
  /** By workspace, then by memory. */
  #entries = new Map<string, Map<string, Entry>>()
  #size = 0

  constructor(private readonly database: Pick<Database, 'workspace'>) {}

  count(workspaceId: string, ids: readonly string[]): void {
    const lastAt = new Date()
    for (const id of ids) this.#add(workspaceId, { id, count: 1, lastAt })
  }

  /** Writes what has gathered, a workspace at a time. What could not be written is counted again with the next flush. */
  async flush(): Promise<void> {
    const parts = partsOf(this.#entries)
    this.#entries = new Map()
    this.#size = 0
    for (const [n, { workspaceId, counts }] of parts.entries()) {
      try {
        await this.database.workspace(workspaceId, tx => addAccesses(tx, workspaceId, counts))
      } catch (error) {
        for (const left of parts.slice(n)) for (const count of left.counts) this.#add(left.workspaceId, count)
        throw error
      }
    }
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

/** What one transaction writes: memories of one workspace, in the order in which rows are locked everywhere. */
function partsOf(entries: ReadonlyMap<string, ReadonlyMap<string, Entry>>): Part[] {
  return [...entries].flatMap(([workspaceId, own]) => {
    const counts = [...own].map(([id, entry]) => ({ id, ...entry })).sort((a, b) => (a.id < b.id ? -1 : 1))
    const starts = Array.from({ length: Math.ceil(counts.length / CHUNK) }, (_, n) => n * CHUNK)
    return starts.map(start => ({ workspaceId, counts: counts.slice(start, start + CHUNK) }))
  })
}

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
  #entries = new Map<string, Entry>()

  constructor(private readonly database: Pick<Database, 'system'>) {}

  count(workspaceId: string, ids: readonly string[]): void {
    const lastAt = new Date()
    for (const id of ids) this.#add(`${workspaceId}/${id}`, 1, lastAt)
  }

  /** Writes what has gathered. What could not be written is counted again with the next flush. */
  async flush(): Promise<void> {
    if (this.#entries.size === 0) return
    const entries = this.#entries
    this.#entries = new Map()
    const counts = toCounts(entries)
    for (let start = 0; start < counts.length; start += CHUNK) {
      try {
        const part = counts.slice(start, start + CHUNK)
        await this.database.system(tx => addAccesses(tx, part))
      } catch (error) {
        for (const { workspaceId, id, count, lastAt } of counts.slice(start)) {
          this.#add(`${workspaceId}/${id}`, count, lastAt)
        }
        throw error
      }
    }
  }

  #add(key: string, count: number, lastAt: Date): void {
    const entry = this.#entries.get(key)
    if (entry) {
      entry.count += count
      if (lastAt > entry.lastAt) entry.lastAt = lastAt
    } else if (this.#entries.size < MEMORIES_MAX) {
      this.#entries.set(key, { count, lastAt })
    }
  }
}

/** In the order in which rows are locked everywhere. */
function toCounts(entries: ReadonlyMap<string, Entry>): AccessCount[] {
  return [...entries.entries()]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, { count, lastAt }]) => {
      const [workspaceId = '', id = ''] = key.split('/')
      return { workspaceId, id, count, lastAt }
    })
}

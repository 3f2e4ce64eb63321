import type { Database } from 'mneme/plugin'
import { Gauge, type Registry } from 'prom-client'

/** So many are counted at the most. */
const COUNTED_MAX = 100_000
/** The figure may be so old. */
const FRESH_MS = 10_000

/** Shows how many memories are FAILED, in all workspaces together. */
export function measureFailed(registry: Registry, database: Database): void {
  let countedAt = Number.NEGATIVE_INFINITY
  new Gauge({
    name: 'mneme_memories_failed',
    help: `Memories in the database whose processing failed. Up to ${COUNTED_MAX} are counted.`,
    registers: [registry],
    async collect() {
      if (performance.now() - countedAt < FRESH_MS) return
      countedAt = performance.now()
      // With the database away the figure stays as it was, and others are wanted all the more.
      const failed = await countAll(database).catch(() => undefined)
      if (failed !== undefined) this.set(failed)
    },
  })
}

async function countAll(database: Database): Promise<number> {
  const [row] = await database.system(
    tx => tx<{ failed: number }[]>`
      -- across workspaces: the metrics are those of the whole service
      select count(*)::int as failed
      from (
        select memory.id from memories.memory where memory.status = 'FAILED' and memory.live limit ${COUNTED_MAX}
      ) as failed`,
  )
  return row?.failed ?? 0
}

import { v7 } from 'uuid'
import { leasedWorkConformance } from '../../../core/jobs/leased-work.conformance.ts'
import type { MemoryRecord } from '../../memories/contract.ts'
import { enqueueReadings, openReadings } from './reading-queue.ts'
import { likesExtractor, readingWorld } from './world.test-support.ts'

/** As much of a memory as its reading is queued by. */
function memory(workspaceId: string, id: string, text: string): MemoryRecord {
  const now = new Date()
  const said = { id, workspaceId, text, userId: 'u7', revision: 1, categories: [], metadata: null, source: 'API' }
  return { ...said, createdAt: now, updatedAt: now } as unknown as MemoryRecord
}

leasedWorkConformance(
  { name: 'graph.reading', key: 'memory_id', leaseMs: 30_000, removesFinished: false },
  async () => {
    const { scope } = await readingWorld(likesExtractor())
    return {
      database: scope.database,
      open: clock => openReadings({ clock }),
      async add(tx, workspaceId, count) {
        const ids = Array.from({ length: count }, () => v7())
        for (const id of ids) await enqueueReadings(tx, [memory(workspaceId, id, 'Ada likes tea')])
        // Those of one transaction are due at the same time.
        for (const [n, id] of ids.entries()) {
          await tx`
            update graph.reading set due_at = due_at + ${n}::integer * interval '1 millisecond'
            where workspace_id = ${workspaceId} and memory_id = ${id}`
        }
        return ids
      },
      addAgain: (tx, workspaceId, id) => enqueueReadings(tx, [memory(workspaceId, id, 'Ada likes coffee')]),
    }
  },
)

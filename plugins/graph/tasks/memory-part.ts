import { hasFeature, plainArray, type Tx } from 'mneme/plugin'
import { type MemoryPart, type MemoryWriteHook, memoryReader } from '../../memories/contract.ts'
import type { GraphScope } from '../scope.ts'
import { extractJob, FEATURE } from './queue-step.ts'
import { countBehind, enqueueReadings } from './reading-queue.ts'

/** Readings of one workspace that may wait behind others: what is read in some seconds, so that neither table nor queue is flooded. */
const BEHIND_MAX = 1_000

/**
 * Has memories read that were stored while the graph was switched off, behind those that come now. As in processing they are noted
 * where the plan does not have the feature, too: the plan may change.
 */
export function createMemoryPart(
  { database, wiring, jobs }: Pick<GraphScope, 'database' | 'wiring' | 'jobs'>,
  hook: Pick<MemoryWriteHook, 'removed'>,
): MemoryPart {
  return {
    id: 'graph',
    async missing(tx, workspaceId, memories) {
      const processed = memories.filter(({ status }) => status === 'COMPLETED')
      const known = await revisions(tx, workspaceId, processed)
      return processed.filter(({ id, revision }) => (known.get(id) ?? 0) < revision).map(({ id }) => id)
    },
    backfill: ({ workspaceId, workspace }, ids) =>
      database.workspace(workspaceId, async tx => {
        const reads = hasFeature(workspace, FEATURE)
        if (reads && (await countBehind(tx, workspaceId, BEHIND_MAX)) >= BEHIND_MAX) return 'later'
        const locked = await wiring.use(memoryReader).records(tx, ids, 'locked')
        // Processing notes these memories itself.
        const memories = locked.filter(({ status }) => status === 'COMPLETED')
        await enqueueReadings(tx, memories, { behind: true })
        if (reads && memories.length > 0) await jobs.enqueue(tx, [extractJob(workspaceId)])
        return 'done'
      }),
    async stored(tx, after, limit) {
      // Each table gives its first ones, in the order of an index; those that several have are one.
      const first = tx`
        ${after ? tx`where (stored.workspace_id, stored.memory_id) > (${after.workspaceId}, ${after.memoryId})` : tx``}
        order by stored.workspace_id, stored.memory_id
        limit ${limit}`
      const rows = await tx<{ workspace_id: string; memory_id: string }[]>`
        -- across workspaces: the backfill compares all memories with what the graph has
        (
          select distinct stored.workspace_id, stored.memory_id
          from graph.reading as stored
          ${first}
        )
        union
        (
          select distinct stored.workspace_id, stored.memory_id
          from graph.mention as stored
          ${first}
        )
        union
        (
          select distinct stored.workspace_id, stored.memory_id
          from graph.evidence as stored
          ${first}
        )
        union
        (
          select distinct stored.workspace_id, stored.memory_id
          from graph.statement as stored
          ${first}
        )
        order by workspace_id, memory_id
        limit ${limit}`
      return rows.map(row => ({ workspaceId: row.workspace_id, memoryId: row.memory_id }))
    },
    remove: (tx, workspaceId, ids) => hook.removed(tx, workspaceId, ids, 'deleted'),
  }
}

/** The revisions that are noted as read, or to be read, by memory. */
async function revisions(
  tx: Tx,
  workspaceId: string,
  memories: readonly { readonly id: string }[],
): Promise<Map<string, number>> {
  const rows = await tx<{ memory_id: string; revision: number }[]>`
    select reading.memory_id, reading.revision
    from graph.reading
    where reading.workspace_id = ${workspaceId}
      and reading.memory_id = any(${plainArray(memories.map(({ id }) => id))}::uuid[])`
  return new Map(rows.map(row => [row.memory_id, row.revision]))
}

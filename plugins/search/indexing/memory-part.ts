import { type Database, EmbedderInputError, plainArray } from 'mneme/plugin'
import type { MemoryPart, MemoryReader, MemoryRecord } from '../../memories/contract.ts'
import { lockUseForWrite } from '../embedding/use-store.ts'
import type { EmbedStep } from './embed-step.ts'
import type { SearchWriteHook } from './write-hook.ts'

export interface MemoryPartServices {
  readonly database: Database
  readonly reader: () => MemoryReader
  readonly hook: SearchWriteHook
  readonly step: EmbedStep
}

/**
 * Indexes and embeds memories that were stored while search was switched off. A memory that changed in that time has stale words, so all
 * memories written then are indexed again.
 */
export function createMemoryPart({ database, reader, hook, step }: MemoryPartServices): MemoryPart {
  return {
    id: 'search',
    async missing(tx, workspaceId, memories) {
      const active = (await lockUseForWrite(tx))?.active ?? null
      const ids = plainArray(memories.map(({ id }) => id))
      const rows = await tx<{ memory_id: string; embedded: boolean }[]>`
        select
          document.memory_id,
          exists (
            select
            from search.embedding
            where embedding.workspace_id = ${workspaceId}
              and embedding.memory_id = document.memory_id
              and embedding.model = ${active}
          ) as embedded
        from search.document
        where document.workspace_id = ${workspaceId}
          and document.memory_id = any(${ids}::uuid[])`
      const known = new Map(rows.map(row => [row.memory_id, row.embedded]))
      return memories
        .filter(({ id, status, suspect }) => {
          const embedded = known.get(id)
          return suspect || embedded === undefined || (!embedded && status === 'COMPLETED')
        })
        .map(({ id }) => id)
    },
    async backfill(tenant, ids) {
      const { workspaceId } = tenant
      const memories = await database.workspace(workspaceId, tx => reader().records(tx, ids))
      const texts = await hook.prepare(tenant, memories)
      const embedded = await step.prepare(tenant, memories.filter(isSettled), 'background').catch(error => {
        // A text that the model refuses is still found by its words.
        if (error instanceof EmbedderInputError && memories.length === 1) return NOTHING
        throw error
      })
      await database.workspace(workspaceId, async tx => {
        const locked = await reader().records(tx, [...texts.keys()], 'locked')
        const revisions = new Map(memories.map(({ id, revision }) => [id, revision]))
        const current = locked.filter(({ id, revision }) => revisions.get(id) === revision)
        await hook.updated(tx, current, texts)
        const written = current.filter(({ id }) => embedded.has(id))
        await step.write(tx, written, embedded)
        await step.finish(tx, written, embedded)
      })
      return 'done'
    },
    async stored(tx, after, limit) {
      return tx<{ workspaceId: string; memoryId: string }[]>`
        -- across workspaces: the backfill compares all memories with the index
        select document.workspace_id as "workspaceId", document.memory_id as "memoryId"
        from search.document
        ${after ? tx`where (document.workspace_id, document.memory_id) > (${after.workspaceId}, ${after.memoryId})` : tx``}
        order by document.workspace_id, document.memory_id
        limit ${limit}`
    },
    remove: (tx, workspaceId, ids) => hook.removed(tx, workspaceId, ids, 'deleted'),
  }
}

const NOTHING: Awaited<ReturnType<EmbedStep['prepare']>> = new Map()

/** Tells whether the memory was processed: a pending one is embedded by its own job, and a failed one is found by its words. */
function isSettled({ status }: MemoryRecord): boolean {
  return status === 'COMPLETED'
}

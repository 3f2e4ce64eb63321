import type { MemoryRecord, MemoryWriteHook } from '../../memories/contract.ts'
import { analyze } from '../analysis/analyze.ts'
import type { SearchDocument, SearchEngine } from '../engine/engine.ts'
import type { QueryLog } from '../log/query-log.ts'

/** Keeps the index in step with every write, in the write's own transaction: words find a memory once it is accepted. */
export function createWriteHook(engine: SearchEngine, log: QueryLog): MemoryWriteHook {
  return {
    id: 'search',
    created: (tx, memories) => engine.index(tx, memories.map(toDocument)),
    updated: (tx, memories) => engine.index(tx, memories.map(toDocument)),
    async removed(tx, workspaceId, ids) {
      // The log is cleaned by the words of the documents, so it goes first.
      await Promise.all([log.forget(tx, workspaceId, ids), engine.remove(tx, workspaceId, ids)])
    },
  }
}

function toDocument(memory: MemoryRecord): SearchDocument {
  return {
    workspaceId: memory.workspaceId,
    memoryId: memory.id,
    userId: memory.userId,
    agentId: memory.agentId,
    sessionId: memory.sessionId,
    priority: memory.priority,
    categories: memory.categories,
    metadata: memory.metadata,
    createdAt: memory.createdAt,
    expiresAt: memory.expiresAt,
    analysis: analyze(memory.text),
  }
}

import type { MemoryRecord } from '../../plugins/memories/contract.ts'

/** Builds a memory that was just stored, for code that takes memories without a database. */
export function memoryRecord(fields: Pick<MemoryRecord, 'id' | 'workspaceId'> & Partial<MemoryRecord>): MemoryRecord {
  const now = new Date()
  return {
    text: '',
    userId: 'default',
    agentId: null,
    sessionId: null,
    priority: 'MEDIUM',
    status: 'PENDING',
    categories: [],
    metadata: null,
    layer: 'RAW',
    expiresAt: null,
    source: 'API',
    revision: 1,
    consolidatedInto: null,
    textChangedAt: null,
    createdAt: now,
    updatedAt: now,
    ...fields,
  }
}

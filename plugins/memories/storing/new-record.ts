import { DAY_MS, type Tenant } from 'mneme/plugin'
import { v7 } from 'uuid'
import { type IncomingMemory, type MemoryRecord, type NewMemory, taskTtlDays } from '../contract.ts'
import type { MemoryServices } from '../scope.ts'

/** Builds the view of a new memory that intake hooks review. */
export function incoming(memory: NewMemory): IncomingMemory {
  return {
    operation: 'create',
    id: undefined,
    text: memory.text,
    categories: memory.categories ?? [],
    metadata: memory.metadata ?? null,
    priority: memory.priority ?? 'MEDIUM',
    userId: memory.userId ?? 'default',
    agentId: memory.agentId ?? null,
    sessionId: memory.sessionId ?? null,
    source: memory.source,
  }
}

/** Takes over what intake hooks changed. */
export function withReview(memory: NewMemory, { text, categories = [], metadata = null }: IncomingMemory): NewMemory {
  return { ...memory, text, categories, metadata }
}

/** Builds the record that is stored. */
export function newRecord(
  services: MemoryServices,
  tenant: Tenant,
  memory: NewMemory,
  now: Date,
  id: string = v7(),
): MemoryRecord {
  const layer = memory.layer ?? 'RAW'
  return {
    id,
    workspaceId: tenant.workspaceId,
    text: memory.text,
    userId: memory.userId ?? 'default',
    agentId: memory.agentId ?? null,
    sessionId: memory.sessionId ?? null,
    priority: memory.priority ?? 'MEDIUM',
    status: 'PENDING',
    categories: memory.categories ?? [],
    metadata: memory.metadata ?? null,
    layer,
    expiresAt: layer === 'TASK' ? (memory.expiresAt ?? defaultExpiry(services, tenant, now)) : null,
    source: memory.source,
    revision: 1,
    consolidatedInto: null,
    textChangedAt: null,
    createdAt: now,
    updatedAt: now,
  }
}

/** A task that says no time expires then. */
export function defaultExpiry({ taskTtlMs }: MemoryServices, { workspace }: Tenant, now: Date): Date {
  const days = taskTtlDays.of(workspace)
  return new Date(now.getTime() + (days === null ? taskTtlMs : days * DAY_MS))
}

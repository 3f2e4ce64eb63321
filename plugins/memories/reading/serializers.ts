import type { Workspace } from 'mneme/plugin'
import type { ListedMemory, MemoryHolding, MemoryRecord } from '../contract.ts'
import type { MemoryDetails } from '../queries/rows.ts'
import { HOLDS } from './holdings.ts'

/** Every representation of a memory has these fields. */
function commonFields(memory: MemoryRecord) {
  return {
    id: memory.id,
    memory: memory.text,
    user_id: memory.userId,
    agent_id: memory.agentId,
    session_id: memory.sessionId,
    priority: memory.priority,
    status: memory.status,
    categories: memory.categories,
    metadata: memory.metadata,
    source: memory.source,
    workspace_id: memory.workspaceId,
    created_at: memory.createdAt.toISOString(),
    updated_at: memory.updatedAt.toISOString(),
  }
}

/** Serializes the response to creation and update. */
export function toStoredMemory(memory: MemoryRecord) {
  return { ...commonFields(memory), layer: memory.layer, expires_at: memory.expiresAt?.toISOString() ?? null }
}

/** Serializes the response to get-one. */
export function toFullMemory(details: MemoryDetails, workspace: Workspace, holding: MemoryHolding | undefined) {
  return {
    ...toStoredMemory(details.record),
    workspace: { id: workspace.id, name: workspace.name },
    access_count: details.accessCount,
    last_accessed_at: details.lastAccessedAt?.toISOString() ?? null,
    feedback: toFeedbackSummary(details),
    consolidated_into: details.record.consolidatedInto,
    error: details.error,
    ...holdingFields(holding),
  }
}

function toFeedbackSummary({ feedback }: MemoryDetails) {
  if (!feedback) return null
  const { positive, negative, neutral, lastSignal, lastAt } = feedback
  return { positive, negative, neutral, last_signal: lastSignal, last_feedback_at: lastAt.toISOString() }
}

/** Serializes an item of the plain list; a search overwrites its relevance and adds a score. */
export function toListItem(memory: MemoryRecord, holding: MemoryHolding | undefined): ListedMemory {
  return { ...commonFields(memory), relevance: 'NONE', ...holdingFields(holding) }
}

function holdingFields({ endedAt, supersededBy, newer }: MemoryHolding = HOLDS) {
  return { ended_at: endedAt?.toISOString() ?? null, superseded_by: supersededBy, newer }
}

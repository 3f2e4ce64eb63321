import type { Workspace } from 'mneme/plugin'
import type { ListedMemory, MemoryRecord } from './contract.ts'
import type { MemoryDetails } from './queries/rows.ts'

/** What every form of a memory shows. */
function commonForm(memory: MemoryRecord) {
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

/** The answer to creation and update. */
export function toStoredMemory(memory: MemoryRecord) {
  return { ...commonForm(memory), layer: memory.layer, expires_at: memory.expiresAt?.toISOString() ?? null }
}

/** The answer to get-one. */
export function toFullMemory(details: MemoryDetails, workspace: Workspace) {
  return {
    ...toStoredMemory(details.record),
    workspace: { id: workspace.id, name: workspace.name },
    access_count: details.accessCount,
    last_accessed_at: details.lastAccessedAt?.toISOString() ?? null,
    feedback: feedbackForm(details),
    consolidated_into: details.record.consolidatedInto,
    error: details.error,
  }
}

function feedbackForm({ feedback }: MemoryDetails) {
  if (!feedback) return null
  const { positive, negative, neutral, lastSignal, lastAt } = feedback
  return { positive, negative, neutral, last_signal: lastSignal, last_feedback_at: lastAt.toISOString() }
}

/** An item of the plain list; a search puts its own relevance and score over it. */
export function toListItem(memory: MemoryRecord): ListedMemory {
  return { ...commonForm(memory), relevance: 'NONE' }
}

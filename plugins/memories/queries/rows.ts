import type { Tx } from 'mneme/plugin'
import type { MemoryRecord } from '../contract.ts'

// Arrays are selected as JSON, because the driver parses JSON but has no array types here.
const RECORD_COLUMNS = `
  memory.workspace_id as "workspaceId", memory.id, memory.text, memory.user_id as "userId", memory.agent_id as "agentId",
  memory.session_id as "sessionId", memory.priority, memory.status, to_json(memory.categories) as categories, memory.metadata,
  memory.layer, memory.expires_at as "expiresAt", memory.source, memory.revision, memory.consolidated_into as "consolidatedInto",
  memory.text_changed_at as "textChangedAt", memory.created_at as "createdAt", memory.updated_at as "updatedAt"`

/** Builds the columns of a {@link MemoryRecord} for a select list or a returning clause. */
export function recordColumns(tx: Tx) {
  return tx.unsafe(RECORD_COLUMNS)
}

/** The fields that get-one shows in addition to the record. */
export interface MemoryDetails {
  readonly record: MemoryRecord
  readonly expired: boolean
  readonly accessCount: number
  readonly lastAccessedAt: Date | null
  readonly error: string | null
  readonly feedback: FeedbackSummary | null
}

export interface FeedbackSummary {
  readonly positive: number
  readonly negative: number
  readonly neutral: number
  readonly lastSignal: 'POSITIVE' | 'NEGATIVE' | 'NEUTRAL'
  readonly lastAt: Date
}

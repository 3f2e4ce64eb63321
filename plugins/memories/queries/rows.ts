import type { Tx } from 'mneme/plugin'
import type { Layer, MemoryRecord, Priority, Source, Status } from '../contract.ts'

/** A row of `memories.memory` as {@link recordColumns} reads it. */
export interface MemoryRow {
  workspace_id: string
  id: string
  text: string
  user_id: string
  agent_id: string | null
  session_id: string | null
  priority: Priority
  status: Status
  categories: string[]
  metadata: Record<string, unknown> | null
  layer: Layer
  expires_at: Date | null
  source: Source
  revision: number
  consolidated_into: string | null
  text_changed_at: Date | null
  created_at: Date
  updated_at: Date
}

// Arrays are selected as JSON, because the driver parses JSON but has no array types here.
const RECORD_COLUMNS = `
  memory.workspace_id, memory.id, memory.text, memory.user_id, memory.agent_id, memory.session_id, memory.priority,
  memory.status, to_json(memory.categories) as categories, memory.metadata, memory.layer, memory.expires_at,
  memory.source, memory.revision, memory.consolidated_into, memory.text_changed_at,
  memory.created_at, memory.updated_at`

/** Builds the columns of a record for a select list or a returning clause. */
export function recordColumns(tx: Tx) {
  return tx.unsafe(RECORD_COLUMNS)
}

export function toRecord(row: MemoryRow): MemoryRecord {
  return {
    id: row.id,
    workspaceId: row.workspace_id,
    text: row.text,
    userId: row.user_id,
    agentId: row.agent_id,
    sessionId: row.session_id,
    priority: row.priority,
    status: row.status,
    categories: row.categories,
    metadata: row.metadata,
    layer: row.layer,
    expiresAt: row.expires_at,
    source: row.source,
    revision: row.revision,
    consolidatedInto: row.consolidated_into,
    textChangedAt: row.text_changed_at,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
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

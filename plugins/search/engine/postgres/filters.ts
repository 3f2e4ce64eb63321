import { type Tx, textArray } from 'mneme/plugin'
import { addedConditions, type MemoryFilter, metadataCondition } from '../../../memories/contract.ts'

/** The time of a document `d`, which an index has, too. */
export function statedAt(tx: Tx) {
  return tx`coalesce(d.said_at, d.created_at)`
}

/**
 * Builds the conditions on columns that documents and embeddings share; `d` is the alias of either. Expired memories never pass, whether a
 * sweep has marked them or not.
 */
export function columnConditions(tx: Tx, workspaceId: string, filter: MemoryFilter) {
  const { userId, agentId, sessionId, priorities, categories, createdAfter, createdBefore, added } = filter
  return tx`
    (d.expires_at is null or d.expires_at > now())
    ${userId === undefined ? tx`` : tx`and d.workspace_id = ${workspaceId} and d.user_id = ${userId}`}
    ${agentId === undefined ? tx`` : tx`and d.agent_id = ${agentId}`}
    ${sessionId === undefined ? tx`` : tx`and d.session_id = ${sessionId}`}
    ${priorities === undefined ? tx`` : tx`and d.priority = any(${textArray(priorities)}::text[])`}
    ${categories === undefined ? tx`` : tx`and d.categories && ${textArray(categories)}::text[]`}
    ${createdAfter === undefined ? tx`` : tx`and d.created_at >= ${createdAfter}`}
    ${createdBefore === undefined ? tx`` : tx`and d.created_at <= ${createdBefore}`}
    ${addedConditions(tx, tx`d.memory_id`, workspaceId, added)}`
}

/** Builds all conditions of a filter on documents. */
export function documentConditions(tx: Tx, workspaceId: string, filter: MemoryFilter) {
  const columns = columnConditions(tx, workspaceId, filter)
  return needsDocument(filter)
    ? tx`
    ${columns}
    and ${metadataCondition(tx, tx`d.metadata`, filter.metadata)}`
    : columns
}

/** Tells whether the filter needs columns that only documents have. */
export function needsDocument(filter: MemoryFilter): boolean {
  return (filter.metadata?.length ?? 0) > 0
}

/** Tells whether a filter is empty or names a user and nothing else. */
export function isByUserAlone({ userId: _, ...others }: MemoryFilter): boolean {
  return Object.keys(others).length === 0
}

import { type Tx, textArray } from 'mneme/plugin'
import { addedConditions, type MemoryFilter, type MemoryRecord } from '../contract.ts'
import { type MemoryRow, recordColumns, toRecord } from './rows.ts'

export interface ListPage {
  readonly records: MemoryRecord[]
  readonly total: number
}

/** Reads one page of the visible memories that pass the filter, newest first, with their exact number. */
export async function listMemories(
  tx: Tx,
  workspaceId: string,
  filter: MemoryFilter,
  page: number,
  pageSize: number,
): Promise<ListPage> {
  const [rows, [counted]] = await Promise.all([
    tx<MemoryRow[]>`
      select ${recordColumns(tx)}
      from memories.memory
      where memory.workspace_id = ${workspaceId}
        ${conditions(tx, workspaceId, filter)}
      order by memory.created_at desc, memory.id desc
      limit ${pageSize}
      offset ${(page - 1) * pageSize}`,
    tx<{ total: number }[]>`
      select count(*) as total
      from memories.memory
      where memory.workspace_id = ${workspaceId}
        ${conditions(tx, workspaceId, filter)}`,
  ])
  return { records: rows.map(toRecord), total: counted?.total ?? 0 }
}

/** Builds the conditions of a filter on visible memories, each starting with `and`. Both bounds of the creation time are inclusive. */
function conditions(tx: Tx, workspaceId: string, filter: MemoryFilter) {
  const { userId, agentId, sessionId, priorities, categories, createdAfter, createdBefore, added } = filter
  return tx`
    and memory.live
    and (memory.expires_at is null or memory.expires_at > now())
    ${userId === undefined ? tx`` : tx`and memory.user_id = ${userId}`}
    ${agentId === undefined ? tx`` : tx`and memory.agent_id = ${agentId}`}
    ${sessionId === undefined ? tx`` : tx`and memory.session_id = ${sessionId}`}
    ${priorities === undefined ? tx`` : tx`and memory.priority = any(${textArray(priorities)}::text[])`}
    ${categories === undefined ? tx`` : tx`and memory.categories && ${textArray(categories)}::text[]`}
    ${createdAfter === undefined ? tx`` : tx`and memory.created_at >= ${createdAfter}`}
    ${createdBefore === undefined ? tx`` : tx`and memory.created_at <= ${createdBefore}`}
    ${addedConditions(tx, tx`memory.id`, workspaceId, added)}`
}

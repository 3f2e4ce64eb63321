import type { Fragment, Tx } from 'mneme/plugin'
import type { MemoryRecord } from '../contract.ts'
import { recordColumns } from './rows.ts'
import { queued } from './update.ts'

/** Selects memories whose processing failed, as the index of them has it. */
function failed(tx: Tx): Fragment {
  return tx`
    memory.status = 'FAILED'
    and memory.live
    and (memory.expires_at is null or memory.expires_at > now())`
}

/** These of a workspace's failed memories are meant; all where nothing is said. */
export interface FailedScope {
  readonly userId?: string | undefined
  /** Those with a greater id than this. */
  readonly after?: string | undefined
}

/** Returns up to `limit` failed memories of a workspace to PENDING, in ascending order of id. */
export async function requeueFailed(
  tx: Tx,
  workspaceId: string,
  { userId, after }: FailedScope,
  limit: number,
  now: Date,
): Promise<MemoryRecord[]> {
  const rows = await tx<MemoryRecord[]>`
    with failed as (
      select memory.id
      from memories.memory
      where memory.workspace_id = ${workspaceId}
        and ${failed(tx)}
        ${userId === undefined ? tx`` : tx`and memory.user_id = ${userId}`}
        ${after === undefined ? tx`` : tx`and memory.id > ${after}`}
      order by memory.id
      limit ${limit}
      for update
    ),
    changed as (
      update memories.memory
      set ${queued(tx, now)}
      where memory.workspace_id = ${workspaceId}
        and memory.id = any (array(select failed.id from failed))
      returning memory.*
    )
    select ${recordColumns(tx)} from changed as memory`
  return [...rows].toSorted((a, b) => (a.id < b.id ? -1 : 1))
}

/** Counts failed memories of a workspace. */
export async function countFailed(tx: Tx, workspaceId: string, { userId }: FailedScope): Promise<number> {
  const [row] = await tx<{ failed: number }[]>`
    select count(*)::int as failed
    from memories.memory
    where memory.workspace_id = ${workspaceId}
      and ${failed(tx)}
      ${userId === undefined ? tx`` : tx`and memory.user_id = ${userId}`}`
  return row?.failed ?? 0
}

/** Counts failed memories by workspace, in a transaction of the system. */
export async function failedByWorkspace(tx: Tx): Promise<ReadonlyMap<string, number>> {
  const rows = await tx<{ workspace_id: string; failed: number }[]>`
    -- across workspaces: an operator has those of all tried again
    select memory.workspace_id, count(*)::int as failed
    from memories.memory
    where ${failed(tx)}
    group by memory.workspace_id
    order by memory.workspace_id`
  return new Map(rows.map(row => [row.workspace_id, row.failed]))
}

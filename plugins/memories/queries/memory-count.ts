import type { Tx } from 'mneme/plugin'

/** The sum over so many rows is the count; there are more than most processes have connections. */
const STRIPES = 1024

/** Counts the memories of a workspace: live ones, and those that live ones absorbed. */
export async function countMemories(tx: Tx, workspaceId: string): Promise<number> {
  const [row] = await tx<{ count: number }[]>`
    select coalesce(sum(live_count.count), 0)::float8 as count
    from memories.live_count
    where live_count.workspace_id = ${workspaceId}`
  return row?.count ?? 0
}

/**
 * Counts memories that the transaction is about to store; those that it does not store after all are taken back by {@link countRemoved}. The workspace has a
 * row from then on: an insert of rows that are given selects the workspace from it, so that a distributed Postgres sends it to their node. A memory that is absorbed or restored counts as before.
 */
export function countStored(tx: Tx, workspaceId: string, stored: number): Promise<void> {
  return countRemoved(tx, workspaceId, -stored)
}

/** Takes memories from the count that the transaction has removed. */
export async function countRemoved(tx: Tx, workspaceId: string, removed: number): Promise<void> {
  if (removed === 0) return
  await tx`
    insert into memories.live_count (workspace_id, stripe, count)
    values (${workspaceId}, pg_backend_pid() % ${STRIPES}::int, ${-removed})
    on conflict on constraint live_count_pk do update
    set count = live_count.count + excluded.count`
}

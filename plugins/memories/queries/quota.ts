import type { Tx } from 'mneme/plugin'

/**
 * How many live memories a workspace has. `taking turns` waits until no other transaction that does so is under way, and
 * sees what it stored.
 */
export async function countLive(tx: Tx, workspaceId: string, mode?: 'taking turns'): Promise<number> {
  if (mode) {
    // A statement of its own: the count below must begin, and so take its snapshot, after the lock is held.
    await tx`select pg_advisory_xact_lock(hashtextextended(${`memories.quota:${workspaceId}`}, 0))`
  }
  const [row] = await tx<{ count: number }[]>`
    select count(*) as count
    from memories.memory
    where memory.workspace_id = ${workspaceId}
      and memory.live`
  return row?.count ?? 0
}

import type { Tx } from 'mneme/plugin'

/** Counts the live memories of a workspace. */
export async function countLive(tx: Tx, workspaceId: string): Promise<number> {
  const [row] = await tx<{ count: number }[]>`
    select count(*) as count
    from memories.memory
    where memory.workspace_id = ${workspaceId}
      and memory.live`
  return row?.count ?? 0
}

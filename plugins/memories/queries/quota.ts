import type { Tx } from 'mneme/plugin'

/** How many live memories a workspace has. */
export async function countLive(tx: Tx, workspaceId: string): Promise<number> {
  const [row] = await tx<{ count: number }[]>`
    select count(*) as count
    from memories.memory
    where memory.workspace_id = ${workspaceId}
      and memory.live`
  return row?.count ?? 0
}

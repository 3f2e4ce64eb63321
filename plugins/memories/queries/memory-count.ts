import type { Tx } from 'mneme/plugin'
import type { PendingQuery, Row } from 'postgres'

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
 * Builds the part of a statement that counts the memories it brings in or takes out: such a statement contains it as a CTE, so that one
 * cannot happen without the other. A memory that is absorbed or restored counts as before.
 *
 * @param changed names the CTE that returns one row for each memory with its column `counts`, which tells whether it counts
 * @param sign 1 where they come in, -1 where they go
 */
export function countedMemories(tx: Tx, workspaceId: string, changed: string, sign: 1 | -1): PendingQuery<Row[]> {
  return tx`
    insert into memories.live_count (workspace_id, stripe, count)
    select ${workspaceId}::uuid, pg_backend_pid() % ${STRIPES}::int, ${sign}::int * count(*)
    from ${tx.unsafe(changed)} as changed
    where changed.counts
    having count(*) > 0
    on conflict on constraint live_count_pk do update
    set count = live_count.count + excluded.count`
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

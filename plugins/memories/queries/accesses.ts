import { plainArray, type Tx } from 'mneme/plugin'

/** The reads of one memory since the last flush. */
export interface AccessCount {
  readonly id: string
  readonly count: number
  readonly lastAt: Date
}

/**
 * Adds counts to memories of one workspace and skips deleted ones. Rows are locked in ascending order of id, which rules out a deadlock.
 */
export async function addAccesses(tx: Tx, workspaceId: string, counts: readonly AccessCount[]): Promise<void> {
  await tx`
    with hit as (
      select memory.id, given.count, given.last_at
      from unnest(
        ${plainArray(counts.map(count => count.id))}::uuid[],
        ${plainArray(counts.map(count => count.count))}::bigint[],
        ${plainArray(counts.map(count => count.lastAt.toISOString()))}::timestamptz[]
      ) as given (id, count, last_at)
      join memories.memory on memory.workspace_id = ${workspaceId} and memory.id = given.id
      order by memory.id
      for update of memory
    )
    update memories.memory
    set
      access_count = memory.access_count + hit.count,
      last_accessed_at = greatest(memory.last_accessed_at, hit.last_at)
    from hit
    where memory.workspace_id = ${workspaceId}
      and memory.id = hit.id`
}

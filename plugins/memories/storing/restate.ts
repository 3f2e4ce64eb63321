import { plainArray, type Tx } from 'mneme/plugin'
import { areOfOneMoment, dependsOnDay } from '../consolidation/day-dependent.ts'
import { type MemoryRecord, memoryWriteHooks, type Restatement, statedAt } from '../contract.ts'
import type { MemoryServices } from '../scope.ts'

/** Notes that memories were stated again word for word; retention must not delete what was just repeated. */
export async function restateMemories(
  tx: Tx,
  { wiring }: Pick<MemoryServices, 'wiring'>,
  workspaceId: string,
  restatements: readonly Restatement[],
): Promise<void> {
  if (restatements.length === 0) return
  const ids = [...new Set(restatements.map(({ memoryId }) => memoryId))]
  // Rows are locked in ascending order of id, as in every statement that locks many.
  await tx`
    with held as (
      select memory.id
      from memories.memory
      where memory.workspace_id = ${workspaceId}
        and memory.id = any(${plainArray(ids)}::uuid[])
      order by memory.id
      for update
    )
    update memories.memory
    set updated_at = greatest(${new Date()}, memory.updated_at)
    from held
    where memory.workspace_id = ${workspaceId}
      and memory.id = held.id`
  await Promise.all(wiring.extensions(memoryWriteHooks).map(hook => hook.restated?.(tx, workspaceId, restatements)))
}

/** See {@link MemoryWriter.statesSame}. A caller's clock may run ahead, and nothing counts as stated later than now. */
export function statesSame(memory: MemoryRecord, at: Date): boolean {
  const now = new Date()
  return !dependsOnDay(memory.text) || areOfOneMoment(statedAt(memory), at < now ? at : now)
}

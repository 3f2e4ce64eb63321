import { Type } from '@sinclair/typebox'
import { type Tx, tasksOf } from 'mneme/plugin'
import { announceExpired } from '../announce.ts'
import { findExpired, markExpired, type SweptMemory } from '../queries/expiry.ts'
import type { MemoriesScope } from '../scope.ts'

const task = tasksOf<MemoriesScope>()

/** Memories of one round; rounds follow one another until nothing is left or the task's share of time is used. */
const ROUND = 1000
const ROUNDS_MAX = 50

/** Tells the expiry of TASK memories, which are already out of lists and search. */
export const expireTask = task({
  name: 'memories:expire',
  payload: Type.Object({}),
  async run({ scope, signal }) {
    await sweep(scope, signal, findExpired, async (tx, workspaceId, ids) => {
      await announceExpired(tx, scope, workspaceId, await markExpired(tx, workspaceId, ids))
    })
  },
})

async function sweep(
  scope: MemoriesScope,
  signal: AbortSignal,
  find: (tx: Tx, limit: number) => Promise<SweptMemory[]>,
  work: (tx: Tx, workspaceId: string, ids: readonly string[]) => Promise<void>,
): Promise<void> {
  for (let round = 0; round < ROUNDS_MAX && !signal.aborted; round++) {
    const found = await scope.database.system(tx => find(tx, ROUND))
    const failures: unknown[] = []
    for (const [workspaceId, ids] of byWorkspace(found)) {
      try {
        await scope.database.workspace(workspaceId, tx => work(tx, workspaceId, ids))
      } catch (error) {
        // The other workspaces do not wait for one that cannot be swept.
        failures.push(error)
      }
    }
    if (failures.length > 0) throw new AggregateError(failures, `${failures.length} workspaces could not be swept`)
    if (found.length < ROUND) return
  }
}

function byWorkspace(memories: readonly SweptMemory[]): Map<string, string[]> {
  const groups = new Map<string, string[]>()
  for (const { workspaceId, id } of memories) {
    const group = groups.get(workspaceId)
    if (group) group.push(id)
    else groups.set(workspaceId, [id])
  }
  return groups
}

import type { Database } from 'mneme/plugin'
import { until } from '../../../../test/support/wait.ts'
import { foldDeltas } from './fold.ts'

/** Folds all that waits of a workspace. A service on the same database may be at it at this moment, and is not waited for by a fold. */
export function folded(database: Database, workspaceId: string): Promise<boolean> {
  return until('nothing waits to be folded', async () => {
    await foldDeltas(database)
    const left = await database.workspace(
      workspaceId,
      tx => tx`select from search.term_delta where term_delta.workspace_id = ${workspaceId} limit 1`,
    )
    return left.length === 0
  })
}

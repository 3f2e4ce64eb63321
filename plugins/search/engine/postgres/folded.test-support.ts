import type { Database } from 'mneme/plugin'
import { Precedence } from '../../../../core/background/precedence.ts'
import { quarantineOf } from '../../../../test/support/quarantine.ts'
import { until } from '../../../../test/support/wait.ts'
import { foldDeltas } from './fold.ts'

/** Folds what no other fold is at work on. */
export function foldAll(database: Database): Promise<boolean> {
  return foldDeltas({ database, quarantine: quarantineOf('search', database), background: new Precedence() })
}

/** Folds all deltas of a workspace. A service on the same database may hold the lock at the same time, and a fold does not wait for it. */
export function folded(database: Database, workspaceId: string): Promise<boolean> {
  return until('nothing waits to be folded', async () => {
    await foldAll(database)
    const left = await database.workspace(
      workspaceId,
      tx => tx`select from search.term_delta where term_delta.workspace_id = ${workspaceId} limit 1`,
    )
    return left.length === 0
  })
}

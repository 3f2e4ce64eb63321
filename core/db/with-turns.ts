import type { Database, OpenDatabase } from './database.ts'
import type { TransactionTurns } from './turns.ts'

/** A database whose workspaces take turns. What belongs to none of them goes at once. */
export function withTurns(database: OpenDatabase, turns: TransactionTurns): OpenDatabase {
  return {
    ...database,
    workspace: (workspaceId, work, options = {}) => {
      const transaction = () => database.workspace(workspaceId, work, options)
      // A job's snapshot stays open while others of its workspace write down what it reads, so it cannot be one of their turns.
      const isBesideOthers = options.snapshot && !options.urgent
      return isBesideOthers ? transaction() : turns.run(workspaceId, options.urgent ?? false, transaction)
    },
  }
}

/** The same database for transactions that a client waits for: they go before the jobs of their workspace. */
export function urgently(database: Database): Database {
  return {
    ...database,
    workspace: (workspaceId, work, options) => database.workspace(workspaceId, work, { urgent: true, ...options }),
  }
}

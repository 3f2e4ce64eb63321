import type { Database, OpenDatabase } from './database.ts'
import type { TransactionTurns } from './turns.ts'

/** A statement of a workspace's own may take so long where a request waits for it before or after its work, its wait for a lock included. */
const REQUEST_STATEMENT_MS = 30_000

/** A statement of accounts, workspaces and keys may take so long, its wait for a lock included. They read and write a few rows. */
const SYSTEM_STATEMENT_MS = 10_000

export interface DatabaseTurns {
  readonly workspaces: TransactionTurns
  /** Transactions of the system that a request asks for take these, by their holder; any other one of the system goes at once. */
  readonly system: TransactionTurns
}

/** The snapshots of all workspaces' jobs take turns as if they were those of one workspace more. */
const SNAPSHOTS = 'snapshots'
/** The one before it may be open for minutes. */
const SNAPSHOT_WAIT_MS = 15 * 60_000

/** A database whose workspaces take turns. */
export function withTurns(database: OpenDatabase, turns: DatabaseTurns): OpenDatabase {
  const inTime = controlPlane(database)
  return {
    ...database,
    system: (work, options = {}) => {
      if (options.holder === undefined) return database.system(work, options)
      return turns.system.run(options.holder, true, () => inTime.system(work, options))
    },
    workspace: (workspaceId, work, options = {}) => {
      const { snapshot, urgent = false } = options
      const transaction = (begun: () => void) =>
        database.workspace(
          workspaceId,
          tx => {
            begun()
            return work(tx)
          },
          options,
        )
      // A job's snapshot stays open while others of its workspace write down what it reads, so it cannot be one of their turns.
      if (snapshot && !urgent) return turns.workspaces.run(SNAPSHOTS, false, transaction, SNAPSHOT_WAIT_MS)
      return turns.workspaces.run(workspaceId, urgent, transaction)
    },
  }
}

/** The same database for transactions that a client waits for: they go before the jobs of their workspace, and a statement that hangs ends in time. */
export function urgently<D extends Pick<Database, 'workspace'>>(database: D): D {
  return {
    ...database,
    workspace: (workspaceId, work, options) =>
      database.workspace(workspaceId, work, { urgent: true, statementMs: REQUEST_STATEMENT_MS, ...options }),
  }
}

/** The same database for what requests need of accounts, workspaces and keys: a statement that hangs, as behind a lock, soon gives its connection back. */
export function controlPlane(database: Database): Database {
  return {
    ...database,
    system: (work, options) => database.system(work, { statementMs: SYSTEM_STATEMENT_MS, ...options }),
  }
}

import type { Tenant, Tx } from 'mneme/plugin'
import type { Export } from '../job.ts'
import type { RunChanges } from '../queries/writing.ts'
import type { ExportsScope } from '../scope.ts'

/** A run that writes the file of an export. */
export interface Run {
  readonly scope: ExportsScope
  readonly tenant: Tenant
  readonly target: Export
  /** Reads of the workspace; those of one round see one state where the database can do that. */
  readonly read: <T>(work: (tx: Tx) => Promise<T>) => Promise<T>
  /** The round reads a state until then, by `performance.now()`. */
  readonly until: number
  /** Writes to the export, in a short transaction that holds it. */
  readonly write: <T>(changes: RunChanges, work: (tx: Tx) => Promise<T>) => Promise<T>
}

import type { Tx } from '../db/database.ts'

/** Counts what workspaces use. Counters are kept in memory and written every second in one statement. */
export interface UsageMeter {
  /**
   * Records tokens that a model read or wrote for a workspace.
   * `operation`: `embedding`, `enrichment`, `writing`, `query` …
   */
  tokens(workspaceId: string, operation: string, input: number, output?: number): void
  /**
   * Records tokens in the caller's transaction, a tenant's own or a system one, for what that transaction writes: they count exactly
   * once if it commits, whatever becomes of the process, and else not. Until it ends, others who record for the workspace wait, so
   * call it late.
   */
  tokensIn(tx: Tx, workspaceId: string, operation: string, input: number, output?: number): Promise<void>
  /** Records one API request. */
  request(workspaceId: string): void
}

/** Counts what workspaces use. Counters are kept in memory and written every second in one statement. */
export interface UsageMeter {
  /**
   * Records tokens that a model read or wrote for a workspace.
   * `operation`: `embedding`, `enrichment`, `writing`, `query` …
   */
  tokens(workspaceId: string, operation: string, input: number, output?: number): void
  /** Records one API request. */
  request(workspaceId: string): void
}

import type { Database } from 'mneme/plugin'
import type { LoggedSearch } from './query-log.ts'

/** Makes a search as the log is given it. */
export const searched = (workspaceId: string, query: string, fields: Partial<LoggedSearch> = {}): LoggedSearch => ({
  workspaceId,
  query,
  queryHash: 'hash',
  mode: 'hybrid',
  userId: null,
  isFiltered: false,
  results: 3,
  bestScore: 0.5,
  durationMs: 12.5,
  createdAt: new Date(),
  startedAt: performance.now(),
  ...fields,
})

/** Reads the logged searches of a workspace in order. */
export const logged = (database: Database, workspaceId: string) =>
  database.workspace(
    workspaceId,
    tx => tx<{ query: string; results: number; best_score: number | null }[]>`
      select query, results, best_score from search.query_log where workspace_id = ${workspaceId} order by id`,
  )

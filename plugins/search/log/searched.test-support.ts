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
  ...fields,
})

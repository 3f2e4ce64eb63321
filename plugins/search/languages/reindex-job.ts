import type { NewJob } from 'mneme/plugin'

export const REINDEX = 'search:reindex'

/**
 * Builds the job that re-indexes a workspace after its language setting changed. A workspace has one waiting job; a further change replaces
 * it.
 *
 * @param language the new setting; null detects the language of each text
 * @param after the last memory that was re-indexed
 */
export function reindexJob(workspaceId: string, language: string | null, after: string | null = null): NewJob {
  return {
    task: REINDEX,
    key: `${REINDEX}:${workspaceId}`,
    payload: { workspace_id: workspaceId, language, after },
    // The job yields to the processing of new memories.
    priority: 10,
  }
}

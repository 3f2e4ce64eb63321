import type { NewJob } from 'mneme/plugin'

export const READ_ANEW = 'search:read-anew'

/**
 * Reads a workspace's texts anew after its language setting changed. One a workspace: a further change takes the place of one
 * that waits.
 *
 * @param language what the setting is now; null: each text in its own
 * @param after the last memory that was read
 */
export function readingJob(workspaceId: string, language: string | null, after: string | null = null): NewJob {
  return {
    task: READ_ANEW,
    key: `${READ_ANEW}:${workspaceId}`,
    payload: { workspace_id: workspaceId, language, after },
    // Behind the processing of new memories.
    priority: 10,
  }
}

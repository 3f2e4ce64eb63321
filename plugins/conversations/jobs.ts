import type { NewJob } from 'mneme/plugin'

export const EXTRACT = 'conversations:extract'

/** A workspace has so many of them read at once, so that a thousand leave room for others'. */
const AT_ONCE = 2

/** The job that goes on with a conversation from a turn on; one waits for each conversation at the most. */
export function extractionJob(workspaceId: string, id: string, turn: number, runAt?: Date): NewJob {
  return {
    task: EXTRACT,
    key: `${EXTRACT}:${id}`,
    payload: { workspace_id: workspaceId, conversation_id: id, turn },
    limit: { key: `${EXTRACT}:${workspaceId}`, max: AT_ONCE },
    ...(runAt ? { runAt } : {}),
  }
}

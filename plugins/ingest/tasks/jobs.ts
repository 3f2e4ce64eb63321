import type { NewJob } from 'mneme/plugin'
import type { Stage } from '../job.ts'

export const ADVANCE = 'ingest:advance'
export const FETCH = 'ingest:fetch'

/** Pages of a workspace that are waited for at once, over all processes. */
const FETCHES_MAX = 3

/** Goes on with the jobs of a workspace, a step at a time and in turn, so that a small file does not wait behind a large one. */
export function advanceJobOf(workspaceId: string): NewJob {
  return {
    task: ADVANCE,
    payload: { workspace_id: workspaceId },
    key: `${ADVANCE}:${workspaceId}`,
    limit: { key: `ingest:${workspaceId}`, max: 1 },
  }
}

/**
 * Fetches the next page of a workspace beside its other jobs: a host may take half a minute to answer.
 * @param retry has the page looked at again then, whatever the others do meanwhile
 */
export function fetchJobOf(workspaceId: string, retry?: { readonly jobId: string; readonly inMs: number }): NewJob {
  return {
    task: FETCH,
    payload: { workspace_id: workspaceId },
    key: `${FETCH}:${retry?.jobId ?? workspaceId}`,
    limit: { key: `${FETCH}:${workspaceId}`, max: FETCHES_MAX },
    ...(retry && { inMs: retry.inMs }),
  }
}

/** The job that does the next step of a new document. */
export function firstJobOf(workspaceId: string, stage: Stage): NewJob {
  return stage === 'fetch' ? fetchJobOf(workspaceId) : advanceJobOf(workspaceId)
}

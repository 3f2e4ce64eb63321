import type { NewJob, Tx } from 'mneme/plugin'
import { markChanged } from '../queries/changes.ts'
import type { KnowledgeScope } from '../scope.ts'
import { WAITS_MAX } from '../settings.ts'

export const COMPILE_TASK = 'knowledge:compile'

/** A workspace has documents of so many users compiled at once, so that a thousand leave room for others'. */
const AT_ONCE = 2

/** One waiting job a user: another one takes its place. */
export function compileJob(workspaceId: string, userId: string, inMs = 0): NewJob {
  return {
    task: COMPILE_TASK,
    key: `${COMPILE_TASK}:${workspaceId}:${userId}`,
    payload: { workspace_id: workspaceId, user_id: userId },
    limit: { key: `${COMPILE_TASK}:${workspaceId}`, max: AT_ONCE },
    inMs,
  }
}

/** Notes changes and has them compiled once no more came for a while, or once the first has waited long enough. */
export async function compileSoon(
  tx: Tx,
  { jobs, debounceMs }: Pick<KnowledgeScope, 'jobs' | 'debounceMs'>,
  workspaceId: string,
  userId: string,
  categories: readonly string[],
): Promise<void> {
  const waitedMs = await markChanged(tx, workspaceId, userId, categories)
  const inMs = Math.min(debounceMs, WAITS_MAX * debounceMs - waitedMs)
  // Once it is overdue the time stays, so that further changes do not send the job to the end of its workspace's line.
  await jobs.enqueue(tx, [compileJob(workspaceId, userId, inMs)])
}

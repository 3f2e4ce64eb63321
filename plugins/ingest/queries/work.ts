import { queueAgain, type Tx } from 'mneme/plugin'

/** A step was done: failures before it no longer count. */
export async function resetAttempts(tx: Tx, workspaceId: string, jobId: string): Promise<void> {
  await tx`
    update ingest.work
    set attempts = 0
    where work.workspace_id = ${workspaceId}
      and work.job_id = ${jobId}
      and work.lease is null`
}

/** Makes a job due at once, as when it was cancelled. @returns whether somebody works on it at the moment */
export async function wakeJob(tx: Tx, workspaceId: string, jobId: string): Promise<boolean> {
  const [row] = await tx<{ is_held: boolean }[]>`
    update ingest.work
    set ${queueAgain(tx, 'work')}
    where work.workspace_id = ${workspaceId}
      and work.job_id = ${jobId}
    returning work.lease is not null and work.due_at > now() as is_held`
  return row?.is_held ?? false
}

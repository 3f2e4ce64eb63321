import { queueAgain, type Tx } from 'mneme/plugin'
import { RANKS } from '../work.ts'

/**
 * A step was done: failures before it no longer count, and its job is queued by what its next one takes.
 * @returns the rank of that; undefined where the job is gone, or somebody else has it
 */
export async function queueNextStep(tx: Tx, workspaceId: string, jobId: string): Promise<number | undefined> {
  const [row] = await tx<{ rank: number }[]>`
    update ingest.work
    set attempts = 0, rank = case when job.stage = 'fetch' then ${RANKS.fetching}::smallint else ${RANKS.reading}::smallint end
    from ingest.job
    where work.workspace_id = ${workspaceId}
      and work.job_id = ${jobId}
      and work.lease is null
      and job.workspace_id = work.workspace_id
      and job.id = work.job_id
    returning work.rank`
  return row?.rank
}

/** Makes a job due at once, as when it was cancelled. @returns whether somebody works on it at the moment */
export async function wakeJob(tx: Tx, workspaceId: string, jobId: string): Promise<boolean> {
  const [row] = await tx<{ is_held: boolean }[]>`
    with woken as (
      update ingest.work
      set ${queueAgain(tx, 'work')}
      where work.workspace_id = ${workspaceId}
        and work.job_id = ${jobId}
      returning work.lease, work.due_at
    )
    select woken.lease is not null and woken.due_at > now() as is_held from woken`
  return row?.is_held ?? false
}

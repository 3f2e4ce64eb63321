import { plainArray, type Quarantine, type Tx } from 'mneme/plugin'

/**
 * Workspaces that are rolled up and whose alerts were last looked for before an instant, or that have days to count again: those first that
 * have waited longest. A check that is yet to come was noted before the clock was put back.
 */
export async function dueWorkspaces(
  tx: Tx,
  quarantine: Pick<Quarantine, 'admits'>,
  sweep: string,
  before: Date,
  limit: number,
): Promise<string[]> {
  const rows = await tx<{ workspace_id: string }[]>`
    -- across workspaces: a cron rolls up and checks all of them
    select progress.workspace_id
    from dashboard.progress
    where (
        progress.checked_at is null
        or progress.checked_at < ${before}
        or progress.checked_at > now()
        or exists (
          select
          from dashboard.past_day
          where past_day.workspace_id = progress.workspace_id
        )
      )
      and ${quarantine.admits(tx, sweep, 'progress.workspace_id')}
    order by progress.checked_at nulls first, progress.workspace_id
    limit ${limit}`
  return rows.map(row => row.workspace_id)
}

/** Tells which of some workspaces are not rolled up yet. */
export async function unwatchedOf(
  tx: Tx,
  quarantine: Pick<Quarantine, 'admits'>,
  sweep: string,
  workspaceIds: readonly string[],
): Promise<string[]> {
  const rows = await tx<{ workspace_id: string }[]>`
    -- across workspaces: a cron begins with those that are in use
    select wanted.workspace_id
    from unnest(${plainArray(workspaceIds)}::uuid[]) as wanted (workspace_id)
    where not exists (
      select
      from dashboard.progress
      where progress.workspace_id = wanted.workspace_id
    )
    and ${quarantine.admits(tx, sweep, 'wanted.workspace_id')}`
  return rows.map(row => row.workspace_id)
}

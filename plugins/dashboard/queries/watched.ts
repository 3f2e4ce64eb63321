import { plainArray, type Quarantine, type Tx } from 'mneme/plugin'

/** A workspace to look after. */
export interface DueWorkspace {
  readonly workspaceId: string
  readonly isRolledUp: boolean
  /** When its alerts were last looked for; null for never. */
  readonly checkedAt: Date | null
}

/**
 * Finds, among workspaces that are in use, those that are not rolled up yet and those whose alerts were last looked for before an instant. A
 * check that is yet to come was noted before the clock was put back.
 */
export async function dueInUse(
  tx: Tx,
  quarantine: Pick<Quarantine, 'admits'>,
  sweep: string,
  workspaceIds: readonly string[],
  before: Date,
): Promise<DueWorkspace[]> {
  const rows = await tx<(DueWorkspace & { isDue: boolean })[]>`
    -- across workspaces: a cron rolls up and checks all that are in use
    select
      progress.workspace_id as "workspaceId", true as "isRolledUp", progress.checked_at as "checkedAt",
      (progress.checked_at is null or progress.checked_at < ${before} or progress.checked_at > now())
        and ${quarantine.admits(tx, sweep, 'progress.workspace_id')} as "isDue"
    from dashboard.progress
    where progress.workspace_id = any (${plainArray(workspaceIds)}::uuid[])`
  const rolledUp = new Set(rows.map(({ workspaceId }) => workspaceId))
  const others = workspaceIds.filter(id => !rolledUp.has(id))
  return [
    ...others.map(workspaceId => ({ workspaceId, isRolledUp: false, checkedAt: null })),
    ...rows.filter(({ isDue }) => isDue),
  ]
}

/**
 * Finds, among all workspaces that are rolled up, those with days to count again, and those with an alert that lasts and was last looked
 * after before an instant: they change though nobody uses the workspace. Those come first that have waited longest.
 */
export async function dueUnused(
  tx: Tx,
  quarantine: Pick<Quarantine, 'admits'>,
  sweep: string,
  before: Date,
  limit: number,
): Promise<DueWorkspace[]> {
  return tx<DueWorkspace[]>`
    -- across workspaces: a cron looks after all of them
    select progress.workspace_id as "workspaceId", true as "isRolledUp", progress.checked_at as "checkedAt"
    from dashboard.progress
    where (
        exists (
          select
          from dashboard.past_day
          where past_day.workspace_id = progress.workspace_id
        )
        or progress.checked_at < ${before} and exists (
          select
          from dashboard.alert
          where alert.workspace_id = progress.workspace_id and alert.resolved_at is null
        )
      )
      and ${quarantine.admits(tx, sweep, 'progress.workspace_id')}
    order by progress.checked_at nulls first, progress.workspace_id
    limit ${limit}`
}

import type { Tx } from 'mneme/plugin'

export interface Progress {
  readonly rolledTo: Date
  readonly checkedAt: Date | null
}

export async function findProgress(tx: Tx, workspaceId: string, mode?: 'held'): Promise<Progress | undefined> {
  const [row] = await tx<{ rolled_to: Date; checked_at: Date | null }[]>`
    select progress.rolled_to, progress.checked_at
    from dashboard.progress
    where progress.workspace_id = ${workspaceId}
    ${mode === 'held' ? tx`for update` : tx``}`
  return row && { rolledTo: row.rolled_to, checkedAt: row.checked_at }
}

/** Begins to roll a workspace up; what another process began stays. */
export async function beginProgress(tx: Tx, workspaceId: string, from: Date): Promise<void> {
  await tx`
    insert into dashboard.progress (workspace_id, rolled_to)
    values (${workspaceId}, ${from})
    on conflict do nothing`
}

export async function setRolledTo(tx: Tx, workspaceId: string, rolledTo: Date): Promise<void> {
  await tx`
    update dashboard.progress
    set rolled_to = greatest(progress.rolled_to, ${rolledTo})
    where progress.workspace_id = ${workspaceId}`
}

export async function setCheckedAt(tx: Tx, workspaceId: string, checkedAt: Date): Promise<void> {
  await tx`
    update dashboard.progress
    set checked_at = ${checkedAt}
    where progress.workspace_id = ${workspaceId}`
}

/** The next workspaces whose dashboard somebody has looked at, in ascending order of id. */
export async function watchedWorkspaces(tx: Tx, after: string, limit: number): Promise<string[]> {
  const rows = await tx<{ workspace_id: string }[]>`
    -- across workspaces: a cron rolls up those of all of them
    select progress.workspace_id
    from dashboard.progress
    where progress.workspace_id > ${after}
    order by progress.workspace_id
    limit ${limit}`
  return rows.map(row => row.workspace_id)
}

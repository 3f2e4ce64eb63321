import type { Tx } from 'mneme/plugin'

export interface Progress {
  readonly rolledTo: Date
  readonly checkedAt: Date | null
  /** Days before it were rolled up by an earlier version, from logs that may be gone. */
  readonly keptTo: Date | null
}

/** Replaces what is there of a day, or keeps that and adds what it lacks. */
export type RollUpMode = 'replaced' | 'added'

export async function findProgress(tx: Tx, workspaceId: string, mode?: 'held'): Promise<Progress | undefined> {
  const [row] = await tx<{ rolled_to: Date; checked_at: Date | null; kept_to: Date | null }[]>`
    select progress.rolled_to, progress.checked_at, progress.kept_to
    from dashboard.progress
    where progress.workspace_id = ${workspaceId}
    ${mode === 'held' ? tx`for update` : tx``}`
  return row && { rolledTo: row.rolled_to, checkedAt: row.checked_at, keptTo: row.kept_to }
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

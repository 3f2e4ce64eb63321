import type { Tx } from 'mneme/plugin'

/** Logs go back so far. */
const LOGGED_DAYS = 400

export interface Progress {
  readonly rolledTo: Date
  readonly checkedAt: Date | null
  /** A server with a clock that was ahead rolled up what is yet to come; {@link mendProgress} sets that back. */
  readonly isAhead: boolean
}

/** Replaces what is there of a day, or where the log of the day is no longer whole, only what has become more. */
export type RollUpMode = 'replaced' | 'raised'

interface ProgressRow {
  rolled_to: Date
  checked_at: Date | null
  is_ahead: boolean
}

export async function findProgress(tx: Tx, workspaceId: string, mode?: 'held'): Promise<Progress | undefined> {
  const [row] = await tx<ProgressRow[]>`
    select progress.rolled_to, progress.checked_at, progress.rolled_to > now() as is_ahead
    from dashboard.progress
    where progress.workspace_id = ${workspaceId}
    ${mode === 'held' ? tx`for update` : tx``}`
  return (
    row && {
      rolledTo: row.rolled_to,
      checkedAt: row.checked_at,
      isAhead: row.is_ahead,
    }
  )
}

/**
 * Sets back what a server with a clock that was ahead called rolled up: to the last day with figures, whose logs are read again.
 * @returns the time, no later than the database's
 */
export async function mendProgress(tx: Tx, workspaceId: string, now: Date): Promise<Date> {
  const [[clock]] = await Promise.all([
    tx<{ now: Date }[]>`select least(${now}::timestamptz, now()) as now`,
    tx`
      update dashboard.progress
      set rolled_to = known.day
      from (
        select coalesce(max(day.day), date_trunc('day', now(), 'UTC') - ${LOGGED_DAYS}::int * interval '1 day') as day
        from dashboard.day
        where day.workspace_id = ${workspaceId}
          and day.day <= now()
      ) as known
      where progress.workspace_id = ${workspaceId}
        and progress.rolled_to > now()`,
  ])
  return clock?.now ?? now
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
    set checked_at = least(${checkedAt}::timestamptz, now())
    where progress.workspace_id = ${workspaceId}`
}

import type { Quarantine, Tx } from 'mneme/plugin'

/** An export or an import that has not ended. */
export interface Unfinished {
  readonly kind: 'export' | 'import'
  readonly workspaceId: string
  readonly id: string
  /** For so long nothing was done with it. */
  readonly quietMs: number
}

/**
 * Finds those of any workspace with which nothing was done for some minutes, but those that the sweep holds back, in a transaction of the
 * system. The order is random, so that many of workspaces whose plan lacks the feature keep no other from its turn.
 */
export async function findUnfinished(
  tx: Tx,
  quarantine: Quarantine,
  sweep: string,
  quietMinutes: number,
  limit: number,
): Promise<Unfinished[]> {
  return tx<Unfinished[]>`
    -- across workspaces: finds exports and imports without progress
    select unfinished.kind, unfinished.workspace_id as "workspaceId", unfinished.id,
      greatest(0, extract(epoch from now() - unfinished.updated_at) * 1000)::float8 as "quietMs"
    from (
      select 'export' as kind, export.workspace_id, export.id, export.updated_at
      from exports.export
      where export.status in ('PENDING', 'PROCESSING')
      union all
      select 'import', import.workspace_id, import.id, import.updated_at
      from exports.import
      where import.status in ('PENDING', 'PROCESSING')
    ) as unfinished
    -- A time that is yet to come was noted before the clock was put back.
    where abs(extract(epoch from now() - unfinished.updated_at)) > ${quietMinutes}::int * 60
      and ${quarantine.admits(tx, sweep, 'unfinished.workspace_id', 'unfinished.id')}
    order by random()
    limit ${limit}`
}

import type { Database, TenantDirectory } from 'mneme/plugin'
import { retentionDays } from '../../memories/contract.ts'

/** Deletes searches older than their workspace keeps them, and in any case than `daysMax`. */
export async function purgeSearches(database: Database, tenants: TenantDirectory, daysMax: number): Promise<void> {
  const logged = await database.system(
    tx => tx<{ workspace_id: string }[]>`
      -- across workspaces: finds the workspaces whose log is purged, one by one
      select query_log.workspace_id
      from search.query_log
      group by query_log.workspace_id`,
  )
  for (const { workspace_id } of logged) {
    const workspace = await tenants.find(workspace_id)
    const days = Math.min(daysMax, (workspace && retentionDays.of(workspace)) ?? daysMax)
    await database.workspace(
      workspace_id,
      tx => tx`
        delete from search.query_log
        where query_log.workspace_id = ${workspace_id}
          and query_log.created_at < now() - make_interval(days => ${days})`,
    )
  }
}

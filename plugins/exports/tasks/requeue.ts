import type { Quarantine, Tx } from 'mneme/plugin'
import { hasFeature, type NewJob, Type, tasksOf } from 'mneme/plugin'
import { importJob, writeJob } from '../job.ts'
import { type ExportsScope, FEATURE } from '../scope.ts'

const NAME = 'exports:requeue'
/** Longer than an import runs. Of an export that is read back for longer, the second job waits for the first and finds it complete. */
const QUIET_MINUTES = 15
const LIMIT = 1000

/**
 * A safety net below the jobs, which are added with exports and imports: jobs that come while the workspace's plan lacks the feature are left
 * out, and nothing else would add them again.
 */
export const requeueTask = tasksOf<ExportsScope>()({
  name: NAME,
  payload: Type.Object({}),
  async run({ scope: { database, quarantine, tenants, jobs }, signal }) {
    await quarantine.sweep({
      name: NAME,
      items: await database.system(tx => findUnfinished(tx, quarantine, NAME, QUIET_MINUTES, LIMIT)),
      workspaceOf: ({ workspaceId }) => workspaceId,
      idOf: ({ id }) => id,
      signal,
      async work(workspaceId, own) {
        const workspace = await tenants.find(workspaceId)
        if (!workspace || !hasFeature(workspace, FEATURE)) return
        await database.workspace(workspaceId, tx => jobs.enqueue(tx, own.map(jobOf)))
      },
    })
  },
})

/** A job that still waits is replaced, and keeps about the place that it had in line. */
function jobOf({ kind, workspaceId, id, quietMs }: Unfinished): NewJob {
  return kind === 'export' ? writeJob(workspaceId, id, -quietMs) : importJob(workspaceId, id, -quietMs)
}

/** An export or an import that has not ended. */
interface Unfinished {
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
async function findUnfinished(
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

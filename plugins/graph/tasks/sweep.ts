import { randomUUID } from 'node:crypto'
import { Type } from '@sinclair/typebox'
import { hasFeature, type Tx, tasksOf } from 'mneme/plugin'
import type { GraphScope } from '../scope.ts'
import { extractJob, FEATURE } from './queue-step.ts'

const task = tasksOf<GraphScope>()

/** Workspaces looked at in one run; the next run begins elsewhere. */
const WORKSPACES_MAX = 500

/**
 * Adds the jobs of workspaces where something is due that no job was added for: what waits for a model, what failed, and what was
 * stored before the plan had the feature.
 */
export const sweepTask = task({
  name: 'graph:sweep',
  payload: Type.Object({}),
  async run({ scope, signal }) {
    const from = randomUUID()
    const due = await scope.database.system(async tx => {
      const after = await dueWorkspaces(tx, { from, limit: WORKSPACES_MAX })
      return [...after, ...(await dueWorkspaces(tx, { before: from, limit: WORKSPACES_MAX - after.length }))]
    })
    for (const workspaceId of due) {
      if (signal.aborted) return
      const workspace = await scope.tenants.find(workspaceId)
      if (!workspace || !hasFeature(workspace, FEATURE)) continue
      await scope.database.workspace(workspaceId, tx => scope.jobs.enqueue(tx, [extractJob(workspaceId)]))
    }
  },
})

/** Workspaces with something due: of each one step of the index, however much waits there. */
async function dueWorkspaces(
  tx: Tx,
  { from = LEAST, before = null, limit }: { from?: string; before?: string | null; limit: number },
): Promise<string[]> {
  const rows = await tx<{ workspace_id: string }[]>`
    -- across workspaces: finds workspaces with pending memories
    with recursive found as (
      (
        select reading.workspace_id
        from graph.reading
        where reading.waiting
          and reading.workspace_id >= ${from}
        order by reading.workspace_id
        limit 1
      )
      union all
      select (
        select reading.workspace_id
        from graph.reading
        where reading.waiting
          and reading.workspace_id > found.workspace_id
        order by reading.workspace_id
        limit 1
      )
      from found
      where found.workspace_id is not null
        and (${before}::uuid is null or found.workspace_id < ${before}::uuid)
    ),
    looked_at as (select found.workspace_id from found where found.workspace_id is not null limit ${WORKSPACES_MAX})
    select looked_at.workspace_id
    from looked_at
    where (${before}::uuid is null or looked_at.workspace_id < ${before}::uuid)
      and exists (
        select
        from graph.reading
        where reading.workspace_id = looked_at.workspace_id
          and reading.waiting
          -- Either: named, so that each is one step of the index.
          and reading.behind = any(array[false, true])
          and reading.due_at <= now()
      )
    limit ${limit}`
  return rows.map(row => row.workspace_id)
}

const LEAST = '00000000-0000-0000-0000-000000000000'

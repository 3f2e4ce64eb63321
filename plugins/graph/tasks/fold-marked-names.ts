import { type Tx, textArray } from 'mneme/plugin'
import { regroupEntities } from '../resolve/regroup-entities.ts'
import type { GraphScope } from '../scope.ts'
import { lockUsers } from '../writing/withdraw.ts'
import { settle } from '../writing/write-extractions.ts'

const NAME = 'graph:fold-names'
/** Users that one run serves; the next goes on behind them. */
const USERS_MAX = 200
/** Names of one transaction. */
const NAMES_MAX = 100

interface Marked {
  readonly workspaceId: string
  readonly userId: string
}

/** Folds names that several entities of a user bear since they were told apart by their types, which a migration marked. */
export async function foldMarkedNames(scope: GraphScope, signal: AbortSignal): Promise<void> {
  await scope.quarantine.sweep({
    name: NAME,
    items: await scope.database.system(tx => markedUsers(tx, scope)),
    workspaceOf: ({ workspaceId }) => workspaceId,
    idOf: ({ userId }) => userId,
    signal,
    async work(workspaceId, users) {
      for (const { userId } of users) await foldNames(scope, { workspaceId, userId }, signal)
    },
  })
}

function markedUsers(tx: Tx, { quarantine }: GraphScope): Promise<Marked[]> {
  return tx<Marked[]>`
    -- across workspaces: finds whose names a migration marked
    select distinct name.workspace_id as "workspaceId", name.user_id as "userId"
    from graph.name
    where name.is_unfolded
      and ${quarantine.admits(tx, NAME, 'name.workspace_id', 'name.user_id')}
    limit ${USERS_MAX}`
}

async function foldNames({ database, events }: GraphScope, owner: Marked, signal: AbortSignal): Promise<void> {
  const { workspaceId, userId } = owner
  for (let left = true; left && !signal.aborted; ) {
    left = await database.workspace(workspaceId, async tx => {
      await lockUsers(tx, workspaceId, [userId])
      const names = await unmark(tx, owner)
      const { entityIds, triples } = await regroupEntities(tx, owner, { names, entityIds: [] })
      await settle(tx, events, owner, { triples: [...triples], entityIds: new Set(entityIds), categories: new Set() })
      return names.length === NAMES_MAX
    })
  }
}

/** Takes the mark off some names. */
async function unmark(tx: Tx, { workspaceId, userId }: Marked): Promise<string[]> {
  const rows = await tx<{ name: string }[]>`
    select distinct name.normal_name as name
    from graph.name
    where name.workspace_id = ${workspaceId}
      and name.user_id = ${userId}
      and name.is_unfolded
    limit ${NAMES_MAX}`
  const names = rows.map(row => row.name)
  await tx`
    update graph.name
    set is_unfolded = false
    where name.workspace_id = ${workspaceId}
      and name.user_id = ${userId}
      and name.normal_name = any(${textArray(names)}::text[])`
  return names
}

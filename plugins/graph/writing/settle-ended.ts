import { type EventPublisher, plainArray, type Tx } from 'mneme/plugin'
import { describeEntities } from '../describing/describe-entities.ts'
import type { Owner } from '../resolve/owner.ts'
import { publishFactsChanged } from './publish-facts-changed.ts'
import { categoriesOf } from './store-facts.ts'
import { lockUsers } from './withdraw.ts'

/** An edge whose told end has come while nothing was written. */
export interface EndedEdge {
  readonly id: string
  readonly sourceId: string
  readonly targetId: string
}

/** Brings what others tell of some edges of one user up to date: descriptions, and whoever listens. */
export async function settleEnded(
  tx: Tx,
  events: EventPublisher,
  owner: Owner,
  edges: readonly EndedEdge[],
): Promise<void> {
  const { workspaceId, userId } = owner
  await lockUsers(tx, workspaceId, [userId])
  await describeEntities(tx, workspaceId, [...new Set(edges.flatMap(({ sourceId, targetId }) => [sourceId, targetId]))])
  const rows = await tx<{ memory_id: string }[]>`
    select distinct evidence.memory_id
    from graph.evidence
    where evidence.workspace_id = ${workspaceId}
      and evidence.edge_id = any(${plainArray(edges.map(({ id }) => id))}::uuid[])`
  const memoryIds = rows.map(row => row.memory_id)
  await publishFactsChanged(tx, events, owner, await categoriesOf(tx, workspaceId, memoryIds))
}

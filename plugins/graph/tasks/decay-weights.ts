import { Type } from '@sinclair/typebox'
import type { EventPublisher } from 'mneme/plugin'
import { plainArray, type Quarantine, type Tx, tasksOf } from 'mneme/plugin'
import { describeEntities } from '../describing/describe-entities.ts'
import type { Owner } from '../resolve/owner.ts'
import type { GraphScope } from '../scope.ts'
import { publishFactsChanged } from '../writing/publish-facts-changed.ts'
import { categoriesOf } from '../writing/store-facts.ts'
import { lockUsers } from '../writing/withdraw.ts'

const task = tasksOf<GraphScope>()

const NAME = 'graph:decay-weights'

/** Edges of one transaction, and of one run; what is left is for the next. */
const EDGES = 1_000
const EDGES_MAX = 200_000

interface StaleEdge {
  readonly workspace_id: string
  readonly user_id: string
  readonly id: string
  readonly source_id: string
  readonly target_id: string
  /** Its told end came since it was last looked at. */
  readonly is_over: boolean
  readonly looked_at: Date
}

/**
 * Lets the stored weights of edges decay, and has those told of no more whose end has come ("until 2027"). Only what was not
 * looked at for a day, so that many runs share the work.
 */
export const decayWeightsTask = task({
  name: NAME,
  payload: Type.Object({}),
  async run({ scope, signal }) {
    for (let looked = 0; looked < EDGES_MAX && !signal.aborted; looked += EDGES) {
      const stale = await scope.database.system(tx => staleEdges(tx, scope.quarantine, EDGES))
      // First, so that a process that is killed here leaves them to the next.
      await settleOver(
        scope,
        stale.filter(edge => edge.is_over),
        signal,
      )
      await scope.quarantine.sweep({
        name: NAME,
        items: stale,
        workspaceOf: edge => edge.workspace_id,
        idOf: edge => edge.id,
        signal,
        work: (workspaceId, edges) => scope.database.workspace(workspaceId, tx => decayWeights(tx, workspaceId, edges)),
      })
      if (stale.length < EDGES) return
    }
  },
})

/** Edges that were not looked at for a day, but those that cannot be weighed. */
function staleEdges(tx: Tx, quarantine: Quarantine, limit: number): Promise<StaleEdge[]> {
  return tx<StaleEdge[]>`
    -- across workspaces: finds edges that were not weighed for a day
    select
      edge.workspace_id, edge.user_id, edge.id, edge.source_id, edge.target_id,
      edge.known_to is null and coalesce(edge.valid_to >= edge.weighed_at and edge.valid_to <= now(), false) as is_over,
      now() as looked_at
    from graph.edge
    where edge.weighed_at < now() - interval '1 day'
      and ${quarantine.admits(tx, NAME, 'edge.workspace_id', 'edge.id')}
    order by edge.weighed_at
    limit ${limit}`
}

async function settleOver(
  { database, events, quarantine }: GraphScope,
  over: readonly StaleEdge[],
  signal: AbortSignal,
): Promise<void> {
  await quarantine.sweep({
    name: NAME,
    items: over,
    workspaceOf: edge => edge.workspace_id,
    idOf: edge => edge.id,
    signal,
    async work(workspaceId, edges) {
      for (const [userId, own] of Map.groupBy(edges, edge => edge.user_id)) {
        const ended = own.map(edge => ({ id: edge.id, sourceId: edge.source_id, targetId: edge.target_id }))
        await database.workspace(workspaceId, tx => settleEnded(tx, events, { workspaceId, userId }, ended))
      }
    },
  })
}

async function decayWeights(tx: Tx, workspaceId: string, edges: readonly StaleEdge[]): Promise<void> {
  const [first] = edges
  if (!first) return
  await tx`
    with stale as (
      select edge.id
      from graph.edge
      where edge.workspace_id = ${workspaceId}
        and edge.id = any(${plainArray(edges.map(({ id }) => id))}::uuid[])
        and edge.weighed_at < now() - interval '1 day'
      for update of edge skip locked
    ),
    weighed as (
      select stale.id, (1 - exp(sum(ln(greatest(1 - strongest.strength, 1e-9)))))::real as weight
      from stale
      cross join lateral (
        select max(evidence.confidence * graph.decay(evidence.type, now() - evidence.stated_at)) as strength
        from graph.evidence
        where evidence.workspace_id = ${workspaceId}
          and evidence.edge_id = stale.id
        group by evidence.memory_id
      ) as strongest
      group by stale.id
    )
    update graph.edge
    -- As of the look: an end that came after it is for the next one.
    set weight = weighed.weight, weighed_at = ${first.looked_at}
    from weighed
    where edge.workspace_id = ${workspaceId}
      and edge.id = weighed.id`
}

/** An edge whose told end has come while nothing was written. */
interface EndedEdge {
  readonly id: string
  readonly sourceId: string
  readonly targetId: string
}

/** Brings what others tell of some edges of one user up to date: descriptions, and whoever listens. */
async function settleEnded(tx: Tx, events: EventPublisher, owner: Owner, edges: readonly EndedEdge[]): Promise<void> {
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

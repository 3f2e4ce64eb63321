import { Type } from '@sinclair/typebox'
import type { Tx } from '../../../core/db/database.ts'
import { tasksOf } from '../../../core/jobs/task.ts'
import type { GraphScope } from '../scope.ts'

const task = tasksOf<GraphScope>()

/** Edges of one transaction, and of one run; what is left is for the next. */
const EDGES = 1_000
const EDGES_MAX = 200_000

/** Lets the stored weights of edges decay. Only what was not weighed for a day, so that many runs share the work. */
export const weighAnewTask = task({
  name: 'graph:weigh-anew',
  payload: Type.Object({}),
  async run({ scope, signal }) {
    for (let weighed = 0; weighed < EDGES_MAX && !signal.aborted; weighed += EDGES) {
      if ((await scope.database.system(tx => weighAnew(tx, EDGES))) < EDGES) return
    }
  },
})

/** Weighs edges that were not for a day. @returns how many */
async function weighAnew(tx: Tx, limit: number): Promise<number> {
  const rows = await tx`
    with stale as (
      select edge.workspace_id, edge.id
      from graph.edge
      where edge.weighed_at < now() - interval '1 day'
      order by edge.weighed_at
      limit ${limit}
      for update skip locked
    ),
    weighed as (
      select stale.workspace_id, stale.id, (1 - exp(sum(ln(greatest(1 - strongest.strength, 1e-9)))))::real as weight
      from stale
      cross join lateral (
        select max(evidence.confidence * graph.decay(evidence.type, now() - evidence.stated_at)) as strength
        from graph.evidence
        where evidence.workspace_id = stale.workspace_id
          and evidence.edge_id = stale.id
        group by evidence.memory_id
      ) as strongest
      group by stale.workspace_id, stale.id
    )
    update graph.edge
    set weight = weighed.weight, weighed_at = now()
    from weighed
    where edge.workspace_id = weighed.workspace_id
      and edge.id = weighed.id
    returning edge.id`
  return rows.length
}

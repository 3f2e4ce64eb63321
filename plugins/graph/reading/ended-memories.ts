import { languageDetector, type Tx, textArray } from 'mneme/plugin'
import { questionTime } from 'text-reader/inquiries'
import type { Holding, HoldingSource } from '../../memories/contract.ts'
import type { EndedRequest, EndedSource } from '../../search/contract.ts'
import { ONE_AT_A_TIME } from '../writing/fold-evidence.ts'
import { hasEnded, isStated } from './ended.ts'
import { possibleNames } from './spotting.ts'

/** So many memories tell what holds instead of one. */
const INSTEAD_MAX = 3

/**
 * Memories that state relationships of which none holds any more, for questions about the present. A query that names what such a relationship was
 * with asks for that. What holds instead is known of relationships of which one has one at a time.
 */
export const graphEnded: EndedSource = {
  id: 'graph.ended',
  async ended(tx, request) {
    if (request.memoryIds.length === 0) return new Map()
    const { tense } = questionTime(request.query, await languageDetector())
    if (tense !== 'now') return new Map()
    return new Map(
      [...(await readEnded(tx, request))].map(([memoryId, { supersededBy = [] }]) => [memoryId, supersededBy]),
    )
  },
}

/** Memories that state relationships of which none holds any more, whatever is asked. */
export const graphHoldings: HoldingSource = {
  id: 'graph.ended',
  async holdings(tx, workspaceId, memoryIds) {
    return memoryIds.length === 0 ? new Map() : readEnded(tx, { workspaceId, query: '', memoryIds })
  },
}

async function readEnded(tx: Tx, request: EndedRequest): Promise<Map<string, Holding>> {
  const rows = await tx<{ memory_id: string; instead: string | null; ended_at: Date | null }[]>`
    with stated as (${statedBy(tx, request)}),
    over as (
      select
        stated.memory_id, stated.source_id, stated.type,
        max(max(stated.ended_at)) over (partition by stated.memory_id) as ended_at
      from stated
      where stated.memory_id in (
        select stated.memory_id
        from stated
        group by stated.memory_id
        having bool_and(stated.has_ended) and not bool_or(stated.is_named)
      )
      group by stated.memory_id, stated.source_id, stated.type
    ),
    instead as (${heldInstead(tx, request)})
    select over.memory_id, over.ended_at, instead.memory_id as instead
    from over
    left join instead on instead.source_id = over.source_id and instead.type = over.type
    order by instead.stated_at desc, instead.memory_id`
  return new Map(
    [...Map.groupBy(rows, row => row.memory_id)].map(([memoryId, own]) => {
      const instead = [...new Set(own.flatMap(row => row.instead ?? []))].slice(0, INSTEAD_MAX)
      const [{ ended_at: endedAt } = { ended_at: null }] = own
      return [memoryId, { ...(endedAt ? { endedAt } : {}), supersededBy: instead }] as const
    }),
  )
}

/** Selects the relationships that the memories state, whether they have ended, and whether the query names what they are with. */
function statedBy(tx: Tx, { workspaceId, query, memoryIds }: EndedRequest) {
  const names = possibleNames(query).map(name => name.normal)
  return tx`
    select
      evidence.memory_id, edge.source_id, edge.type, coalesce(${hasEnded(tx)}, false) as has_ended,
      least(edge.valid_to, edge.known_to) as ended_at,
      exists (
        select from graph.name
        where name.workspace_id = ${workspaceId}
          and name.entity_id = edge.target_id
          and name.normal_name = any(${textArray(names)}::text[])
      ) as is_named
    from graph.evidence
    left join graph.edge on edge.workspace_id = evidence.workspace_id and edge.id = evidence.edge_id
    where evidence.workspace_id = ${workspaceId}
      and evidence.memory_id = any(${textArray(memoryIds)}::uuid[])
      and ${isStated(tx)}`
}

/**
 * Selects the newest memories that state what holds of what is `over`. That is read once of each kind of relationship that somebody has, however
 * many memories state what it was.
 */
function heldInstead(tx: Tx, { workspaceId }: EndedRequest) {
  return tx`
    select slot.source_id, slot.type, told.memory_id, told.stated_at
    from (select distinct source_id, type from over where type = any(${textArray([...ONE_AT_A_TIME])}::text[])) as slot
    cross join lateral (
      select evidence.memory_id, max(evidence.stated_at) as stated_at
      from graph.evidence
      join graph.edge on edge.workspace_id = evidence.workspace_id and edge.id = evidence.edge_id
      where evidence.workspace_id = ${workspaceId}
        and evidence.source_id = slot.source_id
        and evidence.type = slot.type
        and ${isStated(tx)}
        and not ${hasEnded(tx)}
      group by evidence.memory_id
      order by max(evidence.stated_at) desc, evidence.memory_id
      limit ${INSTEAD_MAX}
    ) as told`
}

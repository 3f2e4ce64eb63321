import { languageDetector, plainArray, type Tx, textArray } from 'mneme/plugin'
import { questionTime } from 'text-reader/inquiries'
import type { Holding, HoldingSource } from '../../memories/contract.ts'
import type { EndedRequest, EndedSource } from '../../search/contract.ts'
import type { RelationType } from '../contract.ts'
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

/** A relationship that has ended; of a kind that somebody has one of at a time, what holds now took its place. */
interface Over {
  readonly memory_id: string
  readonly source_id: string
  readonly type: RelationType
  readonly ended_at: Date | null
}

async function readEnded(tx: Tx, request: EndedRequest): Promise<Map<string, Holding>> {
  const over = await readOver(tx, request)
  const slots = over.filter(({ type }) => ONE_AT_A_TIME.has(type))
  // Most memories state nothing that has ended.
  const instead = slots.length > 0 ? await heldInstead(tx, request.workspaceId, slots) : []
  const bySlot = Map.groupBy(instead, slotOf)
  return new Map(
    [...Map.groupBy(over, ({ memory_id: id }) => id)].map(([memoryId, own]) => {
      const told = own.flatMap(one => bySlot.get(slotOf(one)) ?? [])
      const newestFirst = told.toSorted((a, b) => b.stated_at.getTime() - a.stated_at.getTime())
      const supersededBy = [...new Set(newestFirst.map(({ memory_id: id }) => id))].slice(0, INSTEAD_MAX)
      const endedAt = own.flatMap(({ ended_at: at }) => at ?? []).toSorted((a, b) => b.getTime() - a.getTime())[0]
      return [memoryId, { ...(endedAt ? { endedAt } : {}), supersededBy }] as const
    }),
  )
}

function slotOf({ source_id: source, type }: Pick<Over, 'source_id' | 'type'>): string {
  return `${source} ${type}`
}

/** Reads the relationships of memories of which none holds any more, and none is with what the query names. */
function readOver(tx: Tx, { workspaceId, query, memoryIds }: EndedRequest): Promise<Over[]> {
  const names = possibleNames(query).map(name => name.normal)
  const isNamed = tx`exists (
    select from graph.name
    where name.workspace_id = ${workspaceId}
      and name.entity_id = edge.target_id
      and name.normal_name = any(${textArray(names)}::text[])
  )`
  return tx<Over[]>`
    select distinct stated.memory_id, stated.source_id, stated.type, stated.ended_at
    from (
      select
        evidence.memory_id, edge.source_id, edge.type, least(edge.valid_to, edge.known_to) as ended_at,
        bool_and(coalesce(${hasEnded(tx)}, false) ${names.length > 0 ? tx`and not ${isNamed}` : tx``})
          over (partition by evidence.memory_id) as is_over
      from graph.evidence
      left join graph.edge on edge.workspace_id = ${workspaceId} and edge.id = evidence.edge_id
      where evidence.workspace_id = ${workspaceId}
        and evidence.memory_id = any(${plainArray(memoryIds)}::uuid[])
        and ${isStated(tx)}
    ) as stated
    where stated.is_over`
}

/** Reads the newest memories that state what holds in slots. */
function heldInstead(tx: Tx, workspaceId: string, slots: readonly Over[]) {
  const wanted = [...new Map(slots.map(one => [slotOf(one), one])).values()]
  return tx<{ source_id: string; type: RelationType; memory_id: string; stated_at: Date }[]>`
    select slot.source_id, slot.type, told.memory_id, told.stated_at
    from unnest(
      ${plainArray(wanted.map(one => one.source_id))}::uuid[], ${textArray(wanted.map(({ type }) => type))}::text[]
    ) as slot (source_id, type)
    cross join lateral (
      select evidence.memory_id, max(evidence.stated_at) as stated_at
      from graph.evidence
      join graph.edge on edge.workspace_id = ${workspaceId} and edge.id = evidence.edge_id
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

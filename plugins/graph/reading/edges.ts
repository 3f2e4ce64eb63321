import type { Tx } from 'mneme/plugin'
import type { EntityType, RelationType } from '../contract.ts'
import { type At, endOf, holds, instantOf } from './instants.ts'

/** An entity as relationships name it. */
export interface EntityReference {
  readonly id: string
  readonly name: string
  readonly type: EntityType
}

/** A relationship as it is read. */
export interface EdgeRow {
  readonly id: string
  readonly type: RelationType
  readonly weight: number
  readonly current: boolean
  readonly valid_from: Date | null
  readonly valid_to: Date | null
  readonly known_from: Date
  readonly known_to: Date | null
  readonly source_id: string
  readonly target_id: string
  readonly memory_ids: readonly string[]
}

/** Memories that are named for one relationship. */
const EVIDENCE_SHOWN = 50
/** Nothing is as sure as 1, of which no logarithm is left. */
const STRENGTH_MAX = 0.9999

/** The columns of an {@link EdgeRow} from `edge` and `said`, as a fragment of a select list. */
export function edgeColumns(tx: Tx, at: At) {
  return tx`
    edge.id, edge.type, said.weight, said.memory_ids, ${holds(tx, at)} as current,
    edge.valid_from, ${endOf(tx, at)} as valid_to, edge.known_from, edge.known_to, edge.source_id, edge.target_id`
}

/**
 * Joins the evidence of `edge` up to that instant as `said`: the memories, the newest first, and the weight they give it then. Each
 * memory counts once, by the surest thing it says.
 */
export function edgeEvidence(tx: Tx, workspaceId: string, at: At) {
  return tx`
    cross join lateral (
      select
        coalesce(1 - exp(sum(ln(1 - least(memory.strength, ${STRENGTH_MAX})))), edge.weight) as weight,
        coalesce(
          to_json((array_agg(memory.id order by memory.stated_at desc, memory.id))[1:${EVIDENCE_SHOWN}]), '[]'::json
        ) as memory_ids
      from (
        select
          evidence.memory_id as id,
          max(evidence.stated_at) as stated_at,
          coalesce(
            max(evidence.confidence * graph.decay(edge.type, ${instantOf(tx, at)} - evidence.stated_at))
              filter (where not evidence.closes),
            0
          ) as strength
        from graph.evidence
        where evidence.workspace_id = ${workspaceId}
          and evidence.edge_id = edge.id
          ${at === undefined ? tx`` : tx`and evidence.stated_at <= ${at}`}
        group by evidence.memory_id
      ) as memory
    ) as said`
}

/** The fields that every response shows of a relationship beside its ends and its memories. */
export function edgeFields(row: Omit<EdgeRow, 'memory_ids'>) {
  return {
    id: row.id,
    type: row.type,
    weight: Math.round(Math.min(1, Math.max(0, row.weight)) * 10_000) / 10_000,
    current: row.current,
    valid_from: row.valid_from?.toISOString() ?? null,
    valid_to: row.valid_to?.toISOString() ?? null,
  }
}

/** The same with the memories that say so. */
export function edgeForm(row: EdgeRow) {
  return { ...edgeFields(row), memory_ids: row.memory_ids }
}

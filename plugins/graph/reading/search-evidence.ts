import { type Tx, textArray } from 'mneme/plugin'
import type { AliasSource, EvidenceRequest, EvidenceSource, MemoryEvidence } from '../../search/contract.ts'
import { possibleNames } from './spotting.ts'

/** Memories that one search is told about. */
const MEMORIES_MAX = 200
/** Entities of one query, those of rare names first. */
const ENTITIES_MAX = 12
/** An entity that more memories name tells nothing about any of them. */
const MENTIONS_MAX = 300
/** An entity that this many memories name tells half as much as one that a single memory names. */
const HALF_RARE = 15
/** A memory that states a relationship of the entity without naming it, as "she left the company", tells this much of one that names it. */
const UNNAMED = 0.5
const ALIASES_MAX = 20

/**
 * Memories that speak of what a query names without using its name: by another name, or in a fact that leaves the name out. The
 * surer the mention and the rarer the entity, the stronger. A memory with the very name that the query has is found by that
 * word already; to count it a second time made results worse (the README has the figures).
 */
export const graphEvidence: EvidenceSource = {
  id: 'graph.mentions',
  async evidence(tx, request) {
    const names = possibleNames(request.query)
    if (names.length === 0) return new Map()
    const rows = await strongest(
      tx,
      request,
      names.map(name => name.normal),
    )
    return new Map(rows.map(row => [row.memory_id, evidenceOf(row)]))
  },
}

interface EvidenceRow {
  readonly memory_id: string
  readonly strength: number
  readonly names: readonly string[]
}

/** Finds the memories of entities with one of the names, limited to entities that few memories mention. */
function strongest(tx: Tx, request: EvidenceRequest, names: readonly string[]): Promise<EvidenceRow[]> {
  return tx<EvidenceRow[]>`
    with spotted as (${spotted(tx, request, names)}),
    counted as (
      select spotted.entity_id, spotted.normal_name, mentions.number
      from spotted
      cross join lateral (
        select count(*) as number
        from (
          select mention.memory_id from graph.mention
          where mention.workspace_id = ${request.workspaceId} and mention.entity_id = spotted.entity_id
          limit ${MENTIONS_MAX + 1}
        ) as those
      ) as mentions
      where mentions.number between 1 and ${MENTIONS_MAX}
      order by mentions.number, spotted.entity_id
      limit ${ENTITIES_MAX}
    ),
    told as (${toldOf(tx, request)}),
    surest as (
      select told.memory_id, told.entity_id, told.normal_name, max(told.strength) as strength
      from told
      group by told.memory_id, told.entity_id, told.normal_name
    )
    select
      surest.memory_id,
      1 - exp(sum(ln(1 - least(surest.strength, 0.9999)))) as strength,
      to_json(array_agg(distinct surest.normal_name)) as names
    from surest
    group by surest.memory_id
    order by strength desc, surest.memory_id
    limit ${MEMORIES_MAX}`
}

/** Finds memories that mention the `counted` entities by another name or by none. */
function toldOf(tx: Tx, { workspaceId }: EvidenceRequest) {
  const rarity = tx`(1 / (1 + (counted.number - 1) / ${HALF_RARE}::double precision))`
  return tx`
    select mention.memory_id, counted.entity_id, counted.normal_name, mention.confidence * ${rarity} as strength
    from counted
    join graph.mention on mention.workspace_id = ${workspaceId} and mention.entity_id = counted.entity_id
    where counted.normal_name <> all(mention.normal_names)
    union all
    select evidence.memory_id, counted.entity_id, counted.normal_name, evidence.confidence * ${UNNAMED} * ${rarity}
    from counted
    join graph.evidence on evidence.workspace_id = ${workspaceId} and evidence.source_id = counted.entity_id
    where not exists (
      select from graph.mention
      where mention.workspace_id = ${workspaceId}
        and mention.memory_id = evidence.memory_id
        and mention.entity_id = counted.entity_id
    )`
}

/** The other names of what a query names. */
export const graphAliases: AliasSource = {
  id: 'graph.aliases',
  async aliases(tx, request) {
    const names = possibleNames(request.query)
    if (names.length === 0) return []
    const given = names.map(name => name.normal)
    const rows = await tx<{ normal_name: string }[]>`
      with spotted as (${spotted(tx, request, given)})
      select name.normal_name
      from spotted
      join graph.name on name.workspace_id = ${request.workspaceId} and name.entity_id = spotted.entity_id
      where name.normal_name <> all(${textArray(given)}::text[])
      group by name.normal_name
      order by length(name.normal_name), name.normal_name
      limit ${ALIASES_MAX}`
    return rows.map(row => row.normal_name)
  },
}

/** The entities that go by one of the names; an entity once, by its longest one. */
function spotted(tx: Tx, { workspaceId, userId }: EvidenceRequest, names: readonly string[]) {
  return tx`
    select distinct on (name.entity_id) name.entity_id, name.normal_name
    from graph.name
    where name.workspace_id = ${workspaceId}
      ${userId === undefined ? tx`` : tx`and name.user_id = ${userId}`}
      and name.normal_name = any(${textArray(names)}::text[])
    order by name.entity_id, length(name.normal_name) desc`
}

function evidenceOf({ strength, names }: EvidenceRow): MemoryEvidence {
  return { strength: Math.min(1, Math.max(0, strength)), names }
}

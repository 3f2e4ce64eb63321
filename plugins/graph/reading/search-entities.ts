import { type Tx, textArray } from 'mneme/plugin'
import type { EntityType } from '../contract.ts'
import { normalName } from '../resolve/normal-name.ts'
import { conditions } from './entities.ts'
import type { At } from './instants.ts'
import type { TextVector } from './query-vector.ts'
import { possibleNames } from './spotting.ts'

export interface EntitySearch {
  readonly query: string
  /** Undefined where the model is away: names are found all the same. */
  readonly vector: TextVector | undefined
  readonly userId?: string | undefined
  readonly type?: EntityType | undefined
  readonly limit: number
  readonly at?: At
}

export interface FoundEntity {
  readonly id: string
  readonly name: string
  readonly type: EntityType
  readonly description: string | null
  readonly is_user: boolean
  readonly score: number
}

/** Scores a name match: the query is the name, begins it, is a word of it, or contains it. */
const EXACT = 1
const BEGINS_WORD = 0.9
const BEGINS = 0.8
const WITHIN = 0.75
const NAMED = 0.7
/** Texts below this cosine have nothing to do with each other. */
const FLOOR = 0.1
/** Names that are looked at beyond the limit: some belong to entities that the filter drops. */
const NAMES_MAX = 200

/**
 * Entities whose name or description is near to the query: an exact scan of all vectors of the workspace by the model in use,
 * and names, which count at once, before any vector is made.
 */
export async function searchEntities(tx: Tx, workspaceId: string, search: EntitySearch): Promise<FoundEntity[]> {
  const { query, vector, limit } = search
  const normal = normalName(query)
  const filter = conditions(tx, search)
  return tx<FoundEntity[]>`
    with named as (
      select name.entity_id as id, max(${nameScore(tx, normal)}) as score
      from graph.name
      where name.workspace_id = ${workspaceId}
        ${search.userId === undefined ? tx`` : tx`and name.user_id = ${search.userId}`}
        and (
          starts_with(name.normal_name, ${normal})
          or position(${` ${normal}`} in name.normal_name) > 0
          or name.normal_name = any(${textArray(possibleNames(query).map(name => name.normal))}::text[])
        )
      group by name.entity_id
      order by score desc, name.entity_id
      limit ${NAMES_MAX}
    ), near as (${nearest(tx, workspaceId, filter, vector, limit)})
    select entity.id, entity.name, entity.type, entity.description, entity.is_user, max(found.score) as score
    from (select named.id, named.score from named union all select near.id, near.score from near) as found
    join graph.entity on entity.id = found.id
    where entity.workspace_id = ${workspaceId}
      ${filter}
    group by entity.id, entity.name, entity.type, entity.description, entity.is_user
    having max(found.score) >= ${FLOOR}
    order by score desc, entity.id
    limit ${limit}`
}

function nameScore(tx: Tx, normal: string) {
  return tx`case
    when name.normal_name = ${normal} then ${EXACT}::double precision
    when starts_with(name.normal_name, ${`${normal} `}) then ${BEGINS_WORD}
    when starts_with(name.normal_name, ${normal}) then ${BEGINS}
    when position(${` ${normal}`} in name.normal_name) > 0 then ${WITHIN}
    else ${NAMED}
  end`
}

function nearest(
  tx: Tx,
  workspaceId: string,
  filter: ReturnType<typeof conditions>,
  vector: TextVector | undefined,
  limit: number,
) {
  if (!vector) return tx`select null::uuid as id, 0::double precision as score where false`
  // Vectors have length 1, so the inner product is the cosine.
  return tx`
    select entity.id, least(1, greatest(0, -(entity.embedding <#> ${vector.literal}::vector))) as score
    from graph.entity
    where entity.workspace_id = ${workspaceId}
      ${filter}
      and entity.embedding_model = ${vector.model}
    order by entity.embedding <#> ${vector.literal}::vector
    limit ${limit}`
}

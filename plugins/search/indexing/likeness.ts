import { plainArray, type Tx, textArray } from 'mneme/plugin'
import type { HoldingSource, MemoryRecord } from '../../memories/contract.ts'
import type { ModelId } from '../engine/engine.ts'

/**
 * Two memories of a user are taken to be about the same thing from this cosine on, if it stands out from those with the user's other memories by
 * so many standard deviations. Of 90 pairs of an earlier and a later statement by an outside author that relates 83 in 100, amid 38 other
 * memories of the user and amid 238; it is not known of a pair whether the later one replaces the earlier.
 */
const COSINE_MIN = 0.25
const DEVIATIONS_MIN = 2
/** The deviation of fewer cosines says nothing. */
const COMPARED_MIN = 20

/** A new memory is related to so many others, the likest ones. */
const RELATED_MAX = 2

/** So many memories of a user are compared with a new one. */
const COMPARED_MAX = 20_000

/**
 * Relates memories whose vectors were just stored to the likest others of their user. Writers of one user's memories wait for each other, so that of
 * two that come at once each sees the other.
 */
export async function relateMemories(
  tx: Tx,
  workspaceId: string,
  model: ModelId,
  memories: readonly MemoryRecord[],
): Promise<void> {
  const ids = plainArray(memories.map(({ id }) => id))
  const users = [...new Set(memories.map(({ userId }) => `search ${workspaceId} ${userId}`))].toSorted()
  await tx`
    select pg_advisory_xact_lock(hashtextextended(holder, 0))
    from unnest(${textArray(users)}::text[]) as holder`
  await tx`
    with pair as (
      select own.workspace_id, own.memory_id, near.memory_id as other_id, near.cosine
      from search.embedding as own
      cross join lateral (
        select
          compared.memory_id, compared.cosine,
          case
            when count(*) over () < ${COMPARED_MIN} then 0
            else avg(compared.cosine) over () + ${DEVIATIONS_MIN} * stddev_pop(compared.cosine) over ()
          end as outstanding
        from (
          select other.memory_id, -(other.embedding <#> own.embedding) as cosine
          from search.embedding as other
          where other.workspace_id = ${workspaceId}
            and other.user_id = own.user_id
            and other.model = ${model}
            and other.memory_id <> own.memory_id
          limit ${COMPARED_MAX}
        ) as compared
        order by compared.cosine desc
        limit ${RELATED_MAX}
      ) as near
      where own.workspace_id = ${workspaceId}
        and own.memory_id = any(${ids}::uuid[])
        and own.model = ${model}
        and near.cosine >= greatest(near.outstanding, ${COSINE_MIN})
    )
    insert into search.likeness (workspace_id, memory_id, other_id, cosine)
    select pair.workspace_id, side.memory_id, side.other_id, pair.cosine
    from pair
    cross join lateral (values (pair.memory_id, pair.other_id), (pair.other_id, pair.memory_id)) as side (memory_id, other_id)
    on conflict on constraint likeness_pk do nothing`
}

/** Forgets what memories are related to, as their texts change or they go. */
export async function forgetRelations(tx: Tx, workspaceId: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  const gone = plainArray(ids)
  await tx`
    with mirrored as (
      select likeness.other_id as memory_id, likeness.memory_id as other_id
      from search.likeness
      where likeness.workspace_id = ${workspaceId}
        and likeness.memory_id = any(${gone}::uuid[])
    )
    delete from search.likeness
    using (
      select memory_id, other_id from mirrored
      union
      select other_id, memory_id from mirrored
    ) as related
    where likeness.workspace_id = ${workspaceId}
      and likeness.memory_id = related.memory_id
      and likeness.other_id = related.other_id`
}

/** Tells which memories are about the same thing as others, by meaning alone: nothing is known of whether one replaces the other. */
export const likeMemories: HoldingSource = {
  id: 'search.likeness',
  async holdings(tx, workspaceId, ids) {
    const rows = await tx<{ memory_id: string; other_id: string }[]>`
      select likeness.memory_id, likeness.other_id
      from search.likeness
      where likeness.workspace_id = ${workspaceId}
        and likeness.memory_id = any(${plainArray(ids)}::uuid[])
      order by likeness.cosine desc`
    const byMemory = Map.groupBy(rows, row => row.memory_id)
    return new Map([...byMemory].map(([id, own]) => [id, { alike: own.map(row => row.other_id) }]))
  },
}

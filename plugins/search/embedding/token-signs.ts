import { inParts, insertRows, plainArray, type Tx } from 'mneme/plugin'
import type { EngineQuery, ModelId } from '../engine/engine.ts'
import { TokenMatcher } from '../ranking/token-matcher.ts'

/** Stores the signs of the tokens of memories that have a vector of the model, instead of those they had. */
export async function storeTokenSigns(
  tx: Tx,
  workspaceId: string,
  model: ModelId,
  signs: ReadonlyMap<string, Uint8Array>,
): Promise<void> {
  for (const ids of inParts([...signs.keys()], PART_MAX)) {
    const stored = await tx<{ id: string }[]>`
      select embedding.memory_id as id
      from search.embedding
      where embedding.workspace_id = ${workspaceId}
        and embedding.model = ${model}
        and embedding.memory_id = any(${plainArray(ids)}::uuid[])`
    await insertRows(
      tx,
      stored,
      ({ id }) => tx`(${workspaceId}, ${id}, ${model}, decode(${hexOf(signs.get(id))}, 'hex'))`,
      rows => tx`
        insert into search.token_signs (workspace_id, memory_id, model, signs)
        values ${rows}
        on conflict on constraint token_signs_pk do update
        set signs = excluded.signs`,
    )
  }
}

const PART_MAX = 100

function hexOf(signs: Uint8Array = new Uint8Array()): string {
  return Buffer.from(signs.buffer, signs.byteOffset, signs.byteLength).toString('hex')
}

/** Compares memories with a query by their tokens; null for those whose tokens are not known. */
export async function tokenLikenesses(
  tx: Tx,
  { workspaceId, vector }: EngineQuery,
  ids: readonly string[],
): Promise<ReadonlyMap<string, number | null>> {
  if (!vector?.tokens || ids.length === 0) return new Map()
  const rows = await tx<{ id: string; signs: Uint8Array }[]>`
    select token_signs.memory_id as id, token_signs.signs
    from search.token_signs
    where token_signs.workspace_id = ${workspaceId}
      and token_signs.memory_id = any(${plainArray(ids)}::uuid[])
      and token_signs.model = ${vector.model}`
  const likenesses = new TokenMatcher(vector.tokens).likenesses(rows.map(({ signs }) => signs))
  return new Map([
    ...ids.map(id => [id, null] as const),
    ...rows.map(({ id }, n) => [id, likenesses[n] ?? null] as const),
  ])
}

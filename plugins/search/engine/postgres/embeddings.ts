import { type Database, plainArray, type Tx, textArray, vectorLiteral } from 'mneme/plugin'
import type { ModelId } from '../engine.ts'

/** The pgvector type of stored vectors, which was chosen when the schema was created. */
export type VectorType = 'vector' | 'halfvec'

export async function storedVectorType(database: Database): Promise<VectorType> {
  const [column] = await database.system(
    tx => tx<{ type: string }[]>`
      select format_type(atttypid, atttypmod) as type
      from pg_attribute
      where attrelid = 'search.embedding'::regclass
        and attname = 'embedding'`,
  )
  return column?.type === 'halfvec' ? 'halfvec' : 'vector'
}

/** Passes a vector as a parameter of the stored type, so that operators compare without a cast per row. */
export function vectorParameter(tx: Tx, type: VectorType, values: Float32Array) {
  const literal = queryLiteral(values)
  return type === 'halfvec' ? tx`${literal}::halfvec` : tx`${literal}::vector`
}

/** The literals of query vectors, which several statements of a search contain. */
const literals = new WeakMap<Float32Array, string>()

export function queryLiteral(values: Float32Array): string {
  const literal = literals.get(values) ?? vectorLiteral(values)
  literals.set(values, literal)
  return literal
}

/** Stores vectors of indexed documents with the current filter columns. */
export async function storeEmbeddings(
  tx: Tx,
  type: VectorType,
  workspaceId: string,
  model: ModelId,
  vectors: ReadonlyMap<string, Float32Array>,
): Promise<void> {
  if (vectors.size === 0) return
  const literals = textArray([...vectors.values()].map(vectorLiteral))
  // The lateral join forces look-ups by id: while memories come in by the thousand the planner would scan the workspace for each few.
  await tx`
    insert into search.embedding (
      workspace_id, memory_id, model, user_id, agent_id, session_id, priority, categories, created_at, expires_at, embedding
    )
    select
      document.workspace_id, document.memory_id, ${model}::smallint, document.user_id, document.agent_id, document.session_id,
      document.priority, document.categories, document.created_at, document.expires_at, given.embedding
    from unnest(
      ${plainArray([...vectors.keys()])}::uuid[],
      ${type === 'halfvec' ? tx`${literals}::halfvec[]` : tx`${literals}::vector[]`}
    ) as given (memory_id, embedding)
    cross join lateral (
      select *
      from search.document as stored
      where stored.workspace_id = ${workspaceId}
        and stored.memory_id = given.memory_id
      limit 1
    ) as document
    on conflict on constraint embedding_pk do update
    set user_id = excluded.user_id,
      agent_id = excluded.agent_id,
      session_id = excluded.session_id,
      priority = excluded.priority,
      categories = excluded.categories,
      created_at = excluded.created_at,
      expires_at = excluded.expires_at,
      embedding = excluded.embedding`
}

/** Removes the documents' vectors of other models, and those of their passages. */
export async function keepEmbeddings(
  tx: Tx,
  workspaceId: string,
  model: ModelId,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return
  await tx`
    with passages as (
      delete from search.passage
      where passage.workspace_id = ${workspaceId}
        and passage.memory_id = any(${plainArray(ids)}::uuid[])
        and passage.model <> ${model}
    )
    delete from search.embedding
    where embedding.workspace_id = ${workspaceId}
      and embedding.memory_id = any(${plainArray(ids)}::uuid[])
      and embedding.model <> ${model}`
}

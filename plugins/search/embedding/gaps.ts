import {
  type EmbeddedPassage,
  EmbedderInputError,
  type Embedding,
  insertRows,
  plainArray,
  type Quarantine,
  type Tx,
} from 'mneme/plugin'
import type { ModelId, SearchEngine } from '../engine/engine.ts'
import { storeTokenSigns } from './token-signs.ts'

/** The vector of a text, or the reason why the model refuses it. */
export type TextEmbedding = Embedding | EmbedderInputError

const REFUSED: Partial<Embedding> = { vector: null }

/** Stores what a model made of the texts of memories; without an embedding a memory is still owed one. */
export async function storeEmbedded(
  tx: Tx,
  engine: Pick<SearchEngine, 'setEmbeddings' | 'setPassages'>,
  workspaceId: string,
  model: ModelId,
  made: readonly (readonly [id: string, embedding: TextEmbedding | undefined])[],
  isTarget: boolean,
): Promise<void> {
  const vectors = new Map<string, Float32Array>()
  const passages = new Map<string, readonly EmbeddedPassage[]>()
  const signs = new Map<string, Uint8Array>()
  const [refused, owed]: [string[], string[]] = [[], []]
  for (const [id, embedding] of made) {
    const { vector, tokenSigns } = embedding instanceof EmbedderInputError ? REFUSED : (embedding ?? {})
    const parts = storedPassages(embedding)
    if (vector) vectors.set(id, vector)
    else (vector === null ? refused : owed).push(id)
    if (parts) passages.set(id, parts)
    if (vector && tokenSigns) signs.set(id, tokenSigns)
  }
  await engine.setEmbeddings(tx, workspaceId, model, vectors)
  await engine.setPassages(tx, workspaceId, model, passages)
  await storeTokenSigns(tx, workspaceId, model, signs)
  if (isTarget) await recordGaps(tx, workspaceId, model, { filled: [...vectors.keys()], refused, owed })
}

/** A text of fewer passages is told well enough by the vector of the whole, and most texts stay without any. */
const PASSAGES_MIN = 5

/** Returns the passages of a text that is long enough for them to be stored; undefined for others. */
export function storedPassages(embedding: TextEmbedding | undefined): readonly EmbeddedPassage[] | undefined {
  if (!embedding || embedding instanceof EmbedderInputError) return undefined
  const { passages = [] } = embedding
  return passages.length >= PASSAGES_MIN ? passages : undefined
}

/**
 * Records the result for memories that need a vector of the target, in the transaction that wrote them: `refused` memories never get one,
 * `owed` ones get it later, and records of embedded ones are deleted.
 */
export async function recordGaps(
  tx: Tx,
  workspaceId: string,
  model: ModelId,
  outcome: {
    readonly filled: readonly string[]
    readonly refused: readonly string[]
    readonly owed: readonly string[]
  },
): Promise<void> {
  const { filled, refused, owed } = outcome
  const notes = [...refused.map(id => ({ id, refused: true })), ...owed.map(id => ({ id, refused: false }))]
  await Promise.all([
    filled.length > 0 &&
      tx`
        delete from search.embedding_gap
        where embedding_gap.workspace_id = ${workspaceId}
          and embedding_gap.model = ${model}
          and embedding_gap.memory_id = any(${plainArray(filled)}::uuid[])`,
    notes.length > 0 &&
      insertRows(
        tx,
        notes.toSorted((a, b) => (a.id < b.id ? -1 : 1)),
        note => tx`(${workspaceId}, ${note.id}, ${model}::smallint, ${note.refused})`,
        values => tx`
          insert into search.embedding_gap (workspace_id, memory_id, model, refused)
          values ${values}
          on conflict on constraint embedding_gap_pk do update
          set refused = excluded.refused,
            version = excluded.version`,
      ),
  ])
}

/** A memory that still needs a vector, with the version of its record. */
export interface OwedMemory {
  readonly workspaceId: string
  readonly memoryId: string
  readonly version: string
}

/** Reads the next memories that need a vector of the model and that the sweep does not hold back, in a transaction of the system. */
export async function owedMemories(
  tx: Tx,
  { quarantine, sweep }: { readonly quarantine: Quarantine; readonly sweep: string },
  model: ModelId,
  limit: number,
): Promise<OwedMemory[]> {
  return tx<OwedMemory[]>`
    -- across workspaces: re-embedding covers the memories of every workspace
    select embedding_gap.workspace_id as "workspaceId", embedding_gap.memory_id as "memoryId", embedding_gap.version
    from search.embedding_gap
    where embedding_gap.model = ${model}
      and not embedding_gap.refused
      and ${quarantine.admits(tx, sweep, 'embedding_gap.workspace_id', 'embedding_gap.memory_id')}
    order by embedding_gap.workspace_id, embedding_gap.memory_id
    limit ${limit}`
}

/** Tells whether any memory needs a vector of the model, in a transaction of the system. */
export async function areOwed(tx: Tx, model: ModelId): Promise<boolean> {
  const rows = await tx`
    -- across workspaces: re-embedding covers the memories of every workspace
    select
    from search.embedding_gap
    where embedding_gap.model = ${model}
      and not embedding_gap.refused
    limit 1`
  return rows.length > 0
}

/** Deletes records that were dealt with and keeps those renewed meanwhile. */
export async function clearOwed(tx: Tx, model: ModelId, owed: readonly OwedMemory[]): Promise<void> {
  await tx`
    -- across workspaces: re-embedding covers the memories of every workspace
    delete from search.embedding_gap
    using unnest(
      ${plainArray(owed.map(({ workspaceId }) => workspaceId))}::uuid[],
      ${plainArray(owed.map(({ memoryId }) => memoryId))}::uuid[],
      ${plainArray(owed.map(({ version }) => version))}::uuid[]
    ) as dealt (workspace_id, memory_id, version)
    where embedding_gap.workspace_id = dealt.workspace_id
      and embedding_gap.memory_id = dealt.memory_id
      and embedding_gap.model = ${model}
      and embedding_gap.version = dealt.version
      and not embedding_gap.refused`
}

/**
 * Records up to `limit` memories that have a vector of another model but none of this one, in a transaction of the system.
 * @returns how many were found
 */
export async function recordMissing(tx: Tx, model: ModelId, limit: number): Promise<number> {
  const { count } = await tx`
    -- across workspaces: re-embedding covers the memories of every workspace
    insert into search.embedding_gap (workspace_id, memory_id, model, refused)
    select distinct other.workspace_id, other.memory_id, ${model}::smallint, false
    ${fromUnnoted(tx, model)}
    limit ${limit}
    on conflict on constraint embedding_gap_pk do nothing`
  return count
}

/** Builds a `from` clause of `other`: vectors of other models whose memories have none of this model and no record of the gap. */
export function fromUnnoted(tx: Tx, model: ModelId) {
  return tx`
    -- across workspaces: re-embedding covers the memories of every workspace
    from search.embedding as other
    where other.model <> ${model}
      and (other.expires_at is null or other.expires_at > now())
      and not exists (
        select
        from search.embedding as own
        where own.workspace_id = other.workspace_id
          and own.memory_id = other.memory_id
          and own.model = ${model}
      )
      and not exists (
        select
        from search.embedding_gap as noted
        where noted.workspace_id = other.workspace_id
          and noted.memory_id = other.memory_id
          and noted.model = ${model}
      )`
}

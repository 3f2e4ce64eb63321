import { type EmbeddedPassage, inParts, plainArray, type Tx, textArray, vectorLiteral } from 'mneme/plugin'
import { type EngineQuery, type ModelId, PASSAGES_FOUND_MAX, type Passages } from '../engine.ts'
import { queryLiteral, type VectorType, vectorParameter } from './embeddings.ts'
import { documentConditions, isByUserAlone } from './filters.ts'
import { indexScan, type NearIndex, type NearIndexes, type VectorStore } from './near-index.ts'
import { GENERIC_PLAN, underSettings } from './planner.ts'

/** A statement carries this many passages: a megabyte of literals. */
const PART_MAX = 256
/**
 * Without an index a search compares this many passages, so that its time has a bound; 20,000 took 47 ms on a busy server. Passages that a
 * filter leaves out do not count.
 */
const SCANNED_MAX = 50_000

/** Stores the passages of indexed documents, instead of those they had of the same model. */
export async function storePassages(
  tx: Tx,
  type: VectorType,
  workspaceId: string,
  model: ModelId,
  passages: ReadonlyMap<string, readonly EmbeddedPassage[]>,
): Promise<void> {
  if (passages.size === 0) return
  await tx`
    delete from search.passage
    where passage.workspace_id = ${workspaceId}
      and passage.model = ${model}
      and passage.memory_id = any(${plainArray([...passages.keys()])}::uuid[])`
  const rows = [...passages].flatMap(([memoryId, all]) =>
    all.map((passage, ordinal) => ({ memoryId, ordinal, of: all.length, ...passage })),
  )
  for (const part of inParts(rows, PART_MAX)) await insertPassages(tx, type, workspaceId, model, part)
}

interface PassageRow extends EmbeddedPassage {
  readonly memoryId: string
  readonly ordinal: number
  /** The number of passages of the text. */
  readonly of: number
}

async function insertPassages(
  tx: Tx,
  type: VectorType,
  workspaceId: string,
  model: ModelId,
  rows: readonly PassageRow[],
): Promise<void> {
  const literals = textArray(rows.map(({ vector }) => vectorLiteral(vector)))
  await tx`
    insert into search.passage (workspace_id, memory_id, model, ordinal, passages, start_at, end_at, embedding, user_id)
    select
      document.workspace_id, given.memory_id, ${model}::smallint, given.ordinal, given.passages, given.start_at, given.end_at,
      given.embedding, document.user_id
    from unnest(
      ${plainArray(rows.map(({ memoryId }) => memoryId))}::uuid[],
      ${plainArray(rows.map(({ ordinal }) => ordinal))}::smallint[],
      ${plainArray(rows.map(({ of }) => of))}::smallint[],
      ${plainArray(rows.map(({ start }) => start))}::integer[],
      ${plainArray(rows.map(({ end }) => end))}::integer[],
      ${type === 'halfvec' ? tx`${literals}::halfvec[]` : tx`${literals}::vector[]`}
    ) as given (memory_id, ordinal, passages, start_at, end_at, embedding)
    cross join lateral (
      select stored.workspace_id, stored.user_id
      from search.document as stored
      where stored.workspace_id = ${workspaceId}
        and stored.memory_id = given.memory_id
      limit 1
    ) as document`
}

interface NearRow {
  memory_id: string
  cosine: number
  passages: number
  start_at: number
  end_at: number
}

/**
 * An index scan returns this many passages, of which a text can have many. With a candidate list that is shorter than its result, a scan begins
 * again for the rest, which took 4.7 instead of 3.6 ms.
 */
const LISTED_MAX = 300

/** Finds the nearest passage of each of the memories with the nearest ones, with an HNSW index where it is faster. */
export async function nearestPassages(tx: Tx, { type, indexes }: VectorStore, query: EngineQuery): Promise<Passages> {
  if (!query.vector) return new Map()
  // Passages themselves tell which of them pass: other filters need the documents.
  const index = isByUserAlone(query.filter) ? await fittingIndex(tx, indexes, query) : undefined
  const found = index ? await bestOfTexts(tx, query, walked(tx, index, query), indexScan(index, LISTED_MAX)) : []
  const rows = found.length > 0 ? found : await bestOfTexts(tx, query, scanned(tx, type, query), GENERIC_PLAN)
  return new Map(
    rows.map(row => [
      row.memory_id,
      { cosine: row.cosine, passages: row.passages, start: row.start_at, end: row.end_at },
    ]),
  )
}

/** Returns the index if enough passages lie behind the filter, of which an index scan checks the user alone. */
async function fittingIndex(tx: Tx, indexes: NearIndexes, query: EngineQuery): Promise<NearIndex | undefined> {
  const { vector } = query
  const index = vector && indexes.of(vector.model)
  if (!index || vector.values.length !== index.dimensions) return undefined
  return (await indexes.hasEnough(tx, query, indexes.paysFrom(index.rows))) ? index : undefined
}

type Rows = ReturnType<typeof scanned>

async function bestOfTexts(
  tx: Tx,
  query: EngineQuery,
  near: Rows,
  settings: Parameters<typeof underSettings>[1],
): Promise<NearRow[]> {
  const { workspaceId, vector, filter } = query
  // Documents are read from the nearest on, and no further than the limit; as a join the condition might read all of them.
  const statement = tx<NearRow[]>`
    select nearest.memory_id, -nearest.distance as cosine, nearest.passages, nearest.start_at, nearest.end_at
    from (
      select best.*
      from (
        select distinct on (near.memory_id) near.*
        from (${near}) as near
        where near.distance <= ${-(vector?.floor ?? 0)}
        order by near.memory_id, near.distance, near.start_at
      ) as best
      order by best.distance, best.memory_id
      offset 0
    ) as nearest
    where (
      select ${documentConditions(tx, workspaceId, filter)}
      from search.document as d
      where d.workspace_id = ${workspaceId}
        and d.memory_id = nearest.memory_id
    )
    limit ${PASSAGES_FOUND_MAX}`
  return underSettings(tx, settings, statement)
}

function walked(tx: Tx, { model, dimensions }: NearIndex, { workspaceId, vector, filter }: EngineQuery) {
  // The index has a fixed model and length, and the planner recognises it only by constants.
  const type = tx.unsafe(`halfvec(${dimensions})`)
  const literal = queryLiteral(vector?.values ?? new Float32Array())
  return tx`
    select p.memory_id, p.passages, p.start_at, p.end_at, p.embedding::${type} <#> ${literal}::${type} as distance
    from search.passage as p
    where p.workspace_id = ${workspaceId}
      and p.model = ${tx.unsafe(String(model))}
      ${filter.userId === undefined ? tx`` : tx`and p.user_id = ${filter.userId}`}
    order by distance
    limit ${LISTED_MAX}`
}

function scanned(tx: Tx, type: VectorType, query: EngineQuery) {
  const { workspaceId, vector, filter } = query
  const model = vector?.model ?? null
  const ofUser = (name: string) => (filter.userId === undefined ? tx`` : tx`and ${tx(name)}.user_id = ${filter.userId}`)
  // One look for each text, not for each passage.
  const texts = tx`
    (
      select text.memory_id
      from search.passage as text
      where text.workspace_id = ${workspaceId}
        and text.model = ${model}
        and text.ordinal = 0
        ${ofUser('text')}
        and (
          select ${documentConditions(tx, workspaceId, filter)}
          from search.document as d
          where d.workspace_id = ${workspaceId}
            and d.memory_id = text.memory_id
        )
      offset 0
    ) as passing
    join`
  return tx`
    select p.memory_id, p.passages, p.start_at, p.end_at,
      p.embedding <#> ${vectorParameter(tx, type, vector?.values ?? new Float32Array())} as distance
    from ${isByUserAlone(filter) ? tx`` : texts} search.passage as p
      ${isByUserAlone(filter) ? tx`` : tx`on p.memory_id = passing.memory_id`}
    where p.workspace_id = ${workspaceId}
      and p.model = ${model}
      ${ofUser('p')}
    limit ${SCANNED_MAX}`
}

import { plainArray, type Steps, type Tx } from 'mneme/plugin'
import { type IndexedMemory, type IndexedVectors, idToken, lexemeToken, valueToken, vectorField } from './schema.ts'

/** Identifies a memory in any workspace. */
export interface MemoryKey {
  readonly workspaceId: string
  readonly memoryId: string
}

/** A memory as sent to Typesense: its documents in the collections of words and of vectors, and the vector fields of the latter. */
export interface ReadMemory {
  readonly words: IndexedMemory
  readonly withVectors: IndexedVectors
  readonly vectors: readonly { readonly model: number; readonly dimensions: number }[]
  /** The length of the larger document as JSON, about. */
  readonly bytes: number
}

/** The current state of a memory in Postgres. */
export interface MemoryRow {
  workspace_id: string
  memory_id: string
  user_id: string
  agent_id: string | null
  session_id: string | null
  priority: string
  categories: string
  created_at: Date
  expires_at: Date | null
  lexemes: string
  vectors: string | null
  stamp: string
}

/**
 * Digests the indexed content of a memory, from a row `d` of documents and its vectors `e`: one digest of the document, then one per
 * vector, so that vectors of a former model make no difference.
 */
export function stampOf(tx: Tx) {
  return tx`
    md5(row(
      d.user_id, d.agent_id, d.session_id, d.priority, d.categories, extract(epoch from d.created_at),
      extract(epoch from d.expires_at), d.words
    )::text) || coalesce(e.stamps, '')`
}

/** The stamps of a memory in the collections of words and of vectors; undefined where it is missing. */
export interface IndexedStamps {
  readonly words?: string | undefined
  readonly vectors?: string | undefined
}

/** Tells whether both collections have the same content as Postgres. */
export function isUpToDate({ words, vectors }: IndexedStamps, kept: string): boolean {
  const [document, ...rest] = kept.split(' ')
  const there = new Set(vectors?.split(' '))
  return words === document && [document, ...rest].every(part => part !== undefined && there.has(part))
}

/** Joins the vectors of a document `d` as `e.vectors`, and their digests as `e.stamps`. */
export function joinVectors(tx: Tx) {
  return tx`
    left join lateral (
      select
        json_agg(json_build_object('model', embedding.model, 'values', embedding.embedding::text))::text as vectors,
        string_agg(' ' || embedding.model || ':' || md5(embedding.embedding::text), '' order by embedding.model) as stamps
      from search.embedding
      where embedding.workspace_id = d.workspace_id
        and embedding.memory_id = d.memory_id
    ) as e on true`
}

/** Reads the current state of memories; deleted ones are absent. */
export async function readMemories(tx: Tx, keys: readonly MemoryKey[]): Promise<readonly MemoryRow[]> {
  if (keys.length === 0) return []
  return tx<MemoryRow[]>`
    -- across workspaces: one request to Typesense carries documents of many workspaces
    select
      d.workspace_id, d.memory_id, d.user_id, d.agent_id, d.session_id, d.priority,
      array_to_json(d.categories)::text as categories, d.created_at, d.expires_at,
      array_to_json(tsvector_to_array(d.words))::text as lexemes, e.vectors, ${stampOf(tx)} as stamp
    from unnest(
      ${plainArray(keys.map(key => key.workspaceId))}::uuid[],
      ${plainArray(keys.map(key => key.memoryId))}::uuid[]
    ) as given (workspace_id, memory_id)
    join search.document as d on d.workspace_id = given.workspace_id and d.memory_id = given.memory_id
    ${joinVectors(tx)}`
}

/** Makes the documents of memories, keyed by {@link keyOf}, in steps, because a text may have tens of thousands of words to digest. */
export function* documentSteps(rows: readonly MemoryRow[]): Steps<Map<string, ReadMemory>> {
  const memories = new Map<string, ReadMemory>()
  for (const row of rows) {
    memories.set(keyOf({ workspaceId: row.workspace_id, memoryId: row.memory_id }), yield* memorySteps(row))
  }
  return memories
}

export function keyOf({ workspaceId, memoryId }: MemoryKey): string {
  return `${idToken(workspaceId)}_${idToken(memoryId)}`
}

function* memorySteps(row: MemoryRow): Steps<ReadMemory> {
  yield
  const vectors = readVectors(row.vectors)
  const tokens = yield* tokenSteps(row.lexemes)
  const words: IndexedMemory = {
    id: keyOf({ workspaceId: row.workspace_id, memoryId: row.memory_id }),
    workspace: idToken(row.workspace_id),
    memory: idToken(row.memory_id),
    user: valueToken(row.user_id),
    ...(row.agent_id === null ? {} : { agent: valueToken(row.agent_id) }),
    ...(row.session_id === null ? {} : { session: valueToken(row.session_id) }),
    priority: row.priority.toLowerCase(),
    categories: strings(row.categories).map(valueToken),
    created_at: row.created_at.getTime(),
    ...(row.expires_at === null ? { lasting: 'yes' } : { expires_at: row.expires_at.getTime() }),
    words: tokens,
    stamp: row.stamp.split(' ')[0] ?? '',
  }
  const values = Object.fromEntries(vectors.map(({ model, values }) => [vectorField(model, values.length), values]))
  return {
    words,
    withVectors: { ...words, stamp: row.stamp, ...values },
    vectors: vectors.map(({ model, values }) => ({ model, dimensions: values.length })),
    bytes:
      FIELDS_BYTES +
      tokens.reduce((sum, token) => sum + token.length + QUOTES_BYTES, 0) +
      vectors.reduce((sum, { values }) => sum + NUMBER_BYTES * values.length, 0),
  }
}

const FIELDS_BYTES = 500
/** A word is quoted, and a comma follows. */
const QUOTES_BYTES = 3
const NUMBER_BYTES = 12
/** This many words are digested in one step. */
const WORDS_OF_STEP = 100

function* tokenSteps(lexemes: string): Steps<string[]> {
  const tokens: string[] = []
  for (const lexeme of strings(lexemes).filter(isFirstSheet)) {
    if (tokens.push(lexemeToken(lexeme)) % WORDS_OF_STEP === 0) yield
  }
  return tokens
}

/** Further positions of a lexeme have further names; the first one alone says whether it occurs. */
function isFirstSheet(lexeme: string): boolean {
  return !lexeme.includes('‡')
}

function strings(json: string): string[] {
  const list: unknown = JSON.parse(json)
  return Array.isArray(list) ? list.map(String) : []
}

function readVectors(json: string | null): { model: number; values: number[] }[] {
  const list: unknown = json === null ? [] : JSON.parse(json)
  if (!Array.isArray(list)) return []
  return list.map((item: { model: number; values: string }) => {
    const values: unknown = JSON.parse(item.values)
    return { model: item.model, values: Array.isArray(values) ? values.map(Number) : [] }
  })
}

import { inParts, plainArray, type Steps, type Tx } from 'mneme/plugin'
import { v7 } from 'uuid'
import type { Analysis } from '../../analysis/analyze.ts'
import { COUNTED_WEIGHTS, lexemePrefix, tsvectorSteps } from '../../analysis/tsvector.ts'
import type { DocumentAmendment, SearchDocument, WordDigest } from '../engine.ts'
import { traitBits } from './features.ts'
import { standingBits } from './standing.ts'
import { languageTerm } from './statistics.ts'

/** Builds the tsvector literal, which takes a tenth of the memory of the analysis. */
export function* digestWords(workspaceId: string, analysis: Analysis): Steps<WordDigest> {
  const words = yield* tsvectorSteps(analysis, lexemePrefix(workspaceId))
  return { length: analysis.length, language: analysis.language, words }
}

/**
 * Adds or replaces documents of one workspace and updates its document frequencies. Vectors and passages of replaced documents are removed,
 * except where the text is the former one.
 */
export async function indexDocuments(
  tx: Tx,
  documents: readonly SearchDocument[],
  sameText: ReadonlySet<string> = new Set(),
): Promise<void> {
  const [first] = documents
  if (!first) return
  // The parts are sent one after the other, because all together would occupy several times their size in memory.
  const rows = documents.map((document, ordinal) => toRow(document, ordinal, sameText.has(document.memoryId)))
  for (const part of inParts(rows, PART_BYTES_MAX, wordBytes)) await storeRows(tx, first.workspaceId, part)
}

/** Removes documents with their vectors and passages and subtracts their words from the document frequencies. */
export async function removeDocuments(tx: Tx, workspaceId: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  const removed = plainArray(ids)
  await Promise.all([
    lockDocuments(tx, workspaceId, ids),
    count(tx, workspaceId, -1, ids),
    tx`
      delete from search.embedding
      where embedding.workspace_id = ${workspaceId}
        and embedding.memory_id = any(${removed}::uuid[])`,
    tx`
      delete from search.passage
      where passage.workspace_id = ${workspaceId}
        and passage.memory_id = any(${removed}::uuid[])`,
    tx`
      delete from search.document
      where document.workspace_id = ${workspaceId}
        and document.memory_id = any(${removed}::uuid[])`,
  ])
}

/** Replaces the words of documents; their vectors and places in sessions stay. */
export async function replaceWords(
  tx: Tx,
  workspaceId: string,
  digests: ReadonlyMap<string, WordDigest>,
): Promise<void> {
  const rows = [...digests].map(([memoryId, digest]) => ({ memory_id: memoryId, ...digest }))
  for (const part of inParts(rows, PART_BYTES_MAX, wordBytes)) {
    const ids = part.map(({ memory_id }) => memory_id)
    await Promise.all([
      lockDocuments(tx, workspaceId, ids),
      count(tx, workspaceId, -1, ids),
      tx`
        update search.document
        set length = given.length, words = given.words, language = given.language
        from jsonb_to_recordset(${JSON.stringify(part)}::text::jsonb) as given (
          memory_id uuid, length integer, words tsvector, language text
        )
        where document.workspace_id = ${workspaceId}
          and document.memory_id = given.memory_id`,
      count(tx, workspaceId, 1, ids),
    ])
  }
}

/** Locks documents, so that of two who remove or replace one the later finds what the other has left of it. */
function lockDocuments(tx: Tx, workspaceId: string, ids: readonly string[]) {
  return tx`
    select document.memory_id
    from search.document
    where document.workspace_id = ${workspaceId}
      and document.memory_id = any(${plainArray(ids)}::uuid[])
    order by document.memory_id
    for update`
}

/**
 * Adds the words of documents to the changes of document frequencies, or subtracts them: the counted lexemes, and one for the language. @returns for each document
 * that there is a row, in the same order
 */
function count(tx: Tx, workspaceId: string, sign: 1 | -1, ids: readonly string[]) {
  const language = lexemePrefix(workspaceId) + languageTerm('')
  // A distributed Postgres inserts no values that each row would have to be given, as new ids are.
  return tx<{ length: number }[]>`
    insert into search.term_delta as counted (workspace_id, written_at, id, sign, length, words)
    select
      document.workspace_id, statement_timestamp(), md5(document.memory_id::text || ${v7()}::text)::uuid, ${sign}::smallint, document.length,
      strip(ts_filter(document.words, ${COUNTED_WEIGHTS}::"char"[]))
        || array_to_tsvector(array_remove(array[${language} || document.language], null))
    from search.document
    where document.workspace_id = ${workspaceId}
      and document.memory_id = any(${plainArray(ids)}::uuid[])
    returning counted.length`
}

/** A statement carries this many bytes of tsvector literals, unless a single document has more. */
const PART_BYTES_MAX = 2_000_000

const wordBytes = ({ words }: Pick<DocumentRow, 'words'>) => words.length

type DocumentRow = ReturnType<typeof toRow>

function toRow(document: SearchDocument, ordinal: number, sameText: boolean) {
  const { digest } = document
  return {
    ordinal,
    same_text: sameText,
    memory_id: document.memoryId,
    user_id: document.userId,
    agent_id: document.agentId,
    session_id: document.sessionId,
    priority: document.priority,
    categories: document.categories,
    metadata: document.metadata,
    created_at: document.createdAt,
    expires_at: document.expiresAt,
    said_at: document.saidAt,
    happened_at: document.happenedAt,
    speaker: document.traits.speaker,
    asking: document.traits.asking,
    traits: traitBits(document.traits) | standingBits(document.standing),
    length: digest.length,
    words: digest.words,
    language: digest.language,
  }
}

async function storeRows(tx: Tx, workspaceId: string, rows: readonly DocumentRow[]): Promise<void> {
  const ids = rows.map(({ memory_id }) => memory_id)
  const [, replaced] = await Promise.all([
    // A distributed Postgres sends an insert of given rows to the node that a row of the workspace is read from.
    tx`
      insert into search.corpus_stat (workspace_id, documents, total_length)
      values (${workspaceId}, 0, 0)
      on conflict on constraint corpus_stat_pk do nothing`,
    count(tx, workspaceId, -1, ids),
    // Each session continues counting after its last document; a replaced document keeps its place.
    tx`
      insert into search.document (
        workspace_id, memory_id, user_id, agent_id, session_id, session_position, priority, categories, metadata,
        created_at, expires_at, said_at, happened_at, speaker, asking, traits, length, words, language
      )
      select
        corpus_stat.workspace_id, given.memory_id, given.user_id, given.agent_id, given.session_id,
        case
          when given.session_id is not null then last.position
            + row_number() over (partition by given.user_id, given.session_id order by given.ordinal)
        end,
        given.priority, given.categories, nullif(given.metadata, 'null'::jsonb), given.created_at, given.expires_at,
        given.said_at, given.happened_at, given.speaker, given.asking, given.traits, given.length, given.words,
        given.language
      from search.corpus_stat
      cross join (${rowsOf(tx, rows)}) as given
      cross join lateral (${lastOfSession(tx, workspaceId, 'given')}) as last
      where corpus_stat.workspace_id = ${workspaceId}
      on conflict on constraint document_pk do update set ${replacement(tx)}`,
    count(tx, workspaceId, 1, ids),
  ])
  if (replaced.length > 0) await renewVectors(tx, workspaceId, rows)
}

/** Selects `(position)` of the last document in the session of a row, -1 for none. @param row a table with `user_id` and `session_id` */
function lastOfSession(tx: Tx, workspaceId: string, row: string) {
  return tx`
    select coalesce(max(document.session_position), -1) as position
    from search.document
    where document.workspace_id = ${workspaceId}
      and document.user_id = ${tx(row)}.user_id
      and document.session_id = ${tx(row)}.session_id`
}

/** Deletes the vectors and passages of replaced documents. Vectors of the same text get the document's new filter columns instead. */
async function renewVectors(tx: Tx, workspaceId: string, rows: readonly DocumentRow[]): Promise<void> {
  const idsOf = (sameText: boolean) =>
    plainArray(rows.filter(row => row.same_text === sameText).map(({ memory_id }) => memory_id))
  await Promise.all([
    tx`
      delete from search.embedding
      where embedding.workspace_id = ${workspaceId}
        and embedding.memory_id = any(${idsOf(false)}::uuid[])`,
    tx`
      delete from search.passage
      where passage.workspace_id = ${workspaceId}
        and passage.memory_id = any(${idsOf(false)}::uuid[])`,
    tx`
      update search.embedding
      set priority = document.priority, categories = document.categories, created_at = document.created_at,
        expires_at = document.expires_at
      from search.document
      where document.workspace_id = ${workspaceId}
        and document.memory_id = any(${idsOf(true)}::uuid[])
        and embedding.workspace_id = ${workspaceId}
        and embedding.memory_id = document.memory_id
        and (embedding.priority, embedding.categories, embedding.created_at, embedding.expires_at)
          is distinct from (document.priority, document.categories, document.created_at, document.expires_at)`,
  ])
}

function rowsOf(tx: Tx, rows: readonly DocumentRow[]) {
  return tx`
    select *
    from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as row (
      ordinal integer, same_text boolean, memory_id uuid, user_id text, agent_id text, session_id text, priority text, categories text[],
      metadata jsonb, created_at timestamptz, expires_at timestamptz, said_at timestamptz, happened_at timestamptz,
      speaker text, asking real, traits smallint, length integer, words tsvector,
      language text
    )`
}

/** Builds the assignments of all columns that an update of a memory can change. */
function replacement(tx: Tx) {
  return tx`
    priority = excluded.priority,
    categories = excluded.categories,
    metadata = excluded.metadata,
    created_at = excluded.created_at,
    expires_at = excluded.expires_at,
    said_at = excluded.said_at,
    happened_at = excluded.happened_at,
    speaker = excluded.speaker,
    asking = excluded.asking,
    traits = excluded.traits,
    length = excluded.length,
    words = excluded.words,
    language = excluded.language`
}

/** Changes the sessions and metadata of documents, and the sessions of their vectors. */
export async function amendDocuments(
  tx: Tx,
  workspaceId: string,
  amendments: readonly DocumentAmendment[],
): Promise<void> {
  if (amendments.length === 0) return
  await tx`
    with given as (${givenRows(tx, amendments)}),
    known as (
      select given.ordinal, given.memory_id, given.session_id, given.metadata, given.said_at, given.happened_at,
        document.user_id, document.session_position, given.session_id is distinct from document.session_id as is_moved
      from given
      join search.document on document.memory_id = given.memory_id
      where document.workspace_id = ${workspaceId}
      order by document.memory_id
      for update of document
    ),
    placed as (
      select known.memory_id, known.session_id, known.metadata, known.said_at, known.happened_at,
        case
          when not known.is_moved then known.session_position
          when known.session_id is not null then last.position
            + row_number() over (partition by known.user_id, known.session_id, known.is_moved order by known.ordinal)
        end as session_position
      from known
      cross join lateral (${lastOfSession(tx, workspaceId, 'known')}) as last
    ),
    vectors as (
      update search.embedding
      set session_id = placed.session_id
      from placed
      where embedding.workspace_id = ${workspaceId}
        and embedding.memory_id = placed.memory_id
        and embedding.session_id is distinct from placed.session_id
    )
    update search.document
    set session_id = placed.session_id, session_position = placed.session_position,
      metadata = nullif(placed.metadata, 'null'::jsonb), said_at = placed.said_at, happened_at = placed.happened_at
    from placed
    where document.workspace_id = ${workspaceId}
      and document.memory_id = placed.memory_id`
}

function givenRows(tx: Tx, amendments: readonly DocumentAmendment[]) {
  const rows = amendments.map(({ memoryId, sessionId, metadata, saidAt, happenedAt }, ordinal) => ({
    ordinal,
    memory_id: memoryId,
    session_id: sessionId,
    metadata,
    said_at: saidAt,
    happened_at: happenedAt,
  }))
  return tx`
    select *
    from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as row (
      ordinal integer, memory_id uuid, session_id text, metadata jsonb, said_at timestamptz, happened_at timestamptz
    )`
}

import type { Tx } from 'mneme/plugin'
import type { DocumentAmendment } from '../engine.ts'
import { lastOfSession } from './documents.ts'

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
      select given.ordinal, given.memory_id, given.session_id, given.metadata, given.happened_at, document.user_id,
        document.session_position, given.session_id is distinct from document.session_id as is_moved
      from given
      join search.document on document.memory_id = given.memory_id
      where document.workspace_id = ${workspaceId}
      order by document.memory_id
      for update of document
    ),
    placed as (
      select known.memory_id, known.session_id, known.metadata, known.happened_at,
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
      metadata = nullif(placed.metadata, 'null'::jsonb), happened_at = placed.happened_at
    from placed
    where document.workspace_id = ${workspaceId}
      and document.memory_id = placed.memory_id`
}

function givenRows(tx: Tx, amendments: readonly DocumentAmendment[]) {
  const rows = amendments.map(({ memoryId, sessionId, metadata, happenedAt }, ordinal) => ({
    ordinal,
    memory_id: memoryId,
    session_id: sessionId,
    metadata,
    happened_at: happenedAt,
  }))
  return tx`
    select *
    from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as row (
      ordinal integer, memory_id uuid, session_id text, metadata jsonb, happened_at timestamptz
    )`
}

import { createHash } from 'node:crypto'
import { insertRows, type PageWindow, plainArray, type Tx, unicodeForm } from 'mneme/plugin'
import type { Chunk } from '../document/document.ts'

/** A chunk that waits for its memory. */
export interface WaitingChunk {
  readonly place: number
  readonly text: string
  readonly metadata: Readonly<Record<string, unknown>>
}

/** The hash of a text as chunks have it, in hexadecimal: SHA-256 of its composed form (NFC). */
export function textHash(text: string): string {
  return createHash('sha256').update(unicodeForm(text, 'NFC')).digest('hex')
}

/**
 * Stores chunks from a place on; what an earlier reading left there gives way.
 * @returns how many were not there as they are
 */
export async function insertChunks(
  tx: Tx,
  workspaceId: string,
  jobId: string,
  from: number,
  chunks: readonly Chunk[],
): Promise<number> {
  const changed = await insertRows(
    tx,
    chunks.map((chunk, n) => ({ chunk, place: from + n })),
    ({ chunk, place }) => tx`(
      ${workspaceId}, ${jobId}, ${place}, ${chunk.text}, decode(${textHash(chunk.text)}, 'hex'),
      ${JSON.stringify(metadataOf(chunk))}::text::jsonb
    )`,
    values => tx<{ place: number }[]>`
      insert into ingest.chunk (workspace_id, job_id, place, text, text_hash, place_in_document)
      values ${values}
      on conflict on constraint chunk_pk do update
        set text = excluded.text, text_hash = excluded.text_hash, place_in_document = excluded.place_in_document
        where (chunk.text, chunk.place_in_document) is distinct from (excluded.text, excluded.place_in_document)
      returning chunk.place`,
  )
  return changed.length
}

function metadataOf({ headingPath, page, row, keyPath }: Chunk): Record<string, unknown> {
  return {
    ...(headingPath.length > 0 ? { heading_path: headingPath } : {}),
    ...(page === undefined ? {} : { page }),
    ...(row === undefined ? {} : { row }),
    ...(keyPath === undefined ? {} : { key_path: keyPath }),
  }
}

/** Removes chunks behind the last one of a document: an earlier reading may have made more. */
export async function trimChunks(tx: Tx, workspaceId: string, jobId: string, total: number): Promise<void> {
  await tx`
    delete from ingest.chunk
    where chunk.workspace_id = ${workspaceId}
      and chunk.job_id = ${jobId}
      and chunk.place >= ${total}`
}

/** The next chunks without a memory, in their order. */
export async function findWaiting(tx: Tx, workspaceId: string, jobId: string, limit: number): Promise<WaitingChunk[]> {
  return tx<WaitingChunk[]>`
    select chunk.place, chunk.text, chunk.place_in_document as metadata
    from ingest.chunk
    where chunk.workspace_id = ${workspaceId}
      and chunk.job_id = ${jobId}
      and chunk.state = 'waiting'
    order by chunk.place
    limit ${limit}`
}

export interface StoredChunk {
  readonly place: number
  readonly state: 'created' | 'skipped' | 'kept'
  readonly memoryId: string | null
  readonly isSettled: boolean
  /** The older version's job that a kept memory is from. */
  readonly keptFrom?: string
}

/**
 * Notes what came of chunks that still wait: another worker may have stored some since they were read. Their texts go, for their memories
 * have them now.
 */
export async function markStored(
  tx: Tx,
  workspaceId: string,
  jobId: string,
  chunks: readonly StoredChunk[],
): Promise<void> {
  if (chunks.length === 0) return
  const rows = chunks.map(({ place, state, memoryId, isSettled, keptFrom = null }) => ({
    place,
    state,
    memory_id: memoryId,
    is_settled: isSettled,
    kept_from: keptFrom,
  }))
  await tx`
    with marked as (
      update ingest.chunk
      set text = null, state = stored.state, memory_id = stored.memory_id, is_settled = stored.is_settled,
        kept_from = stored.kept_from
      from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb)
        as stored (place integer, state text, memory_id uuid, is_settled boolean, kept_from uuid)
      where chunk.workspace_id = ${workspaceId}
        and chunk.job_id = ${jobId}
        and chunk.place = stored.place
        and chunk.state = 'waiting'
      returning chunk.state, chunk.is_settled
    )
    update ingest.job
    set memories_created = job.memories_created + counted.created, memories_skipped = job.memories_skipped + counted.skipped,
      chunks_done = job.chunks_done + counted.settled, updated_at = now()
    from (
      select
        count(*) filter (where marked.state = 'created') as created,
        count(*) filter (where marked.state = 'skipped') as skipped,
        count(*) filter (where marked.is_settled) as settled
      from marked
    ) as counted
    where job.workspace_id = ${workspaceId}
      and job.id = ${jobId}`
}

/** Memories of a job that wait for their processing, those of the first places first. Kept ones do once they have all that the version gives. */
export async function findUnsettled(tx: Tx, workspaceId: string, jobId: string, limit: number): Promise<string[]> {
  const rows = await tx<{ memory_id: string }[]>`
    select chunk.memory_id
    from ingest.chunk
    where chunk.workspace_id = ${workspaceId}
      and chunk.job_id = ${jobId}
      and chunk.state in ('created', 'kept')
      and not chunk.is_settled
      and chunk.kept_from is null
    order by chunk.place
    limit ${limit}`
  return rows.map(row => row.memory_id)
}

/** Memories that are through processing, or gone; those whose processing failed for good are counted apart. */
export async function settleChunks(
  tx: Tx,
  workspaceId: string,
  jobId: string,
  memoryIds: readonly string[],
  failed: number,
): Promise<void> {
  if (memoryIds.length === 0) return
  await tx`
    with settled as (
      update ingest.chunk
      set is_settled = true
      where chunk.workspace_id = ${workspaceId}
        and chunk.job_id = ${jobId}
        and chunk.memory_id = any(${plainArray(memoryIds)}::uuid[])
        and not chunk.is_settled
      returning chunk.place
    )
    update ingest.job
    set chunks_done = job.chunks_done + (select count(*) from settled), memories_failed = job.memories_failed + ${failed},
      updated_at = now()
    where job.workspace_id = ${workspaceId}
      and job.id = ${jobId}`
}

export interface OwnMemory {
  readonly place: number
  readonly memoryId: string
}

/** The memories of a job's document, in its order, with the number of all. */
export async function listMemoriesOf(
  tx: Tx,
  workspaceId: string,
  jobId: string,
  window: PageWindow,
): Promise<{ memories: OwnMemory[]; total: number }> {
  const own = () => tx`
      and chunk.job_id = ${jobId}
      and chunk.state in ('created', 'kept')`
  const [memories, [counted]] = await Promise.all([
    tx<OwnMemory[]>`
      select chunk.place, chunk.memory_id as "memoryId"
      from ingest.chunk
      where chunk.workspace_id = ${workspaceId} ${own()}
      order by chunk.place
      limit ${window.limit}
      offset ${window.offset}`,
    tx<{ total: number }[]>`
      select count(*) as total
      from ingest.chunk
      where chunk.workspace_id = ${workspaceId} ${own()}`,
  ])
  return { memories, total: counted?.total ?? 0 }
}

/** Up to `limit` ids of the memories that are a job's own. */
export async function ownMemoryIds(tx: Tx, workspaceId: string, jobId: string, limit: number): Promise<string[]> {
  const rows = await tx<{ memory_id: string }[]>`
    select chunk.memory_id
    from ingest.chunk
    where chunk.workspace_id = ${workspaceId}
      and chunk.job_id = ${jobId}
      and chunk.state in ('created', 'kept')
      and chunk.memory_id is not null
    order by chunk.place
    limit ${limit}`
  return rows.map(row => row.memory_id)
}

/** Memories that are gone leave their jobs. Nobody has to wait for them any more, so that they count as done. */
export async function forgetMemories(tx: Tx, workspaceId: string, memoryIds: readonly string[]): Promise<void> {
  if (memoryIds.length === 0) return
  await tx`
    with gone as (
      delete from ingest.chunk
      where chunk.workspace_id = ${workspaceId}
        and chunk.memory_id = any(${plainArray(memoryIds)}::uuid[])
        and chunk.state in ('created', 'kept')
      returning chunk.job_id, chunk.is_settled
    )
    update ingest.job
    set chunks_done = job.chunks_done + counted.open
    from (
      select gone.job_id, count(*) as open
      from gone
      where not gone.is_settled
      group by gone.job_id
    ) as counted
    where job.workspace_id = ${workspaceId}
      and job.id = counted.job_id`
}

/** Finds memories that had the texts of a job's skipped chunks before, those of the first places first. */
export async function findHolders(tx: Tx, workspaceId: string, jobId: string, limit: number): Promise<string[]> {
  const rows = await tx<{ memory_id: string }[]>`
    select chunk.memory_id
    from ingest.chunk
    where chunk.workspace_id = ${workspaceId}
      and chunk.job_id = ${jobId}
      and chunk.state = 'skipped'
      and chunk.memory_id is not null
    order by chunk.place
    limit ${limit}`
  return rows.map(row => row.memory_id)
}

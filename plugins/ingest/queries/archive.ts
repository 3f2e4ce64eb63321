import { insertRows, plainArray, type Tx, textArray } from 'mneme/plugin'
import type { ArchiveScope } from '../../memories/contract.ts'
import type { ArchivedChunk, JobRecord } from '../archive/records.ts'
import type { Job } from '../job.ts'
import { jobColumns } from './rows.ts'

/** A place in the list of all jobs with their chunks: behind this chunk of the job. */
export interface ArchivePlace {
  readonly jobId: string
  /** -1 behind the job itself. */
  readonly chunk: number
}

/** A job with one of its chunks, or without any. */
export interface ArchivedRow {
  readonly job: Job
  readonly chunk: ArchivedChunk | undefined
}

/** Reads the next chunks of jobs that have ended, with their jobs, in the order of both. */
export async function documentsAfter(
  tx: Tx,
  workspaceId: string,
  { userId, categories }: Pick<ArchiveScope, 'userId' | 'categories'>,
  after: ArchivePlace,
  limit: number,
): Promise<ArchivedRow[]> {
  const rows = await tx<(Job & { place: number | null } & Omit<ArchivedChunk, 'place'>)[]>`
    select ${jobColumns(tx)}, chunk.*
    from ingest.job
    left join lateral (
      select chunk.place, encode(chunk.text_hash, 'hex') as hash, chunk.memory_id as "memoryId", chunk.state,
        chunk.place_in_document as metadata
      from ingest.chunk
      where chunk.workspace_id = ${workspaceId}
        and chunk.job_id = job.id
        and chunk.state in ('created', 'kept', 'skipped')
        and chunk.memory_id is not null
        and chunk.place > case when job.id = ${after.jobId} then ${after.chunk}::integer else -1 end
      order by chunk.place
      limit ${limit}
    ) as chunk on true
    where job.workspace_id = ${workspaceId}
      and job.stage = 'over'
      -- The planner finds no bound in the condition after it, and would read each page from the first job on.
      and job.id >= ${after.jobId}
      and (job.id > ${after.jobId} or (job.id = ${after.jobId} and chunk.place is not null))
      ${userId === undefined ? tx`` : tx`and job.user_id = ${userId}`}
      ${categories === undefined ? tx`` : tx`and job.categories && ${textArray(categories)}::text[]`}
    order by job.id, chunk.place
    limit ${limit}`
  return rows.map(({ place, hash, memoryId, state, metadata, ...job }) => ({
    job,
    chunk: place === null ? undefined : { place, hash, memoryId, state, metadata },
  }))
}

/**
 * Stores a job as it was elsewhere, unless its document is another user's here: versions of a document replace each other.
 * @returns whether there was none of its id
 */
export async function insertArchivedJob(tx: Tx, workspaceId: string, job: JobRecord): Promise<boolean> {
  const [others] = await tx<{ exist: boolean }[]>`
    select exists (
      select
      from ingest.job as other
      where other.workspace_id = ${workspaceId}
        and other.document_id = ${job.document_id}
        and other.user_id <> ${job.user_id}
    ) as exist`
  if (others?.exist) return false
  const { count } = await tx`
    insert into ingest.job (
      workspace_id, id, document_id, user_id, categories, format, content_format, charset, file_name, source_url,
      document_name, title, size_bytes, is_replacement, status, stage, chunks_total, chunks_done, memories_created,
      memories_skipped, memories_failed, memories_removed, read_by, warnings, error_code, error, cancelled,
      created_at, updated_at
    )
    values (
      ${workspaceId}, ${job.id}, ${job.document_id}, ${job.user_id}, ${textArray(job.categories)}::text[], ${job.format},
      ${job.content_format}, ${job.charset}, ${job.file_name}, ${job.source_url}, ${job.document_name}, ${job.title},
      ${job.size_bytes}, ${job.is_replacement}, ${job.status}, 'over', ${job.chunks_total}, ${job.chunks_done},
      ${job.memories_created}, ${job.memories_skipped}, ${job.memories_failed}, ${job.memories_removed}, ${job.read_by},
      ${textArray(job.warnings)}::text[], ${job.error_code}, ${job.error}, ${job.cancelled},
      least(${job.created_at}::timestamptz, now()), least(${job.updated_at}::timestamptz, now())
    )
    on conflict on constraint job_pk do nothing`
  return count > 0
}

/** Finds the documents that memories are part of, keyed by memory id. */
export async function documentsOf(
  tx: Tx,
  workspaceId: string,
  memoryIds: readonly string[],
): Promise<Map<string, string>> {
  const rows = await tx<{ memory_id: string; document_id: string }[]>`
    select chunk.memory_id, job.document_id
    from ingest.chunk
    join ingest.job on job.workspace_id = chunk.workspace_id and job.id = chunk.job_id
    where chunk.workspace_id = ${workspaceId}
      and job.workspace_id = ${workspaceId}
      and chunk.memory_id = any(${plainArray(memoryIds)}::uuid[])
      and chunk.state in ('created', 'kept')`
  return new Map(rows.map(row => [row.memory_id, row.document_id]))
}

/** Tells whether a newer version has taken the place of a job: none of its texts is the document's any more. */
export async function isReplaced(tx: Tx, workspaceId: string, { id, documentId, createdAt }: Job): Promise<boolean> {
  const rows = await tx`
    select newer.id
    from ingest.job as newer
    where newer.workspace_id = ${workspaceId}
      and newer.document_id = ${documentId}
      and (newer.created_at, newer.id) > (${createdAt}::timestamptz, ${id}::uuid)
      and newer.is_replacement
      and (newer.stage = 'settle' or newer.status = 'COMPLETED' or newer.error_code = 'PROCESSING_FAILED')
    limit 1`
  return rows.length > 0
}

/** Gives a job chunks at places where it has none. @returns how many */
export async function insertArchivedChunks(
  tx: Tx,
  workspaceId: string,
  jobId: string,
  chunks: readonly ArchivedChunk[],
): Promise<number> {
  const stored = await insertRows(
    tx,
    chunks,
    ({ place, hash, metadata, state, memoryId }) => tx`(
      ${workspaceId}, ${jobId}, ${place}, decode(${hash}, 'hex'), ${metadata && JSON.stringify(metadata)}::text::jsonb, ${state},
      ${memoryId}, true
    )`,
    values => tx<{ place: number }[]>`
      insert into ingest.chunk (workspace_id, job_id, place, text_hash, place_in_document, state, memory_id, is_settled)
      values ${values}
      on conflict on constraint chunk_pk do nothing
      returning place`,
  )
  return stored.length
}

import { lockSubject, type PageWindow, plainArray, type Tx, textArray } from 'mneme/plugin'
import type { Job, JobFailure, JobStatus, NewJobRow } from '../job.ts'
import type { WaitingJobs } from '../limits.ts'
import { rankOf } from '../work.ts'
import { jobColumns } from './rows.ts'

/**
 * Stores a new job and queues it. A replacement goes on with all that the user has under the name of its document.
 * @param documentId the document that it is a version of; left out, it begins one
 */
export async function insertJob(tx: Tx, workspaceId: string, job: NewJobRow, documentId = job.id): Promise<Job> {
  const stage = job.format === 'URL' ? 'fetch' : 'read'
  await lockSubject(tx, workspaceId, job.userId)
  const [row] = await tx<Job[]>`
    with changed as (
      insert into ingest.job (
        workspace_id, id, document_id, user_id, categories, format, content_format, charset, file_name, source_url, document_name,
        size_bytes, is_replacement, instructions, status, stage, created_at, updated_at
      )
      values (
        ${workspaceId}, ${job.id}, ${documentId}, ${job.userId}, ${textArray(job.categories)}::text[], ${job.format},
        ${job.contentFormat}, ${job.charset}, ${job.fileName}, ${job.sourceUrl}, ${job.documentName}, ${job.sizeBytes}, ${job.isReplacement},
        ${job.instructions}, 'PENDING', ${stage}, clock_timestamp(), clock_timestamp()
      )
      returning job.*
    )
    select ${jobColumns(tx)} from changed as job`
  if (!row) throw new Error('the insert of an ingest job returned no row')
  await tx`insert into ingest.work (workspace_id, job_id, rank) values (${workspaceId}, ${job.id}, ${rankOf(stage)})`
  return row
}

export async function findJob(tx: Tx, workspaceId: string, id: string, mode?: 'locked'): Promise<Job | undefined> {
  const [row] = await tx<Job[]>`
    select ${jobColumns(tx)}
    from ingest.job
    where job.workspace_id = ${workspaceId}
      and job.id = ${id}
    ${mode === 'locked' ? tx`for update` : tx``}`
  return row
}

export interface JobFilter {
  readonly status?: JobStatus | undefined
  readonly userId?: string | undefined
}

export async function listJobs(
  tx: Tx,
  workspaceId: string,
  { status, userId }: JobFilter,
  window: PageWindow,
): Promise<{ jobs: Job[]; total: number }> {
  const conditions = () => tx`
      ${status === undefined ? tx`` : tx`and job.status = ${status}`}
      ${userId === undefined ? tx`` : tx`and job.user_id = ${userId}`}`
  const [jobs, [counted]] = await Promise.all([
    tx<Job[]>`
      select ${jobColumns(tx)}
      from ingest.job
      where job.workspace_id = ${workspaceId} ${conditions()}
      order by job.created_at desc, job.id desc
      limit ${window.limit}
      offset ${window.offset}`,
    tx<{ total: number }[]>`
      select count(*) as total
      from ingest.job
      where job.workspace_id = ${workspaceId} ${conditions()}`,
  ])
  return { jobs, total: counted?.total ?? 0 }
}

/** Counts the jobs under way. The bytes of a page count once it is fetched. */
export async function countWaiting(tx: Tx, workspaceId: string): Promise<WaitingJobs> {
  const [row] = await tx<WaitingJobs[]>`
    select count(*)::int as jobs, coalesce(sum(job.size_bytes), 0)::float8 as bytes
    from ingest.work
    join ingest.job on job.workspace_id = work.workspace_id and job.id = work.job_id
    where work.workspace_id = ${workspaceId}
      and job.workspace_id = ${workspaceId}`
  return row ?? { jobs: 0, bytes: 0 }
}

export interface JobChanges {
  readonly stage?: Job['stage']
  readonly contentFormat?: Job['contentFormat']
  readonly charset?: string | null
  readonly sizeBytes?: number
  readonly title?: string | null
  readonly readBy?: string
  readonly warnings?: readonly string[]
  readonly chunksTotal?: number
  readonly readsAlone?: boolean
  /** In addition to those before. */
  readonly memoriesRemoved?: number
}

/** Notes how far a job is. It is PROCESSING from its first step on. */
export async function advanceJob(tx: Tx, workspaceId: string, id: string, changes: JobChanges): Promise<void> {
  const {
    stage,
    contentFormat,
    charset,
    sizeBytes,
    title,
    readBy,
    warnings,
    chunksTotal,
    readsAlone,
    memoriesRemoved = 0,
  } = changes
  await tx`
    update ingest.job
    set status = 'PROCESSING', updated_at = now(),
      stage = coalesce(${stage ?? null}, job.stage),
      content_format = coalesce(${contentFormat ?? null}, job.content_format),
      charset = coalesce(${charset ?? null}, job.charset),
      size_bytes = coalesce(${sizeBytes ?? null}::bigint, job.size_bytes),
      title = coalesce(${title ?? null}, job.title),
      read_by = coalesce(${readBy ?? null}, job.read_by),
      warnings = coalesce(${warnings ? textArray(warnings) : null}::text[], job.warnings),
      chunks_total = coalesce(${chunksTotal ?? null}::integer, job.chunks_total),
      reads_alone = coalesce(${readsAlone ?? null}::boolean, job.reads_alone),
      memories_removed = job.memories_removed + ${memoriesRemoved}::integer
    where job.workspace_id = ${workspaceId}
      and job.id = ${id}
      and job.status in ('PENDING', 'PROCESSING')`
}

/** Ends a job: its file and its waiting texts go, its work too. `failure` null: it is COMPLETED. */
export async function endJob(
  tx: Tx,
  workspaceId: string,
  id: string,
  failure: JobFailure | null,
): Promise<Job | undefined> {
  const before = await findJob(tx, workspaceId, id, 'locked')
  if (!before || before.stage === 'over') return undefined
  const [row] = await tx<Job[]>`
    with changed as (
      update ingest.job
      set status = ${failure ? 'FAILED' : 'COMPLETED'}, stage = 'over', error_code = ${failure?.code ?? null},
        error = ${failure?.message ?? null}, updated_at = now()
      where job.workspace_id = ${workspaceId}
        and job.id = ${id}
      returning job.*
    )
    select ${jobColumns(tx)} from changed as job`
  if (!row) return undefined
  // Until the last page is exchanged, the memories that a new version keeps are the older one's still.
  const hasSwapped = !['swap', 'exchange'].includes(before.stage)
  await tx`
    delete from ingest.chunk
    where chunk.workspace_id = ${workspaceId}
      and chunk.job_id = ${id}
      and (chunk.state = 'waiting' or (chunk.state = 'kept' and not ${hasSwapped}))`
  await tx`delete from ingest.work where work.workspace_id = ${workspaceId} and work.job_id = ${id}`
  return row
}

/** Asks a job to end; whoever has it sees that at its next step. */
export async function requestCancel(tx: Tx, workspaceId: string, id: string): Promise<void> {
  await tx`
    update ingest.job
    set cancelled = true, updated_at = now()
    where job.workspace_id = ${workspaceId}
      and job.id = ${id}`
}

/** Removes a job and all it has, but for its memories. */
export async function deleteJob(tx: Tx, workspaceId: string, id: string): Promise<void> {
  await tx`delete from ingest.chunk where chunk.workspace_id = ${workspaceId} and chunk.job_id = ${id}`
  await tx`delete from ingest.piece where piece.workspace_id = ${workspaceId} and piece.job_id = ${id}`
  await tx`delete from ingest.work where work.workspace_id = ${workspaceId} and work.job_id = ${id}`
  await tx`delete from ingest.job where job.workspace_id = ${workspaceId} and job.id = ${id}`
}

/**
 * Removes all jobs of a user, of a document, of both together, or of the workspace. Whoever stores memories of one is waited for, and finds it
 * gone afterwards.
 * @param documentId may be any text, since callers give the session of its memories
 * @returns their ids
 */
export async function deleteJobsOf(
  tx: Tx,
  workspaceId: string,
  { userId, documentId }: { readonly userId: string | undefined; readonly documentId: string | undefined },
): Promise<string[]> {
  const rows = await tx<{ id: string }[]>`
    select job.id
    from ingest.job
    where job.workspace_id = ${workspaceId}
      ${userId === undefined ? tx`` : tx`and job.user_id = ${userId}`}
      ${documentId === undefined ? tx`` : tx`and job.document_id::text = ${documentId}`}
    order by job.id
    for update`
  const removed = rows.map(row => row.id)
  if (removed.length === 0) return removed
  const ids = tx`${plainArray(removed)}::uuid[]`
  await tx`delete from ingest.chunk where chunk.workspace_id = ${workspaceId} and chunk.job_id = any(${ids})`
  await tx`delete from ingest.piece where piece.workspace_id = ${workspaceId} and piece.job_id = any(${ids})`
  await tx`delete from ingest.work where work.workspace_id = ${workspaceId} and work.job_id = any(${ids})`
  await tx`delete from ingest.job where job.workspace_id = ${workspaceId} and job.id = any(${ids})`
  return removed
}

/** Finds what is to be noted of memories, in the words of whoever submitted their document; the newest job of a memory decides. */
export async function instructionsFor(
  tx: Tx,
  workspaceId: string,
  memoryIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await tx<{ memory_id: string; instructions: string }[]>`
    select distinct on (chunk.memory_id) chunk.memory_id, job.instructions
    from ingest.chunk
    join ingest.job on job.workspace_id = chunk.workspace_id and job.id = chunk.job_id
    where chunk.workspace_id = ${workspaceId}
      and chunk.memory_id = any(${plainArray(memoryIds)}::uuid[])
      and chunk.state in ('created', 'kept')
      and job.instructions is not null
    order by chunk.memory_id, job.created_at desc`
  return new Map(rows.map(row => [row.memory_id, row.instructions]))
}

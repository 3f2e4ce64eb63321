import { type PageWindow, plainArray, type Tx, textArray } from 'mneme/plugin'
import type { Job, JobFailure, JobStatus, NewJobRow } from '../job.ts'
import { type JobRow, jobColumns, toJob } from './rows.ts'

/** Stores a new job and queues it. A replacement goes on with all that the user has under the name of its document. */
export async function insertJob(tx: Tx, workspaceId: string, job: NewJobRow): Promise<Job> {
  const older = job.isReplacement ? await joinDocuments(tx, workspaceId, job) : undefined
  const stage = job.format === 'URL' ? 'fetch' : 'read'
  const [row] = await tx<JobRow[]>`
    insert into ingest.job (
      workspace_id, id, document_id, user_id, categories, format, content_format, file_name, source_url, document_name,
      size_bytes, is_replacement, status, stage, created_at, updated_at
    )
    values (
      ${workspaceId}, ${job.id}, ${older ?? job.id}, ${job.userId}, ${textArray(job.categories)}::text[], ${job.format},
      ${job.contentFormat}, ${job.fileName}, ${job.sourceUrl}, ${job.documentName}, ${job.sizeBytes}, ${job.isReplacement},
      'PENDING', ${stage}, now(), now()
    )
    returning ${jobColumns(tx)}`
  if (!row) throw new Error('the insert of an ingest job returned no row')
  await tx`insert into ingest.work (workspace_id, job_id) values (${workspaceId}, ${job.id})`
  return toJob(row)
}

/**
 * Makes one document of all jobs of a name: an upload that replaced nothing began a document of its own, whose memories no version would
 * take away otherwise. A replacement under way keeps its document, then one that has memories or gets some.
 * @returns the document; undefined when there is none of the name
 */
async function joinDocuments(tx: Tx, workspaceId: string, { userId, documentName }: NewJobRow) {
  const ofName = () => tx`
      and md5(job.document_name) = md5(${documentName})
      and job.document_name = ${documentName}
      and job.user_id = ${userId}`
  const [row] = await tx<{ document_id: string }[]>`
    select job.document_id
    from ingest.job
    where job.workspace_id = ${workspaceId} ${ofName()}
    order by
      job.stage <> 'over' and job.is_replacement desc,
      job.stage <> 'over' or exists (
        select
        from ingest.chunk
        where chunk.workspace_id = ${workspaceId}
          and chunk.job_id = job.id
          and chunk.state in ('created', 'kept')
      ) desc,
      job.created_at desc, job.id desc
    limit 1`
  if (!row) return undefined
  await tx`
    update ingest.job
    set document_id = ${row.document_id}
    where job.workspace_id = ${workspaceId} ${ofName()}
      and job.document_id <> ${row.document_id}`
  return row.document_id
}

export async function findJob(tx: Tx, workspaceId: string, id: string, mode?: 'locked'): Promise<Job | undefined> {
  const [row] = await tx<JobRow[]>`
    select ${jobColumns(tx)}
    from ingest.job
    where job.workspace_id = ${workspaceId}
      and job.id = ${id}
    ${mode === 'locked' ? tx`for update` : tx``}`
  return row && toJob(row)
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
  const [rows, [counted]] = await Promise.all([
    tx<JobRow[]>`
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
  return { jobs: rows.map(toJob), total: counted?.total ?? 0 }
}

export interface JobChanges {
  readonly stage?: Job['stage']
  readonly contentFormat?: Job['contentFormat']
  readonly charset?: string | null
  readonly sizeBytes?: number
  readonly title?: string | null
  readonly readBy?: string
  readonly chunksTotal?: number
}

/** Notes how far a job is. It is PROCESSING from its first step on. */
export async function advanceJob(tx: Tx, workspaceId: string, id: string, changes: JobChanges): Promise<void> {
  const { stage, contentFormat, charset, sizeBytes, title, readBy, chunksTotal } = changes
  await tx`
    update ingest.job
    set status = 'PROCESSING', updated_at = now(),
      stage = coalesce(${stage ?? null}, job.stage),
      content_format = coalesce(${contentFormat ?? null}, job.content_format),
      charset = coalesce(${charset ?? null}, job.charset),
      size_bytes = coalesce(${sizeBytes ?? null}::bigint, job.size_bytes),
      title = coalesce(${title ?? null}, job.title),
      read_by = coalesce(${readBy ?? null}, job.read_by),
      chunks_total = coalesce(${chunksTotal ?? null}::integer, job.chunks_total)
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
  const [row] = await tx<JobRow[]>`
    update ingest.job
    set status = ${failure ? 'FAILED' : 'COMPLETED'}, stage = 'over', error_code = ${failure?.code ?? null},
      error = ${failure?.message ?? null}, updated_at = now()
    where job.workspace_id = ${workspaceId}
      and job.id = ${id}
    returning ${jobColumns(tx)}`
  if (!row) return undefined
  // Until the last page is exchanged, the memories that a new version keeps are the older one's still.
  const hasSwapped = !['swap', 'exchange'].includes(before.stage)
  await tx`
    delete from ingest.chunk
    where chunk.workspace_id = ${workspaceId}
      and chunk.job_id = ${id}
      and (chunk.state = 'waiting' or (chunk.state = 'kept' and not ${hasSwapped}))`
  await tx`delete from ingest.work where work.workspace_id = ${workspaceId} and work.job_id = ${id}`
  return toJob(row)
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

/** Removes all jobs of a user, or of the workspace. Whoever stores memories of one is waited for, and finds it gone afterwards. */
export async function deleteJobsOf(tx: Tx, workspaceId: string, userId: string | undefined): Promise<void> {
  const rows = await tx<{ id: string }[]>`
    select job.id
    from ingest.job
    where job.workspace_id = ${workspaceId}
      ${userId === undefined ? tx`` : tx`and job.user_id = ${userId}`}
    order by job.id
    for update`
  if (rows.length === 0) return
  const ids = tx`${plainArray(rows.map(row => row.id))}::uuid[]`
  await tx`delete from ingest.chunk where chunk.workspace_id = ${workspaceId} and chunk.job_id = any(${ids})`
  await tx`delete from ingest.piece where piece.workspace_id = ${workspaceId} and piece.job_id = any(${ids})`
  await tx`delete from ingest.work where work.workspace_id = ${workspaceId} and work.job_id = any(${ids})`
  await tx`delete from ingest.job where job.workspace_id = ${workspaceId} and job.id = any(${ids})`
}

import type { Tx } from 'mneme/plugin'
import type { Format } from '../formats.ts'
import type { Job, JobFormat, JobStatus, Stage } from '../job.ts'

export interface JobRow {
  id: string
  document_id: string
  user_id: string
  categories: string[]
  format: JobFormat
  file_name: string | null
  source_url: string | null
  document_name: string | null
  content_format: Format | null
  charset: string | null
  title: string | null
  size_bytes: number | null
  is_replacement: boolean
  status: JobStatus
  stage: Stage
  chunks_total: number | null
  chunks_done: number
  memories_created: number
  memories_skipped: number
  memories_failed: number
  memories_removed: number
  reads_alone: boolean
  read_by: string | null
  warnings: string[]
  error_code: string | null
  error: string | null
  cancelled: boolean
  created_at: Date
  updated_at: Date
}

// Arrays go out as JSON, which the driver parses; it knows no array types.
const COLUMNS = `
  job.id, job.document_id, job.user_id, to_json(job.categories) as categories, job.format, job.file_name, job.source_url,
  job.document_name, job.content_format, job.charset, job.title, job.size_bytes, job.is_replacement, job.status, job.stage,
  job.chunks_total, job.chunks_done, job.memories_created, job.memories_skipped, job.memories_failed, job.memories_removed,
  job.reads_alone, job.read_by, to_json(job.warnings) as warnings, job.error_code, job.error, job.cancelled, job.created_at, job.updated_at`

/** The columns of a job, as a fragment of a select list or a returning clause. */
export function jobColumns(tx: Tx) {
  return tx.unsafe(COLUMNS)
}

export function toJob(row: JobRow): Job {
  return {
    id: row.id,
    documentId: row.document_id,
    userId: row.user_id,
    categories: row.categories,
    format: row.format,
    fileName: row.file_name,
    sourceUrl: row.source_url,
    documentName: row.document_name,
    contentFormat: row.content_format,
    charset: row.charset,
    title: row.title,
    sizeBytes: row.size_bytes,
    isReplacement: row.is_replacement,
    status: row.status,
    stage: row.stage,
    chunksTotal: row.chunks_total,
    chunksDone: row.chunks_done,
    memoriesCreated: row.memories_created,
    memoriesSkipped: row.memories_skipped,
    memoriesFailed: row.memories_failed,
    memoriesRemoved: row.memories_removed,
    readsAlone: row.reads_alone,
    readBy: row.read_by,
    warnings: row.warnings,
    errorCode: row.error_code,
    error: row.error,
    cancelled: row.cancelled,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}

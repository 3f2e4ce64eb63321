import type { Tx } from 'mneme/plugin'

// Arrays go out as JSON, which the driver parses; it knows no array types.
const COLUMNS = `
  job.id, job.document_id as "documentId", job.user_id as "userId", to_json(job.categories) as categories, job.format,
  job.file_name as "fileName", job.source_url as "sourceUrl", job.document_name as "documentName",
  job.content_format as "contentFormat", job.charset, job.title, job.size_bytes as "sizeBytes",
  job.is_replacement as "isReplacement", job.status, job.stage, job.chunks_total as "chunksTotal",
  job.chunks_done as "chunksDone", job.memories_created as "memoriesCreated", job.memories_skipped as "memoriesSkipped",
  job.memories_failed as "memoriesFailed", job.memories_removed as "memoriesRemoved", job.reads_alone as "readsAlone",
  job.read_by as "readBy", to_json(job.warnings) as warnings, job.error_code as "errorCode", job.error, job.cancelled,
  job.created_at as "createdAt", job.updated_at as "updatedAt"`

/** The columns of a job, as a fragment of a select list or a returning clause. */
export function jobColumns(tx: Tx) {
  return tx.unsafe(COLUMNS)
}

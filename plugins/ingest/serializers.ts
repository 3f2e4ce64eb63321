import type { Job } from './job.ts'

/** Serializes a job for every endpoint. */
export function toJobResponse(job: Job) {
  const isOver = job.status === 'COMPLETED' || job.status === 'FAILED'
  return {
    id: job.id,
    format: job.format,
    status: job.status,
    user_id: job.userId,
    categories: job.categories,
    memories_created: isOver ? job.memoriesCreated : null,
    memories_skipped: isOver ? job.memoriesSkipped : null,
    memories_removed: isOver ? job.memoriesRemoved : null,
    progress: { chunks_total: job.chunksTotal, chunks_done: job.chunksDone },
    file_name: job.fileName,
    source_url: job.sourceUrl,
    document_name: job.documentName,
    title: job.title,
    document_id: job.documentId,
    read_by: job.readBy,
    warnings: job.warnings,
    error: job.error,
    error_code: job.errorCode,
    created_at: job.createdAt.toISOString(),
    updated_at: job.updatedAt.toISOString(),
  }
}

import type { Export, Import } from './job.ts'

/** An export as its endpoints respond with it. */
export function toExport(job: Export) {
  return {
    id: job.id,
    format: job.format,
    status: job.status,
    progress: { total: job.total, done: job.done },
    user_id: job.userId,
    categories: job.categories,
    include: job.include,
    size_bytes: job.status === 'COMPLETED' ? job.size : null,
    sha256: job.status === 'COMPLETED' ? job.sha256 : null,
    error: job.error,
    created_at: job.createdAt.toISOString(),
    updated_at: job.updatedAt.toISOString(),
    expires_at: job.status === 'COMPLETED' ? (job.expiresAt?.toISOString() ?? null) : null,
  }
}

/** An import as its endpoints respond with it. */
export function toImport(job: Import) {
  return {
    id: job.id,
    format: job.format,
    status: job.status,
    progress: { total: job.size, done: job.position },
    user_id: job.userId,
    file_name: job.fileName,
    memories_created: job.created,
    memories_skipped: job.skipped,
    memories_expired: job.expired,
    records_restored: job.restored,
    lines_failed: job.failed,
    errors: job.faults,
    error: job.error,
    created_at: job.createdAt.toISOString(),
    updated_at: job.updatedAt.toISOString(),
  }
}

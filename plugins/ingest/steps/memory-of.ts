import type { NewMemory } from '../../memories/contract.ts'
import type { Job } from '../job.ts'
import type { WaitingChunk } from '../queries/chunks.ts'

const METADATA_TEXT_MAX = 500

/**
 * The keys of a memory's metadata that its document gives; what else is there, somebody added. `ingest_job_id` is none of them: it is another
 * one in each version, and alone no reason to write a memory again.
 */
export const DOCUMENT_KEYS = [
  'document_id',
  'file_name',
  'source_url',
  'title',
  'heading_path',
  'page',
  'row',
  'key_path',
  'place',
]

/** A chunk as a memory, with where it comes from. */
export function memoryOf(job: Job, { text, place, metadata }: WaitingChunk): NewMemory {
  const cut = (value: string | null) => (value === null ? undefined : value.slice(0, METADATA_TEXT_MAX).toWellFormed())
  const origin = { file_name: cut(job.fileName), source_url: job.sourceUrl ?? undefined, title: cut(job.title) }
  const known = Object.entries(origin).filter(([, value]) => value !== undefined)
  return {
    text,
    userId: job.userId,
    sessionId: job.documentId,
    categories: job.categories,
    metadata: { ingest_job_id: job.id, document_id: job.documentId, ...Object.fromEntries(known), ...metadata, place },
    source: 'INGEST',
  }
}

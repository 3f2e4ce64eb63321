import { Buffer } from 'node:buffer'
import { compileValidator, inParts, instant, oneOf, type Static, type TSchema, Type, text, uuid } from 'mneme/plugin'
import { type ArchiveRecord, CATEGORIES_MAX, CATEGORY_MAX, ID_MAX } from '../../memories/contract.ts'
import { FORMATS } from '../formats.ts'
import { JOB_FORMATS, type Job } from '../job.ts'

export const JOB_TYPE = 'ingest_job'
export const CHUNKS_TYPE = 'ingest_chunks'

/** A record holds no more chunks, and where their places take many words, fewer. */
export const CHUNKS_MAX = 200
const CHUNKS_BYTES = 256 * 1024

const nullable = <S extends TSchema>(schema: S) => Type.Union([schema, Type.Null()])
/** It can be counted on from there: the columns hold twice as much. */
const integer = () => Type.Integer({ minimum: 0, maximum: 1_000_000_000 })
const words = (maxLength = 1000) => text({ maxLength })
const wordsOrNull = (maxLength?: number) => nullable(words(maxLength))
/** Names, addresses and what quotes them are as long as somebody made them. */
const LONG = 10_000
const happened = () => instant({ happened: true })

const chunk = Type.Object({
  place: integer(),
  hash: Type.String({ pattern: '^[0-9a-f]{64}$', errorMessage: 'must be a SHA-256 in hexadecimal' }),
  memory_id: uuid(),
  outcome: oneOf(['created', 'kept', 'skipped']),
  metadata: Type.Object({
    heading_path: Type.Optional(Type.Array(words(LONG), { maxItems: 100 })),
    page: Type.Optional(Type.Integer()),
    row: Type.Optional(Type.Integer()),
    key_path: Type.Optional(words(LONG)),
  }),
})
const owner = {
  user_id: text({ minLength: 1, maxLength: ID_MAX }),
  chunks: Type.Array(chunk, { maxItems: CHUNKS_MAX }),
}

const chunksRecord = Type.Object({ type: Type.Literal(CHUNKS_TYPE), id: uuid(), ...owner })
const jobRecord = Type.Object({
  type: Type.Literal(JOB_TYPE),
  id: uuid(),
  document_id: uuid(),
  categories: Type.Array(text({ minLength: 1, maxLength: CATEGORY_MAX }), { maxItems: CATEGORIES_MAX }),
  format: oneOf(JOB_FORMATS),
  content_format: nullable(oneOf(FORMATS)),
  charset: wordsOrNull(),
  file_name: wordsOrNull(LONG),
  source_url: wordsOrNull(LONG),
  document_name: wordsOrNull(LONG),
  title: wordsOrNull(),
  size_bytes: nullable(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })),
  is_replacement: Type.Boolean(),
  status: oneOf(['COMPLETED', 'FAILED']),
  chunks_total: nullable(integer()),
  chunks_done: integer(),
  memories_created: integer(),
  memories_skipped: integer(),
  memories_failed: integer(),
  memories_removed: integer(),
  read_by: wordsOrNull(),
  warnings: Type.Array(words(), { maxItems: 20 }),
  error_code: wordsOrNull(),
  error: wordsOrNull(LONG),
  cancelled: Type.Boolean(),
  created_at: happened(),
  updated_at: happened(),
  ...owner,
})
export type JobRecord = Static<typeof jobRecord>
export type ChunksRecord = Static<typeof chunksRecord>

const validators = { [JOB_TYPE]: compileValidator(jobRecord), [CHUNKS_TYPE]: compileValidator(chunksRecord) }

/** A chunk of a job that has ended, with the memory that holds its text. */
export interface ArchivedChunk {
  readonly place: number
  /** The SHA-256 of its text in hexadecimal. */
  readonly hash: string
  readonly memoryId: string
  readonly state: 'created' | 'kept' | 'skipped'
  readonly metadata: Readonly<Record<string, unknown>>
}

/** A job as records: the first ones of its chunks stand with it, more follow. @param chunks those that come next of it */
export function recordsOf(job: Job, chunks: readonly ArchivedChunk[], isBegun: boolean): ArchiveRecord[] {
  const parts = inParts(chunks.map(toItem), CHUNKS_BYTES, item => Buffer.byteLength(JSON.stringify(item)))
  const first = isBegun ? undefined : { ...jobFields(job), chunks: parts.shift() ?? [] }
  const more = parts.map(part => ({ type: CHUNKS_TYPE, id: job.id, user_id: job.userId, chunks: part }))
  return first ? [first, ...more] : more
}

function jobFields(job: Job): Omit<JobRecord, 'chunks'> {
  return {
    type: JOB_TYPE,
    id: job.id,
    document_id: job.documentId,
    user_id: job.userId,
    categories: [...job.categories],
    format: job.format,
    content_format: job.contentFormat,
    charset: job.charset,
    file_name: job.fileName,
    source_url: job.sourceUrl,
    document_name: job.documentName,
    title: job.title,
    size_bytes: job.sizeBytes,
    is_replacement: job.isReplacement,
    status: job.status === 'FAILED' ? 'FAILED' : 'COMPLETED',
    chunks_total: job.chunksTotal,
    chunks_done: job.chunksDone,
    memories_created: job.memoriesCreated,
    memories_skipped: job.memoriesSkipped,
    memories_failed: job.memoriesFailed,
    memories_removed: job.memoriesRemoved,
    read_by: job.readBy,
    warnings: [...job.warnings],
    error_code: job.errorCode,
    error: job.error,
    cancelled: job.cancelled,
    created_at: job.createdAt.toISOString(),
    updated_at: job.updatedAt.toISOString(),
  }
}

function toItem({ place, hash, memoryId, state, metadata }: ArchivedChunk): Static<typeof chunk> {
  return { place, hash, memory_id: memoryId, outcome: state, metadata }
}

/** Checks a record. */
export function readRecord(record: ArchiveRecord): { fault: string } | { record: JobRecord | ChunksRecord } {
  const isJob = record.type === JOB_TYPE
  const [fault] = validators[isJob ? JOB_TYPE : CHUNKS_TYPE].faults(record)
  if (fault) return { fault: `${fault.path} ${fault.message}` }
  return { record: record as unknown as JobRecord | ChunksRecord }
}

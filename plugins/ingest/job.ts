import { FORMATS, type Format } from './formats.ts'

export type JobFormat = Format | 'URL'
export const JOB_FORMATS: readonly JobFormat[] = [...FORMATS, 'URL']

export const JOB_STATUSES = ['PENDING', 'PROCESSING', 'COMPLETED', 'FAILED'] as const
export type JobStatus = (typeof JOB_STATUSES)[number]

/** The job does this next. */
export type Stage = 'fetch' | 'read' | 'store' | 'settle' | 'swap' | 'exchange' | 'over'

/** An ingest job as it stands. */
export interface Job {
  readonly id: string
  readonly documentId: string
  readonly userId: string
  readonly categories: readonly string[]
  readonly format: JobFormat
  readonly fileName: string | null
  readonly sourceUrl: string | null
  /** By this a newer version finds it; null where nothing can replace it. */
  readonly documentName: string | null
  readonly contentFormat: Format | null
  readonly charset: string | null
  readonly title: string | null
  readonly sizeBytes: number | null
  readonly isReplacement: boolean
  readonly status: JobStatus
  readonly stage: Stage
  readonly chunksTotal: number | null
  readonly chunksDone: number
  readonly memoriesCreated: number
  readonly memoriesSkipped: number
  readonly memoriesFailed: number
  /** Memories of older versions that it deleted. */
  readonly memoriesRemoved: number
  /** It is read without another document beside it in the process. */
  readonly readsAlone: boolean
  readonly readBy: string | null
  /** Sentences that say what of the document is in no memory, or may be wrong. */
  readonly warnings: readonly string[]
  readonly errorCode: string | null
  readonly error: string | null
  readonly cancelled: boolean
  readonly createdAt: Date
  readonly updatedAt: Date
}

export interface NewJobRow {
  readonly id: string
  readonly userId: string
  readonly categories: readonly string[]
  readonly format: JobFormat
  readonly contentFormat: Format | null
  readonly charset: string | null
  readonly fileName: string | null
  readonly sourceUrl: string | null
  readonly documentName: string | null
  readonly sizeBytes: number | null
  readonly isReplacement: boolean
  /** The caller's words on what a language model is to note of it. */
  readonly instructions: string | null
}

/** Says why a job ended without all that was asked, for programs and for people. */
export interface JobFailure {
  readonly code: string
  readonly message: string
}

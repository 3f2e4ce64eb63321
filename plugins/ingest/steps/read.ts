import { FileMissingError, type Tenant } from 'mneme/plugin'
import { secretsMode } from '../../memories/contract.ts'
import { type DocumentFacts, MemoryExceeded, ReadingError } from '../document/document.ts'
import type { SourceDocument } from '../formats.ts'
import type { Job } from '../job.ts'
import type { ChunkSink, DocumentReader } from '../parsing/reader.ts'
import { insertChunks, trimChunks } from '../queries/chunks.ts'
import { advanceJob } from '../queries/jobs.ts'
import type { IngestScope } from '../scope.ts'
import { lockActive } from './end.ts'
import { JobFailed, next, type Outcome } from './outcome.ts'
import { withCancel } from './with-cancel.ts'

/** When another look is worth it for a place to read in. */
const NO_PLACE_MS = 500

/** Plain documents up to here are read in some milliseconds. */
const SMALL_BYTES_MAX = 64 * 1024

/**
 * A reading whose chunks take longer to store is gone on with by the next one, for which it is those behind them that take time. Below the
 * time limit of the task.
 */
export const READING_MS_MAX = 240_000

/** Chunks were stored for so long that others have their turn. The next reading goes on behind them. */
class ReadingPaused extends Error {
  override readonly name = 'ReadingPaused'
}

/** Reads a job's document and stores its chunks, each under its place: reading it again after a crash stores the same. */
export async function readChunks(scope: IngestScope, tenant: Tenant, job: Job, signal: AbortSignal): Promise<Outcome> {
  const { workspaceId } = tenant
  const release = scope.places.tryTake(workspaceId, job.readsAlone, isSmall(job))
  if (!release) return next(NO_PLACE_MS)
  try {
    await tenant.transaction(tx => advanceJob(tx, workspaceId, job.id, {}))
    const { facts, readBy, total } = await withCancel(scope, tenant, job, signal, own =>
      readOnce(scope, tenant, job, own),
    )
    await tenant.transaction(async tx => {
      await lockActive(tx, workspaceId, job.id)
      await trimChunks(tx, workspaceId, job.id, total)
      const stage = job.isReplacement ? 'swap' : 'store'
      const { title = null, warnings = [] } = facts
      await advanceJob(tx, workspaceId, job.id, { stage, title, readBy, warnings, chunksTotal: total })
      await scope.files.remove(tx, workspaceId, [job.id])
    })
    return next()
  } catch (error) {
    if (error instanceof ReadingPaused) return next()
    if (error instanceof MemoryExceeded && !job.readsAlone) {
      await tenant.transaction(tx => advanceJob(tx, workspaceId, job.id, { readsAlone: true }))
      return next()
    }
    if (error instanceof ReadingError) throw new JobFailed(error.code, error.message, { cause: error })
    if (error instanceof FileMissingError) {
      throw new JobFailed('FILE_MISSING', 'The uploaded file is no longer there. Send it again.', { cause: error })
    }
    throw error
  } finally {
    release()
  }
}

/** A file of another format may be as small and unpack to a lot, or nest itself. */
function isSmall({ contentFormat, sizeBytes, readsAlone }: Job): boolean {
  const isPlain = contentFormat === 'TEXT' || contentFormat === 'CSV' || contentFormat === 'JSON'
  return !readsAlone && isPlain && sizeBytes !== null && sizeBytes <= SMALL_BYTES_MAX
}

interface Reading {
  readonly facts: DocumentFacts
  readonly readBy: string
  readonly total: number
}

async function readOnce(scope: IngestScope, tenant: Tenant, job: Job, signal: AbortSignal): Promise<Reading> {
  const format = job.contentFormat ?? 'TEXT'
  const document: SourceDocument = {
    bytes: await bytesOf(scope, tenant, job),
    format,
    name: job.fileName ?? job.sourceUrl ?? '',
    charset: job.charset ?? undefined,
    isPage: job.format === 'URL',
    secrets: secretsMode.of(tenant.workspace),
  }
  const readers = scope.readers.filter(reader => reader.formats.includes(format))
  for (const [n, reader] of readers.entries()) {
    const reading = await attempt(scope, tenant, job, reader, document, n < readers.length - 1, signal)
    if (reading) return reading
  }
  throw new Error(`no reader reads ${format}`)
}

async function bytesOf({ files }: IngestScope, tenant: Tenant, { id, sizeBytes }: Job): Promise<Uint8Array> {
  const whole = new Uint8Array(sizeBytes ?? 0)
  let at = 0
  for await (const part of files.read(tenant, id, { start: 0, end: whole.byteLength })) {
    whole.set(part, at)
    at += part.byteLength
  }
  return whole
}

/** Undefined where the reader is away and another one stands in for it. */
async function attempt(
  scope: IngestScope,
  tenant: Tenant,
  job: Job,
  reader: DocumentReader,
  document: SourceDocument,
  hasOther: boolean,
  signal: AbortSignal,
): Promise<Reading | undefined> {
  const { workspaceId } = tenant
  const begunAt = performance.now()
  let total = 0
  const sink: ChunkSink = async chunks => {
    const from = total
    const stored = await tenant.transaction(async tx => {
      await lockActive(tx, workspaceId, job.id)
      return insertChunks(tx, workspaceId, job.id, from, chunks)
    })
    total += chunks.length
    // Only a reading that came further than the one before it may leave the rest to another.
    if (stored > 0 && performance.now() - begunAt > scope.readingMsMax)
      throw new ReadingPaused('chunks are stored slowly')
  }
  try {
    const facts = await reader.read(document, sink, signal)
    return { facts, readBy: reader.id, total }
  } catch (error) {
    const isAway = error instanceof ReadingError && error.code === 'READER_UNAVAILABLE'
    if (!isAway || !hasOther) throw error
    scope.log.warn({ reader: reader.id, reason: error.message }, 'a document is read by another reader')
    return undefined
  }
}

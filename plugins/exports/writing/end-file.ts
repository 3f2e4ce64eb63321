import { Buffer } from 'node:buffer'
import { createHash } from 'node:crypto'
import { DAY_MS } from 'mneme/plugin'
import { EXPORT_COMPLETED } from '../events.ts'
import { FILE_DAYS } from '../job.ts'
import { piecePlaces, readPiece } from '../queries/pieces.ts'
import { appendPiece, completeWriting } from '../queries/writing.ts'
import { FileSink } from './file-sink.ts'
import type { Run } from './run.ts'
import { type RecordCounts, sumOf } from './sections-writer.ts'
import { writerOf } from './writers.ts'

/**
 * Writes the end of the file, with the hash of all before it, and completes the export. It reads pieces alone, so it needs no snapshot,
 * which would sit idle meanwhile.
 * @returns false when a memory of the file was deleted meanwhile
 */
export async function endFile(run: EndingRun, counts: RecordCounts): Promise<boolean> {
  const { tenant, target, write } = run
  const { workspaceId } = tenant
  const done = sumOf(counts)
  const before = await readBack(run)
  const sha256 = before.hash.copy().digest('hex')
  const end = writerOf(target.format).end(Object.fromEntries(counts), sha256)
  const sink = new FileSink(piece => write({ done }, tx => appendPiece(tx, workspaceId, target, piece)))
  await sink.write(end)
  await sink.flush()
  const size = before.size + Buffer.byteLength(end)
  return complete(run, { records: done, size, sha256: before.hash.update(end).digest('hex') })
}

type EndingRun = Omit<Run, 'read' | 'until'>

/** Reads the file as it is kept, piece by piece: pieces may have changed since they were written. */
async function readBack({ tenant, target }: EndingRun) {
  const { workspaceId } = tenant
  const hash = createHash('sha256')
  let size = 0
  for (const { number } of await tenant.transaction(tx => piecePlaces(tx, workspaceId, target))) {
    const bytes = await tenant.transaction(tx => readPiece(tx, workspaceId, target, number))
    hash.update(bytes ?? '')
    size += bytes?.byteLength ?? 0
  }
  return { hash, size }
}

async function complete(
  { scope, tenant, target, write }: EndingRun,
  file: { readonly records: number; readonly size: number; readonly sha256: string },
): Promise<boolean> {
  const { workspaceId } = tenant
  return write({}, async tx => {
    const expiresAt = new Date(Date.now() + FILE_DAYS * DAY_MS)
    if (!(await completeWriting(tx, workspaceId, target, { ...file, expiresAt }))) return false
    // A file that a deletion had written again was complete before.
    if (target.expiresAt !== null) return true
    await scope.events.publish(tx, [
      {
        kind: EXPORT_COMPLETED,
        workspaceId,
        subjectId: target.id,
        userId: target.userId,
        data: { format: target.format, records: file.records, size_bytes: file.size },
      },
    ])
    return true
  })
}

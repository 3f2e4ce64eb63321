import { Buffer } from 'node:buffer'
import { createHash } from 'node:crypto'
import { archiveSections } from '../../memories/contract.ts'
import { EXPORT_COMPLETED } from '../events.ts'
import { DAY_MS, FILE_DAYS } from '../job.ts'
import { piecePlaces, readPiece, removeSections } from '../queries/pieces.ts'
import { appendPiece, completeWriting, memoriesWritten, removeFirstSeparator } from '../queries/writing.ts'
import { FileSink } from './file-sink.ts'
import type { Run } from './run.ts'
import { scopeOf } from './write-memories.ts'
import { writerOf } from './writers.ts'

const PAGE = 500

/** What a file holds when its sections are written, by kind of record. */
export type RecordCounts = ReadonlyMap<string, number>

/** Writes the sections, which follow the memories. */
export async function writeSections(run: Run): Promise<RecordCounts> {
  const { tenant, target, write } = run
  const { workspaceId } = tenant
  const writer = writerOf(target.format)
  const counts = new Map<string, number>()
  const memories = await write({}, async tx => {
    await removeSections(tx, workspaceId, target.id)
    if (writer.separator) await removeFirstSeparator(tx, workspaceId, target, writer.separator)
    return memoriesWritten(tx, workspaceId, target)
  })
  counts.set('memory', memories)
  const sink = new FileSink(piece => write({ done: sumOf(counts) }, tx => appendPiece(tx, workspaceId, target, piece)))
  await appendSections(run, writer, sink, counts)
  await sink.flush()
  return counts
}

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

type EndingRun = Omit<Run, 'read'>

function sumOf(counts: RecordCounts): number {
  return counts.values().reduce((sum, count) => sum + count, 0)
}

async function appendSections(
  { scope, tenant, target, read }: Run,
  writer: ReturnType<typeof writerOf>,
  sink: FileSink,
  counts: Map<string, number>,
): Promise<void> {
  const archived = scopeOf(target)
  for (const section of scope.wiring.extensions(archiveSections)) {
    if (!target.include.includes(section.name)) continue
    await sink.write(writer.beginSection(section.name))
    for (let after: string | undefined, more = true; more; more = after !== undefined) {
      const page = await read(tx => section.page(tx, tenant.workspaceId, archived, after, PAGE))
      for (const record of page.records) {
        await sink.write(writer.record(record))
        counts.set(record.type, (counts.get(record.type) ?? 0) + 1)
      }
      after = page.next
    }
    await sink.write(writer.endSection())
  }
}

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

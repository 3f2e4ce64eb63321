import type { Tenant, Tx } from 'mneme/plugin'
import { type ArchiveScope, type ArchiveSection, archiveSections, memoryArchive } from '../../memories/contract.ts'
import { EXPORT_COMPLETED } from '../events.ts'
import { DAY_MS, type Export, FILE_DAYS, writeJob } from '../job.ts'
import { finishWriting, insertPiece, noteProgress, restartTelling } from '../queries/exports.ts'
import type { ExportsScope } from '../scope.ts'
import { FileSink } from './file-sink.ts'
import type { ExportWriter, Manifest } from './format.ts'
import { writerOf } from './writers.ts'

const PAGE = 500

/** Another writing of the same export has begun, or the export is gone: this one stops without a trace. */
class WritingLost extends Error {}

/** Runs a read of the workspace; all reads of one export see one state where the database can do that. */
type Read = <T>(work: (tx: Tx) => Promise<T>) => Promise<T>

/** Writes the file of an export, in constant memory. */
export async function writeExport(
  scope: ExportsScope,
  tenant: Tenant,
  target: Export,
  signal: AbortSignal,
): Promise<void> {
  try {
    // A database that runs transactions beside one another keeps one snapshot open for the whole file. The embedded one
    // could serve nobody meanwhile, so there each page is a transaction of its own.
    if (await scope.database.isConcurrent()) {
      await scope.database.workspace(
        tenant.workspaceId,
        tx => writeFile(scope, tenant, target, signal, work => work(tx)),
        {
          snapshot: true,
          once: true,
        },
      )
    } else {
      await writeFile(scope, tenant, target, signal, work => tenant.transaction(work))
    }
  } catch (error) {
    if (!(error instanceof WritingLost)) throw error
  }
}

async function writeFile(
  scope: ExportsScope,
  tenant: Tenant,
  target: Export,
  signal: AbortSignal,
  read: Read,
): Promise<void> {
  const { workspaceId } = tenant
  const archive = scope.wiring.use(memoryArchive)
  const archived: ArchiveScope = {
    withHistory: target.include.includes('history'),
    userId: target.userId ?? undefined,
    categories: target.categories ?? undefined,
    upTo: await read(tx => archive.lastId(tx, workspaceId)),
  }
  const total = await read(tx => archive.count(tx, workspaceId, archived))
  const counts = new Map<string, number>()
  const done = () => counts.values().reduce((sum, count) => sum + count, 0)
  const sink = new FileSink(async piece => {
    signal.throwIfAborted()
    await tenant.transaction(async tx => {
      if (!(await noteProgress(tx, workspaceId, target, { total, done: done() }))) throw new WritingLost()
      await insertPiece(tx, workspaceId, target, piece)
    })
  })
  const file: File = { writer: writerOf(target.format), sink, counts }
  await sink.write(file.writer.begin(manifestOf(tenant, target)))
  await writeMemories(scope, tenant, archived, read, file)
  for (const section of scope.wiring.extensions(archiveSections)) {
    if (target.include.includes(section.name)) await writeSection(section, tenant, archived, read, file)
  }
  await sink.write(file.writer.end(Object.fromEntries(counts), sink.sha256))
  await sink.flush()
  await finish(scope, tenant, target, { records: done(), size: sink.size, sha256: sink.sha256 })
}

/** A file that is being written, with the number of records of each type in it. */
interface File {
  readonly writer: ExportWriter
  readonly sink: FileSink
  readonly counts: Map<string, number>
}

function manifestOf({ workspaceId, workspace }: Tenant, { userId, categories, include }: Export): Manifest {
  return {
    format: 'mneme-archive',
    version: 1,
    exported_at: new Date().toISOString(),
    workspace: { id: workspaceId, name: workspace.name },
    user_id: userId,
    categories,
    include,
  }
}

async function writeMemories(
  { wiring }: ExportsScope,
  { workspaceId }: Tenant,
  archived: ArchiveScope,
  read: Read,
  { writer, sink, counts }: File,
): Promise<void> {
  const archive = wiring.use(memoryArchive)
  for (let after: string | undefined, more = archived.upTo !== undefined; more; ) {
    const memories = await read(tx => archive.page(tx, workspaceId, archived, after, PAGE))
    for (const memory of memories) {
      await sink.write(writer.memory(memory), memory.id)
      count(counts, 'memory')
    }
    after = memories.at(-1)?.id
    more = memories.length === PAGE
  }
}

async function writeSection(
  section: ArchiveSection,
  { workspaceId }: Tenant,
  archived: ArchiveScope,
  read: Read,
  { writer, sink, counts }: File,
): Promise<void> {
  await sink.write(writer.beginSection(section.name))
  for (let after: string | undefined, more = true; more; more = after !== undefined) {
    const page = await read(tx => section.page(tx, workspaceId, archived, after, PAGE))
    for (const record of page.records) {
      await sink.write(writer.record(record))
      count(counts, record.type)
    }
    after = page.next
  }
  await sink.write(writer.endSection())
}

function count(counts: Map<string, number>, type: string): void {
  counts.set(type, (counts.get(type) ?? 0) + 1)
}

async function finish(
  { events, jobs }: ExportsScope,
  { workspaceId, transaction }: Tenant,
  target: Export,
  file: { readonly records: number; readonly size: number; readonly sha256: string },
): Promise<void> {
  await transaction(async tx => {
    const expiresAt = new Date(Date.now() + FILE_DAYS * DAY_MS)
    const deleted = await finishWriting(tx, workspaceId, target, { ...file, expiresAt })
    if (!deleted) throw new WritingLost()
    const restarted = deleted.length > 0 ? await restartTelling(tx, workspaceId, deleted) : []
    if (restarted.includes(target.id)) return jobs.enqueue(tx, [writeJob(workspaceId, target.id)])
    await events.publish(tx, [
      {
        kind: EXPORT_COMPLETED,
        workspaceId,
        subjectId: target.id,
        userId: target.userId,
        data: { format: target.format, records: file.records, size_bytes: file.size },
      },
    ])
  })
}

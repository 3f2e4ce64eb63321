import type { Tenant } from 'mneme/plugin'
import {
  type ArchivedHistory,
  type ArchivedMemory,
  type ArchiveRecord,
  archiveSections,
  type ClearedScope,
  memoryArchive,
  type PreparedArchive,
} from '../../memories/contract.ts'
import { isCleared } from '../clear-imports.ts'
import type { Import, ImportFault } from '../job.ts'
import { advance, holdImport, importFiles, insertImported } from '../queries/imports.ts'
import { FAULTS_SHOWN } from '../schemas.ts'
import type { ExportsScope } from '../scope.ts'
import type { Shape } from './inspect.ts'
import { type Item, itemsOf } from './items.ts'

const BATCH_ITEMS = 200
const BATCH_CHARS = 1_000_000

/** A number of items that are stored together. */
interface Batch {
  readonly memories: { readonly line: number; readonly memory: ArchivedMemory }[]
  readonly histories: ArchivedHistory[]
  readonly records: { readonly line: number; readonly record: ArchiveRecord }[]
  readonly faults: ImportFault[]
  items: number
  chars: number
  next: number
}

/** Bounds of one run. */
export interface Run {
  /** Counted from the first item on: a document is read from its start each time, which moves nothing on. */
  readonly forMs: number
  /** So many more may wait for their processing. */
  readonly memories: number
  readonly signal: AbortSignal
}

/**
 * Stores what stands in the file, batch by batch, until the file is read or the run is over.
 * @returns whether it is read to its end
 */
export async function importFile(
  scope: ExportsScope,
  tenant: Tenant,
  job: Import,
  shape: Shape,
  { forMs, memories, signal }: Run,
): Promise<boolean> {
  let state = job
  let until: number | undefined
  let room = memories
  let batch = emptyBatch(state.position)
  const open = (start: number) => importFiles.read(tenant, job.id, { start, end: job.size })
  for await (const item of itemsOf(state, shape, open)) {
    until ??= performance.now() + forMs
    add(batch, item, state.lines)
    if (batch.items < BATCH_ITEMS && batch.chars < BATCH_CHARS) continue
    state = await storeBatch(scope, tenant, state, batch)
    room -= batch.memories.length
    batch = emptyBatch(state.position)
    if (room <= 0 || performance.now() > until || signal.aborted) return false
  }
  batch.next = job.size
  await storeBatch(scope, tenant, state, batch)
  return true
}

function emptyBatch(next: number): Batch {
  return { memories: [], histories: [], records: [], faults: [], items: 0, chars: 0, next }
}

function add(batch: Batch, { content, next, chars }: Item, linesBefore: number): void {
  batch.items++
  batch.chars += chars
  batch.next = next
  const line = linesBefore + batch.items
  if ('fault' in content) batch.faults.push({ line, message: content.fault })
  else if ('memory' in content) batch.memories.push({ line, memory: content.memory })
  else if ('history' in content) batch.histories.push(content.history)
  else if ('record' in content) batch.records.push({ line, record: content.record })
}

/** Another run of the job stores the same items; this one has nothing left to do. */
export class ImportMoved extends Error {}

async function storeBatch(scope: ExportsScope, tenant: Tenant, job: Import, batch: Batch): Promise<Import> {
  const { workspaceId } = tenant
  const archive = scope.wiring.use(memoryArchive)
  const restored = await restoreRecords(scope, tenant, batch)
  const memories = batch.memories.map(({ memory }) => memory)
  const prepared = memories.length > 0 ? await archive.prepare(tenant, memories) : undefined
  return tenant.transaction(async tx => {
    const held = await holdImport(tx, workspaceId, job)
    if (!held) throw new ImportMoved()
    const { cleared, lastMemoryId } = held
    const wanted = batch.memories.filter(({ memory }) => !isCleared(memory, cleared))
    const results = prepared ? await archive.store(tx, tenant, without(prepared, cleared)) : []
    const faults = [...batch.faults, ...restored.faults]
    for (const [n, result] of results.entries()) {
      const line = wanted[n]?.line ?? 0
      if (result === 'no-room') faults.push({ line, message: 'the plan has no room for more memories' })
      if (result === 'refused') faults.push({ line, message: 'a plugin of this server refuses the memory' })
    }
    const stored = wanted.filter((_, n) => results[n] === 'stored').map(({ memory }) => memory)
    await archive.storeHistory(tx, workspaceId, historiesOf(stored, lastMemoryId, batch))
    const known = results.filter(result => result === 'known').length
    const outcome = {
      position: batch.next,
      lines: batch.items,
      created: stored.length,
      skipped: known + batch.memories.length - wanted.length,
      failed: faults.length,
      restored: restored.count,
      faults: faults.toSorted((a, b) => a.line - b.line),
      lastMemoryId: lastStored(stored, lastMemoryId, batch),
    }
    await advance(tx, workspaceId, job.id, outcome, FAULTS_SHOWN)
    const shown = stored.filter(memory => memory.consolidated_into === null)
    await insertImported(
      tx,
      workspaceId,
      job.id,
      shown.map(({ id }) => id),
    )
    return { ...job, position: batch.next, lines: job.lines + batch.items }
  })
}

/** Only a memory that this import has stored gets more history: that of one that was there before stays as it is. */
function historiesOf(
  stored: readonly ArchivedMemory[],
  lastMemoryId: string | null,
  { histories }: Batch,
): ArchivedHistory[] {
  const ids = new Set([lastMemoryId, ...stored.map(({ id }) => id)])
  return histories.filter(({ id }) => ids.has(id))
}

/** The memory whose history may go on in the next batch; null where that is none of this import. */
function lastStored(stored: readonly ArchivedMemory[], before: string | null, { memories }: Batch): string | null {
  const last = memories.at(-1)?.memory
  if (!last) return before
  return stored.at(-1) === last ? last.id : null
}

/** Memories of which all of their user or agent were deleted meanwhile are not stored. */
function without(prepared: PreparedArchive, cleared: readonly ClearedScope[]): PreparedArchive {
  return { ...prepared, memories: prepared.memories.filter(memory => !isCleared(memory, cleared)) }
}

/** Records of plugins that derive them from memories are read over; those of plugins that are not there are told. */
async function restoreRecords(
  { wiring }: ExportsScope,
  tenant: Tenant,
  { records }: Batch,
): Promise<{ count: number; faults: ImportFault[] }> {
  const faults: ImportFault[] = []
  let count = 0
  const sections = wiring.extensions(archiveSections)
  for (const section of sections) {
    const own = records.filter(({ record }) => section.types.includes(record.type))
    if (own.length === 0 || !section.restore) continue
    const outcome = await section.restore(
      tenant,
      own.map(({ record }) => record),
    )
    count += outcome.restored
    for (const { at, message } of outcome.faults) faults.push({ line: own[at]?.line ?? 0, message })
  }
  const known = new Set(sections.flatMap(({ types }) => types))
  for (const { line, record } of records) {
    if (!known.has(record.type)) faults.push({ line, message: `nothing here reads a ${record.type}` })
  }
  return { count, faults }
}

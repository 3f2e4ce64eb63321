import type { Tenant, Tx } from 'mneme/plugin'
import { AppError, insertRows, textArray } from 'mneme/plugin'
import {
  type ArchivedHistory,
  type ArchivedMemory,
  type ArchiveResult,
  type ClearedScope,
  memoryArchive,
  memoryAttribution,
  type PreparedArchive,
  type SecretsMode,
  screen,
  screenFields,
  secretsMode,
} from '../../memories/contract.ts'
import { isCleared } from '../clear-imports.ts'
import type { ImportFault, ImportUnderWay } from '../job.ts'
import { advance } from '../queries/imports.ts'
import { insertImported } from '../queries/waiting-memories.ts'
import { FAULTS_SHOWN } from '../schemas.ts'
import type { ExportsScope } from '../scope.ts'
import { fileOf } from './file-of.ts'
import { ImportError, type Shape } from './inspect.ts'
import { type Item, itemsOf } from './items.ts'
import { type BatchRecord, holdUnmoved, restoreRecords } from './restore-records.ts'
import type { Reading } from './shapes.ts'

const BATCH_ITEMS = 200
const BATCH_BYTES = 1_000_000

/** Contents of a number of items that are stored together. */
interface Batch {
  readonly memories: readonly BatchMemory[]
  readonly histories: readonly ArchivedHistory[]
  readonly records: readonly BatchRecord[]
  readonly faults: readonly ImportFault[]
  readonly expired: number
  readonly lines: number
  /** Where the import goes on after it. */
  readonly next: number
  readonly list: string
}

interface BatchMemory {
  readonly line: number
  readonly memory: ArchivedMemory
  readonly isForeign: boolean
}

/** Bounds of one run. */
export interface Run {
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
  job: ImportUnderWay,
  shape: Shape,
  { forMs, memories, signal }: Run,
): Promise<boolean> {
  const until = performance.now() + forMs
  let state = job
  let room = memories
  for await (const items of batchesOf(itemsOf(job, shape, fileOf(tenant, job, signal)), job.position)) {
    state = await storeItems(scope, tenant, state, await screened(tenant, items))
    room -= items.filter(({ content }) => content && 'memory' in content).length
    if (room <= 0 || performance.now() > until || signal.aborted) return false
  }
  await storeBatch(scope, tenant, state, { ...batchOf([], state), next: job.size })
  return true
}

/** Records of plugins stand in batches of their own: what they restore stays restored when a memory beside them is refused. */
async function* batchesOf(items: AsyncIterable<Item>, position: number): AsyncGenerator<Item[]> {
  let batch: Item[] = []
  let begin = position
  for await (const item of items) {
    const [first] = batch
    if (first && isRecord(first) !== isRecord(item)) {
      yield batch
      begin = batch.at(-1)?.next ?? begin
      batch = []
    }
    batch.push(item)
    if (batch.length < BATCH_ITEMS && item.next - begin < BATCH_BYTES) continue
    yield batch
    begin = item.next
    batch = []
  }
  if (batch.length > 0) yield batch
}

function isRecord({ content }: Item): boolean {
  return content !== undefined && 'record' in content
}

/** Histories and records of plugins are texts too, which the look at each memory would not see. */
async function screened({ workspace }: Tenant, items: readonly Item[]): Promise<Item[]> {
  const mode = secretsMode.of(workspace)
  return Promise.all(
    items.map(async item => ({ ...item, content: item.content && (await screenContent(mode, item.content)) })),
  )
}

async function screenContent(mode: SecretsMode, content: Reading): Promise<Reading> {
  try {
    if ('memory' in content) return { ...content, memory: await screenFields(mode, content.memory) }
    if ('history' in content) return { history: await screen(mode, content.history) }
    if ('record' in content) return { record: await screenFields(mode, content.record) }
    return content
  } catch (error) {
    if (error instanceof AppError) return { fault: error.message }
    throw error
  }
}

/** Stores items together; where the database refuses a row of theirs, each by itself, so that it keeps no other out. */
async function storeItems(
  scope: ExportsScope,
  tenant: Tenant,
  job: ImportUnderWay,
  items: readonly Item[],
): Promise<ImportUnderWay> {
  try {
    return await storeBatch(scope, tenant, job, batchOf(items, job))
  } catch (error) {
    if (!isRefusedRow(error)) throw error
    scope.log.warn({ err: error, import: job.id, items: items.length }, 'the database refused rows of an import')
    const [first] = items
    if (first && items.length === 1) {
      return storeBatch(scope, tenant, job, batchOf([{ ...first, content: { fault: 'cannot be stored' } }], job))
    }
    let state = job
    for (const item of items) state = await storeItems(scope, tenant, state, [item])
    return state
  }
}

/** SQLSTATE classes 22 and 23: a value that a column cannot hold, and one that a constraint forbids. */
function isRefusedRow(error: unknown): boolean {
  const code: unknown = Reflect.get(Object(error), 'code')
  return typeof code === 'string' && /^2[23]/.test(code)
}

function batchOf(items: readonly Item[], { lines, position, list }: ImportUnderWay): Batch {
  const counted = items.flatMap(({ content }) => content ?? [])
  const now = new Date()
  // Were it among the others, its text would be taken when the same one comes alive.
  const isExpired = (content: Reading) =>
    'expired' in content || ('memory' in content && isOver(content.memory.expires_at, now))
  const numbered = counted.flatMap((content, n) => (isExpired(content) ? [] : { content, line: lines + n + 1 }))
  return {
    memories: numbered.flatMap(({ content, line }) => ('memory' in content ? [{ line, ...content }] : [])),
    histories: numbered.flatMap(({ content }) => ('history' in content ? [content.history] : [])),
    records: numbered.flatMap(({ content, line }) => ('record' in content ? [{ line, record: content.record }] : [])),
    faults: numbered.flatMap(({ content, line }) => ('fault' in content ? [{ line, message: content.fault }] : [])),
    expired: counted.length - numbered.length,
    lines: counted.length,
    next: items.at(-1)?.next ?? position,
    list: items.at(-1)?.list ?? list,
  }
}

function usersOf({ memories, records }: Batch): string[] {
  const named = [...memories.map(({ memory }) => memory.user_id), ...records.map(({ record }) => record.user_id)]
  return [...new Set(named.filter(user => typeof user === 'string'))]
}

function isOver(expiresAt: string | null, now: Date): boolean {
  return expiresAt !== null && new Date(expiresAt) <= now
}

async function storeBatch(
  scope: ExportsScope,
  tenant: Tenant,
  job: ImportUnderWay,
  given: Batch,
): Promise<ImportUnderWay> {
  const { workspaceId } = tenant
  const batch = { ...given, memories: await attributed(scope, tenant, given.memories) }
  const archive = scope.wiring.use(memoryArchive)
  const restored = await restoreRecords(scope, tenant, job, batch.records)
  const memories = batch.memories.map(({ memory }) => memory)
  const prepared = memories.length > 0 ? await archive.prepare(tenant, memories) : undefined
  const { state, isFull } = await tenant.transaction(async tx => {
    const { cleared, lastMemoryId } = await holdUnmoved(tx, workspaceId, job)
    const wanted = batch.memories.filter(({ memory }) => !isCleared(memory, cleared))
    const results = prepared
      ? await storeMemories(scope, tx, tenant, { job, wanted, prepared: without(prepared, cleared) })
      : []
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
      list: batch.list,
      lines: batch.lines,
      created: stored.length,
      skipped: known + batch.memories.length - wanted.length,
      expired: batch.expired,
      failed: faults.length,
      restored: restored.count,
      faults: faults.toSorted((a, b) => a.line - b.line),
      lastMemoryId: lastStored(stored, lastMemoryId, batch),
      users: usersOf(batch),
    }
    await advance(tx, workspaceId, job.id, outcome, FAULTS_SHOWN)
    const shown = stored.filter(memory => memory.consolidated_into === null)
    await insertImported(
      tx,
      workspaceId,
      job.id,
      shown.map(({ id }) => id),
    )
    return {
      state: { ...job, position: batch.next, list: batch.list, lines: job.lines + batch.lines },
      isFull: results.includes('no-room'),
    }
  })
  if (isFull) throw fullPlan(tenant)
  return state
}

/** Survivors that were left out are known by those that hold their texts, whatever batch they came with. */
async function storeMemories(
  { wiring }: ExportsScope,
  tx: Tx,
  tenant: Tenant,
  { job, wanted, prepared }: { job: ImportUnderWay; wanted: readonly BatchMemory[]; prepared: PreparedArchive },
): Promise<readonly ArchiveResult[]> {
  const { workspaceId } = tenant
  const survivors = prepared.memories.flatMap(({ consolidated_into: into }) => into ?? [])
  const known = await findNotedHolders(tx, workspaceId, job.id, survivors)
  const { results, holders } = await wiring.use(memoryArchive).store(tx, tenant, prepared, known)
  // Nothing is merged into a memory of another service.
  const archived = new Set(prepared.memories.filter((_, n) => !wanted[n]?.isForeign).map(({ id }) => id))
  const noted = [...holders].filter(([id]) => archived.has(id))
  await noteHolders(tx, workspaceId, job.id, noted)
  return results
}

/** Other services keep each user's memories apart, so the same words of two users are two memories. */
async function attributed(
  { wiring }: ExportsScope,
  tenant: Tenant,
  memories: readonly BatchMemory[],
): Promise<readonly BatchMemory[]> {
  const foreign = memories.filter(({ isForeign }) => isForeign)
  const statements = foreign.map(({ memory }) => ({ text: memory.memory, userId: memory.user_id }))
  const texts = await wiring.use(memoryAttribution).attribute(tenant, statements)
  const textOf = new Map(foreign.map((item, n) => [item, texts[n] ?? item.memory.memory]))
  return memories.map(item => ({ ...item, memory: { ...item.memory, memory: textOf.get(item) ?? item.memory.memory } }))
}

/** Everything that follows would be read for nothing, and an import that leaves most of a file out is not complete. */
function fullPlan({ workspace: { plan, quotas } }: Tenant): ImportError {
  return new ImportError(
    `The ${plan} plan's ${quotas.memories} memories are used up. What was stored stays: make room and import the file again, which skips it.`,
  )
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

/** Notes which memories hold the texts of others that an import left out, until it ends. */
async function noteHolders(
  tx: Tx,
  workspaceId: string,
  importId: string,
  holders: readonly (readonly [memoryId: string, holderId: string])[],
): Promise<void> {
  await insertRows(
    tx,
    holders,
    ([memoryId, holderId]) => tx`(${workspaceId}, ${importId}, ${memoryId}, ${holderId})`,
    values => tx`
      insert into exports.import_holder (workspace_id, import_id, memory_id, holder_id)
      values ${values}
      on conflict (workspace_id, import_id, memory_id) do update
      set holder_id = excluded.holder_id`,
  )
}

/** The holders of those of the memories that the import left out. */
async function findNotedHolders(
  tx: Tx,
  workspaceId: string,
  importId: string,
  memoryIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (memoryIds.length === 0) return new Map()
  const rows = await tx<{ memory_id: string; holder_id: string }[]>`
    select import_holder.memory_id, import_holder.holder_id
    from exports.import_holder
    where import_holder.workspace_id = ${workspaceId}
      and import_holder.import_id = ${importId}
      and import_holder.memory_id = any (${textArray(memoryIds)}::uuid[])`
  return new Map(rows.map(row => [row.memory_id, row.holder_id]))
}

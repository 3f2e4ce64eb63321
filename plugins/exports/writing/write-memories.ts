import type { Tenant } from 'mneme/plugin'
import { type ArchivedMemory, type ArchiveScope, memoryArchive } from '../../memories/contract.ts'
import { type Export, HISTORY, MEMORIES } from '../job.ts'
import { appendPiece, type EmptiedPiece, emptiedPieces, refillPiece } from '../queries/writing.ts'
import { absorbedBy, FileSink } from './file-sink.ts'
import type { Manifest } from './format.ts'
import type { Run } from './run.ts'
import { writerOf } from './writers.ts'

const PAGE = 500

/** Writes the beginning of the file, with all memories where they are included. */
export async function writeMemories(run: Run): Promise<void> {
  const { scope, tenant, target, read, write } = run
  const { workspaceId } = tenant
  const archive = scope.wiring.use(memoryArchive)
  const upTo = target.include.includes(MEMORIES) ? await read(tx => archive.lastId(tx, workspaceId)) : undefined
  const archived = { ...scopeOf(target), upTo }
  const total = upTo === undefined ? 0 : await read(tx => archive.count(tx, workspaceId, archived))
  let done = 0
  const sink = new FileSink(piece => write({ total, done }, tx => appendPiece(tx, workspaceId, target, piece)))
  const writer = writerOf(target.format)
  await sink.write(writer.begin(manifestOf(tenant, target)))
  await sink.flush()
  if (upTo !== undefined) {
    for await (const memory of memoriesOf(run, archived, undefined)) {
      await sink.writeMemory(writer.memory(memory), memory)
      done++
    }
  }
  await sink.flush()
  await write({ total, done, hasMemories: true }, async () => undefined)
}

/** Writes the pieces again that deletions had emptied when the round began, each from what is there now. */
export async function mendMemories(run: Run): Promise<void> {
  const { tenant, target, write } = run
  const emptied = await tenant.transaction(tx => emptiedPieces(tx, tenant.workspaceId, target))
  for (const place of emptied) {
    const piece = await rewritten(run, place)
    await write({}, tx => refillPiece(tx, tenant.workspaceId, target, place, piece))
  }
}

async function rewritten(run: Run, { after, lastMemoryId }: EmptiedPiece) {
  const writer = writerOf(run.target.format)
  const texts: string[] = []
  const memoryIds: string[] = []
  let memories = 0
  const archived = { ...scopeOf(run.target), upTo: lastMemoryId }
  for await (const memory of memoriesOf(run, archived, after ?? undefined)) {
    const text = writer.memory(memory)
    if (text === '') continue
    texts.push(text)
    memoryIds.push(memory.id, ...absorbedBy(memory))
    memories++
  }
  return { text: texts.join(''), memoryIds, memories }
}

async function* memoriesOf(
  { scope, tenant, read }: Run,
  archived: ArchiveScope,
  from: string | undefined,
): AsyncGenerator<ArchivedMemory> {
  const archive = scope.wiring.use(memoryArchive)
  for (let after = from, more = true; more; ) {
    const memories = await read(tx => archive.page(tx, tenant.workspaceId, archived, after, PAGE))
    yield* memories
    after = memories.at(-1)?.id
    more = memories.length > 0
  }
}

export function scopeOf({ userId, categories, include }: Export): ArchiveScope {
  return {
    withHistory: include.includes(HISTORY),
    userId: userId ?? undefined,
    categories: categories ?? undefined,
  }
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

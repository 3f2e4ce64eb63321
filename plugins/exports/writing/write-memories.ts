import { Buffer } from 'node:buffer'
import type { Tenant } from 'mneme/plugin'
import { type ArchivedEvent, type ArchivedMemory, type ArchiveScope, memoryArchive } from '../../memories/contract.ts'
import { type Export, HISTORY, MEMORIES } from '../job.ts'
import { emptiedPieces, emptyPlaces, type Place, refillPiece } from '../queries/mending.ts'
import { appendPiece, memoriesWritten, removeUnfinished } from '../queries/writing.ts'
import { FileSink, type MemoryPart, PIECE_BYTES } from './file-sink.ts'
import type { ExportWriter, Manifest } from './format.ts'
import type { Run } from './run.ts'
import { writerOf } from './writers.ts'

const PAGE = 500

/**
 * Writes the memories, where they are included, from where the run before stopped; a first run writes the beginning of the file before them.
 * @returns false when the time was over before all were written; at least one more is
 */
export async function writeMemories(run: Run): Promise<boolean> {
  const { tenant, target, write, until } = run
  const { workspaceId } = tenant
  const begun = await (target.upTo === null ? beginFile(run) : goOn(run, target.upTo))
  let { done } = begun
  let whole: string | undefined
  const sink = new FileSink(piece => {
    const writtenTo = piece.isWhole ? (piece.lastMemoryId ?? undefined) : undefined
    return write({ done, writtenTo }, tx => appendPiece(tx, workspaceId, target, piece))
  })
  if (begun.upTo !== undefined) {
    const archived = { ...scopeOf(target), upTo: begun.upTo }
    for await (const part of partsOf(run, writerOf(target.format), archived, begun.after)) {
      if (part.isFirst && whole !== undefined && performance.now() > until) {
        await sink.flush()
        await write({ done, writtenTo: whole }, async () => undefined)
        return false
      }
      if (part.isFirst) done++
      await sink.writeMemory(part)
      whole = part.memoryId
    }
  }
  await sink.flush()
  await write({ done, hasMemories: true }, async () => undefined)
  return true
}

/** Tells what of the memories is written next. */
interface Begun {
  readonly done: number
  /** The newest memory that belongs to the file; undefined where none does. */
  readonly upTo: string | undefined
  readonly after: string | undefined
}

async function beginFile({ scope, tenant, target, read, write }: Run): Promise<Begun> {
  const { workspaceId } = tenant
  const archive = scope.wiring.use(memoryArchive)
  const upTo = target.include.includes(MEMORIES) ? await read(tx => archive.lastId(tx, workspaceId)) : undefined
  const archived = { ...scopeOf(target), upTo }
  const total = upTo === undefined ? 0 : await read(tx => archive.count(tx, workspaceId, archived))
  const text = writerOf(target.format).begin(manifestOf(tenant, target))
  const piece = { text, memoryIds: [], memories: 0, lastMemoryId: null, isWhole: true }
  await write({ total, done: 0, upTo }, tx => appendPiece(tx, workspaceId, target, piece))
  return { done: 0, upTo, after: undefined }
}

async function goOn({ tenant: { workspaceId }, target, write }: Run, upTo: string): Promise<Begun> {
  const done = await write({}, async tx => {
    await removeUnfinished(tx, workspaceId, target)
    return memoriesWritten(tx, workspaceId, target)
  })
  return { done, upTo, after: target.writtenTo ?? undefined }
}

/**
 * Writes the pieces again that deletions had emptied when the round began, each from what is there now.
 * @returns false when the time was over before all were written; at least one more is
 */
export async function mendMemories(run: Run): Promise<boolean> {
  const { tenant, target, until } = run
  const emptied = await tenant.transaction(tx => emptiedPieces(tx, tenant.workspaceId, target))
  const groups = [...Map.groupBy(emptied, place => place.lastMemoryId).values()]
  for (const [n, places] of groups.entries()) {
    if (n > 0 && performance.now() > until) return false
    await rewrite(run, places)
  }
  return true
}

/**
 * Writes the pieces of one last memory again: one, or those of a long history. What is there now fills them in turn; where it is more, further
 * ones come behind. The first is written last: until then all of them are emptied, so that a run that is cut off begins them again.
 */
async function rewrite(run: Run, places: readonly Place[]): Promise<void> {
  const { tenant, target, write } = run
  const { workspaceId } = tenant
  const [first] = places
  if (!first) return
  if (places.length > 1) await write({}, tx => emptyPlaces(tx, workspaceId, target, places))
  const refill = (place: Place, piece: Refill) =>
    write({}, tx => refillPiece(tx, workspaceId, target, place, piece.content()))
  const beginning = new Refill()
  let [place, piece] = [first, beginning]
  let used = 1
  const archived = { ...scopeOf(target), upTo: first.lastMemoryId }
  for await (const part of partsOf(run, writerOf(target.format), archived, first.after ?? undefined)) {
    const next = piece.bytes >= PIECE_BYTES ? (places[used] ?? placeBehind(place)) : undefined
    if (next) {
      if (piece !== beginning) await refill(place, piece)
      ;[place, piece] = [next, new Refill()]
      used++
    }
    piece.add(part)
  }
  if (piece !== beginning) await refill(place, piece)
  for (const left of places.slice(used)) await refill(left, new Refill())
  await refill(first, beginning)
}

/** Where all numbers are taken, the piece before grows. */
function placeBehind(place: Place): Place | undefined {
  const number = place.number + 1
  return number < place.next ? { ...place, number } : undefined
}

class Refill {
  bytes = 0
  readonly #texts: string[] = []
  readonly #memoryIds = new Set<string>()
  #memories = 0

  add({ text, tellsOf, isFirst }: MemoryPart): void {
    this.#texts.push(text)
    this.bytes += Buffer.byteLength(text)
    for (const id of tellsOf) this.#memoryIds.add(id)
    if (isFirst) this.#memories++
  }

  content() {
    return { text: this.#texts.join(''), memoryIds: [...this.#memoryIds], memories: this.#memories }
  }
}

/** The texts of memories; those that the format leaves out have none. */
async function* partsOf(
  run: Run,
  writer: ExportWriter,
  archived: ArchiveScope,
  from: string | undefined,
): AsyncGenerator<MemoryPart> {
  const withHistory = archived.withHistory && writer.history !== undefined
  for await (const memory of memoriesOf(run, { ...archived, withHistory }, from)) {
    if (withHistory && memory.history === undefined) {
      yield* partsOfLong(run, writer, memory)
      continue
    }
    const text = writer.memory(memory)
    const tellsOf = [memory.id, ...absorbedIn(memory.history ?? [])]
    if (text !== '') yield { text, memoryId: memory.id, tellsOf, isFirst: true, isLong: false }
  }
}

async function* partsOfLong(
  { scope, tenant: { workspaceId }, read }: Run,
  writer: ExportWriter,
  memory: ArchivedMemory,
): AsyncGenerator<MemoryPart> {
  const archive = scope.wiring.use(memoryArchive)
  const { id } = memory
  const known = [id, ...(await read(tx => archive.absorbed(tx, workspaceId, id)))]
  let after: ArchivedEvent | undefined
  for (let isFirst = true; ; isFirst = false) {
    const history = await read(tx => archive.history(tx, workspaceId, id, after))
    if (history.length === 0 && !isFirst) return
    const text = isFirst ? writer.memory({ ...memory, history }) : (writer.history?.(id, history) ?? '')
    // On a database without snapshots more may be absorbed between two reads.
    const tellsOf = [...known, ...absorbedIn(history)]
    if (text !== '') yield { text, memoryId: id, tellsOf, isFirst, isLong: true }
    after = history.at(-1)
  }
}

function absorbedIn(history: readonly ArchivedEvent[]): string[] {
  return history.flatMap(event => event.absorbed_id ?? [])
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

import { Buffer } from 'node:buffer'
import type { Tenant } from 'mneme/plugin'
import { type ArchivedEvent, type ArchivedMemory, type ArchiveScope, memoryArchive } from '../../memories/contract.ts'
import { type Export, HISTORY, MEMORIES } from '../job.ts'
import { emptiedPieces, emptyPlaces, type Place, refillPiece } from '../queries/mending.ts'
import { appendPiece } from '../queries/writing.ts'
import { FileSink, type MemoryPart, PIECE_BYTES } from './file-sink.ts'
import type { ExportWriter, Manifest } from './format.ts'
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
    for await (const part of partsOf(run, writer, archived, undefined)) {
      if (part.isFirst) done++
      await sink.writeMemory(part)
    }
  }
  await sink.flush()
  await write({ total, done, hasMemories: true }, async () => undefined)
}

/** Writes the pieces again that deletions had emptied when the round began, each from what is there now. */
export async function mendMemories(run: Run): Promise<void> {
  const { tenant, target } = run
  const emptied = await tenant.transaction(tx => emptiedPieces(tx, tenant.workspaceId, target))
  for (const places of Map.groupBy(emptied, place => place.lastMemoryId).values()) await rewrite(run, places)
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

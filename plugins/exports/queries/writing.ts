import { type Tx, textArray } from 'mneme/plugin'
import type { Export } from '../job.ts'
import type { Piece } from '../writing/file-sink.ts'
import { type ExportRow, exportColumns, toExport } from './exports.ts'

/**
 * Begins a run that writes the file. It goes on with one that has all memories; what an earlier run left of another is removed.
 * @returns undefined when the file is complete, or the export is gone
 */
export async function beginWriting(tx: Tx, workspaceId: string, id: string): Promise<Export | undefined> {
  const [row] = await tx<ExportRow[]>`
    update exports.export
    set status = 'PROCESSING', run = export.run + 1, error = null, deleted = '{}', updated_at = now(),
      writing = case when export.has_memories then export.writing else export.writing + 1 end,
      total = case when export.has_memories then export.total end,
      done = case when export.has_memories then export.done else 0 end
    where export.workspace_id = ${workspaceId} and export.id = ${id} and export.status in ('PENDING', 'PROCESSING')
    returning ${exportColumns(tx)}`
  if (!row) return undefined
  if (!row.has_memories) await removePieces(tx, workspaceId, id)
  return toExport(row)
}

/** Changes that a run makes to its export. */
export interface RunChanges {
  readonly total?: number
  readonly done?: number
  readonly hasMemories?: true
  readonly isOutdated?: false
}

/**
 * Notes what a run has done, and holds the export until the transaction ends, so that a deletion comes either before or after it.
 * @returns false when another run has begun, or the export is gone
 */
export async function noteRun(
  tx: Tx,
  workspaceId: string,
  { id, run }: Export,
  { total, done, hasMemories, isOutdated }: RunChanges,
): Promise<boolean> {
  const rows = await tx`
    update exports.export
    set done = coalesce(${done ?? null}::int, export.done),
      total = greatest(coalesce(${total ?? null}::int, export.total), coalesce(${done ?? null}::int, export.done)),
      has_memories = coalesce(${hasMemories ?? null}::boolean, export.has_memories),
      is_outdated = coalesce(${isOutdated ?? null}::boolean, export.is_outdated),
      updated_at = now()
    where export.workspace_id = ${workspaceId} and export.id = ${id} and export.run = ${run}
    returning export.id`
  return rows.length > 0
}

/** Completes an export that is held, unless a deletion came since it was written. */
export async function completeWriting(
  tx: Tx,
  workspaceId: string,
  { id, writing }: Export,
  file: { readonly records: number; readonly size: number; readonly sha256: string; readonly expiresAt: Date },
): Promise<boolean> {
  const rows = await tx`
    update exports.export
    set status = 'COMPLETED', total = ${file.records}, done = ${file.records}, size_bytes = ${file.size},
        sha256 = ${file.sha256}, expires_at = coalesce(export.expires_at, ${file.expiresAt}), deleted = '{}', updated_at = now()
    where export.workspace_id = ${workspaceId}
      and export.id = ${id}
      and not export.is_outdated
      and not exists (
        select
        from exports.export_piece as piece
        where piece.workspace_id = ${workspaceId}
          and piece.export_id = ${id}
          and piece.writing = ${writing}
          and piece.is_emptied
      )
    returning export.id`
  return rows.length > 0
}

export async function failWriting(tx: Tx, workspaceId: string, id: string, error: string): Promise<void> {
  await tx`
    update exports.export
    set status = 'FAILED', error = ${error}, run = export.run + 1, deleted = '{}', updated_at = now()
    where export.workspace_id = ${workspaceId} and export.id = ${id} and export.status in ('PENDING', 'PROCESSING')`
  await removePieces(tx, workspaceId, id)
}

/** Sections may tell of a memory that came so much earlier by the clock of another server. */
const CLOCKS_APART_MS = 60_000

/**
 * Removes the text of deleted memories from all files: pieces that tell of one are emptied, and the sections of their exports count as
 * outdated. So do sections beside which no piece names the memory: they are drawn from what the workspace had when they were written. Runs
 * under way are told, because what they have read may still tell of them.
 * @param userId whose memories they were; null for several users
 * @returns the exports that were complete and have to be mended
 */
export async function removeDeleted(
  tx: Tx,
  workspaceId: string,
  memoryIds: readonly string[],
  userId: string | null,
): Promise<string[]> {
  const ids = tx`${textArray(memoryIds)}::uuid[]`
  await tx`
    select export.id
    from exports.export
    where export.workspace_id = ${workspaceId} and export.status in ('PENDING', 'PROCESSING', 'COMPLETED')
    order by export.id
    for update`
  await tx`
    update exports.export
    set deleted = export.deleted || ${ids}
    where export.workspace_id = ${workspaceId} and export.status = 'PROCESSING'`
  const pieces = await tx<{ export_id: string }[]>`
    update exports.export_piece
    set ${emptied(tx)}
    where export_piece.workspace_id = ${workspaceId}
      and (export_piece.export_id, export_piece.writing, export_piece.number) in (
        select piece.export_id, piece.writing, piece.number
        from exports.own_piece as piece
        where piece.workspace_id = ${workspaceId} and piece.memory_ids && ${ids}
      )
    returning export_piece.export_id`
  const sectioned = await tx<{ export_id: string }[]>`
    select export.id as export_id
    from exports.export
    where export.workspace_id = ${workspaceId}
      and export.status in ('PROCESSING', 'COMPLETED')
      and not export.include <@ '{memories,history}'
      and (export.user_id is null or ${userId}::text is null or export.user_id = ${userId})
      and (export.status = 'PROCESSING' or export.updated_at > ${new Date(oldestMs(memoryIds) - CLOCKS_APART_MS)})`
  const told = [...new Set([...pieces, ...sectioned].map(row => row.export_id))]
  if (told.length === 0) return []
  await tx`
    update exports.export
    set is_outdated = true
    where export.workspace_id = ${workspaceId} and export.id = any (${textArray(told)}::uuid[])`
  const complete = await tx<{ id: string }[]>`
    update exports.export
    set status = 'PENDING', updated_at = now()
    where export.workspace_id = ${workspaceId}
      and export.id = any (${textArray(told)}::uuid[])
      and export.status = 'COMPLETED'
    returning export.id`
  for (const { id } of complete) await removeSections(tx, workspaceId, id)
  return complete.map(({ id }) => id)
}

function oldestMs(memoryIds: readonly string[]): number {
  return memoryIds.reduce((oldest, id) => Math.min(oldest, timeOf(id)), Number.POSITIVE_INFINITY)
}

/** A UUID of version 7 begins with its time in milliseconds (RFC 9562). Imports keep ids of others, which tell none. */
function timeOf(id: string): number {
  const hex = id.replaceAll('-', '')
  return hex[12] === '7' ? Number.parseInt(hex.slice(0, 12), 16) : 0
}

/** Makes the assignments that leave nothing in a piece that tells of a deleted memory. */
function emptied(tx: Tx) {
  return tx`bytes = '', memory_ids = '{}', memories = 0, is_emptied = true`
}

async function removePieces(tx: Tx, workspaceId: string, id: string): Promise<void> {
  await tx`
    delete from exports.export_piece
    where export_piece.workspace_id = ${workspaceId} and export_piece.export_id = ${id}`
}

/** Removes what follows the memories in a file. */
export async function removeSections(tx: Tx, workspaceId: string, id: string): Promise<void> {
  await tx`
    delete from exports.export_piece
    where export_piece.workspace_id = ${workspaceId}
      and export_piece.export_id = ${id}
      and export_piece.last_memory_id is null
      and export_piece.number > 0`
}

/** Adds a piece at the end of the file of an export that is held. It stays empty where it tells of a memory that was deleted meanwhile. */
export async function appendPiece(tx: Tx, workspaceId: string, { id, writing }: Export, piece: Piece): Promise<void> {
  // The driver would send bytes in hex, which is twice as long and held twice.
  await tx`
    insert into exports.export_piece (workspace_id, export_id, writing, number, bytes, memory_ids, last_memory_id, memories)
    select ${workspaceId}::uuid, ${id}::uuid, ${writing}::int, coalesce(max(piece.number) + 1, 0),
      convert_to(${piece.text}::text, 'UTF8'), ${textArray(piece.memoryIds)}::uuid[], ${piece.lastMemoryId}::uuid,
      ${piece.memories}::int
    from exports.export_piece as piece
    where piece.workspace_id = ${workspaceId} and piece.export_id = ${id} and piece.writing = ${writing}`
  if (piece.lastMemoryId !== null) await emptyOutdated(tx, workspaceId, id, piece.lastMemoryId)
}

/** Puts new text into an emptied piece; see {@link appendPiece}. */
export async function refillPiece(
  tx: Tx,
  workspaceId: string,
  { id, writing }: Export,
  { number, lastMemoryId }: EmptiedPiece,
  piece: Omit<Piece, 'lastMemoryId'>,
): Promise<void> {
  await tx`
    update exports.export_piece
    set bytes = convert_to(${piece.text}::text, 'UTF8'), memory_ids = ${textArray(piece.memoryIds)}::uuid[],
      memories = ${piece.memories}, is_emptied = false
    where export_piece.workspace_id = ${workspaceId}
      and export_piece.export_id = ${id}
      and export_piece.writing = ${writing}
      and export_piece.number = ${number}`
  await emptyOutdated(tx, workspaceId, id, lastMemoryId)
}

async function emptyOutdated(tx: Tx, workspaceId: string, id: string, lastMemoryId: string): Promise<void> {
  await tx`
    with emptied as (
      update exports.export_piece
      set ${emptied(tx)}
      from exports.export
      where export.workspace_id = ${workspaceId}
        and export.id = ${id}
        and export_piece.workspace_id = ${workspaceId}
        and export_piece.export_id = ${id}
        and export_piece.last_memory_id = ${lastMemoryId}
        and export_piece.memory_ids && export.deleted
      returning export_piece.export_id
    )
    update exports.export
    set is_outdated = true
    from emptied
    where export.workspace_id = ${workspaceId} and export.id = emptied.export_id`
}

export interface EmptiedPiece {
  readonly number: number
  /** The last memory of the piece before; null for the first piece of memories. */
  readonly after: string | null
  readonly lastMemoryId: string
}

/** The emptied pieces, and all others of the same memory: these are written again together. */
export async function emptiedPieces(tx: Tx, workspaceId: string, { id, writing }: Export): Promise<EmptiedPiece[]> {
  return tx<EmptiedPiece[]>`
    select piece.number, piece.after, piece.last_memory_id as "lastMemoryId"
    from (
      select export_piece.number, export_piece.last_memory_id,
        bool_or(export_piece.is_emptied) over (partition by export_piece.last_memory_id) as is_emptied,
        lag(export_piece.last_memory_id) over (order by export_piece.number) as after
      from exports.export_piece
      where export_piece.workspace_id = ${workspaceId}
        and export_piece.export_id = ${id}
        and export_piece.writing = ${writing}
        and export_piece.last_memory_id is not null
    ) as piece
    where piece.is_emptied
    order by piece.number`
}

/**
 * The first memory of a file has no separator before it; one that was not the first may have become it. While a piece before it waits to be
 * written again, nobody knows.
 */
export async function removeFirstSeparator(
  tx: Tx,
  workspaceId: string,
  { id, writing }: Export,
  separator: string,
): Promise<void> {
  await tx`
    update exports.export_piece
    set bytes = overlay(export_piece.bytes placing convert_to(' ', 'UTF8') from 1 for 1)
    where export_piece.workspace_id = ${workspaceId}
      and export_piece.export_id = ${id}
      and export_piece.writing = ${writing}
      and substr(export_piece.bytes, 1, 1) = convert_to(${separator}, 'UTF8')
      and export_piece.number = (
        select min(piece.number)
        from exports.export_piece as piece
        where piece.workspace_id = ${workspaceId}
          and piece.export_id = ${id}
          and piece.writing = ${writing}
          and (piece.memories > 0 or piece.is_emptied)
      )`
}

/** Counts the memories that stand in the file. */
export async function memoriesWritten(tx: Tx, workspaceId: string, { id, writing }: Export): Promise<number> {
  const [row] = await tx<{ memories: number }[]>`
    select coalesce(sum(export_piece.memories), 0)::int as memories
    from exports.export_piece
    where export_piece.workspace_id = ${workspaceId}
      and export_piece.export_id = ${id}
      and export_piece.writing = ${writing}`
  return row?.memories ?? 0
}

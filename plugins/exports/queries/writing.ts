import { type Tx, textArray } from 'mneme/plugin'
import type { Export } from '../job.ts'
import type { Piece } from '../writing/file-sink.ts'
import { emptyOutdated } from './deletions.ts'
import { exportColumns } from './exports.ts'

/**
 * Begins a run that writes the file. It goes on with one that was begun; what else an earlier run left is removed.
 * @returns undefined when the file is complete, or the export is gone
 */
export async function beginWriting(tx: Tx, workspaceId: string, id: string): Promise<Export | undefined> {
  const isBegun = tx`(export.has_memories or export.up_to is not null)`
  const [row] = await tx<Export[]>`
    with export as (
      update exports.export
    set status = 'PROCESSING', run = export.run + 1, error = null, updated_at = now(),
      writing = case when ${isBegun} then export.writing else export.writing + 1 end,
      total = case when ${isBegun} then export.total end,
      done = case when ${isBegun} then export.done else 0 end
    where export.workspace_id = ${workspaceId} and export.id = ${id} and export.status in ('PENDING', 'PROCESSING')
      returning export.*
    )
    select ${exportColumns(tx)} from export`
  if (!row) return undefined
  if (!row.hasMemories && row.upTo === null) await removePieces(tx, workspaceId, id)
  return row
}

/** Removes what a run that was cut off has written of a memory whose history it had not written to the end. */
export async function removeUnfinished(tx: Tx, workspaceId: string, { id, writing, writtenTo }: Export): Promise<void> {
  await tx`
    delete from exports.export_piece
    where export_piece.workspace_id = ${workspaceId}
      and export_piece.export_id = ${id}
      and export_piece.writing = ${writing}
      and export_piece.last_memory_id is not null
      and (${writtenTo}::uuid is null or export_piece.last_memory_id > ${writtenTo}::uuid)`
}

/** Changes that a run makes to its export. */
export interface RunChanges {
  readonly total?: number
  readonly done?: number
  readonly upTo?: string | undefined
  readonly writtenTo?: string | undefined
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
  { total, done, upTo, writtenTo, hasMemories, isOutdated }: RunChanges,
): Promise<boolean> {
  const rows = await tx`
    update exports.export
    set done = coalesce(${done ?? null}::int, export.done),
      total = greatest(coalesce(${total ?? null}::int, export.total), coalesce(${done ?? null}::int, export.done)),
      up_to = coalesce(${upTo ?? null}::uuid, export.up_to),
      written_to = coalesce(${writtenTo ?? null}::uuid, export.written_to),
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
        sha256 = ${file.sha256}, expires_at = coalesce(export.expires_at, ${file.expiresAt}), updated_at = now()
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

/**
 * Nothing of the export counts as kept from here on, also of one that was complete before and was mended. Its pieces stay, and no run adds
 * any: each of their writes holds the export.
 */
export async function failWriting(tx: Tx, workspaceId: string, id: string, error: string): Promise<void> {
  await tx`
    update exports.export
    set status = 'FAILED', error = ${error}, run = export.run + 1, expires_at = null, size_bytes = null,
        updated_at = now()
    where export.workspace_id = ${workspaceId} and export.id = ${id} and export.status in ('PENDING', 'PROCESSING')`
}

async function removePieces(tx: Tx, workspaceId: string, id: string): Promise<void> {
  await tx`
    delete from exports.export_piece
    where export_piece.workspace_id = ${workspaceId} and export_piece.export_id = ${id}`
}

/** Pieces are numbered so far apart: where mending makes more of one than there was, further ones come between. */
export const NUMBERS_APART = 4096

/** Adds a piece at the end of the file of an export that is held. It stays empty where it tells of a memory that was deleted meanwhile. */
export async function appendPiece(tx: Tx, workspaceId: string, target: Export, piece: Piece): Promise<void> {
  const { id, writing } = target
  // The driver would send bytes in hex, which is twice as long and held twice.
  const [last] = await tx<{ number: number | null }[]>`
    select max(piece.number) as number
    from exports.export_piece as piece
    where piece.workspace_id = ${workspaceId} and piece.export_id = ${id} and piece.writing = ${writing}`
  const number = last?.number == null ? 0 : last.number + NUMBERS_APART
  await tx`
    insert into exports.export_piece (workspace_id, export_id, writing, number, bytes, memory_ids, last_memory_id, memories)
    values (
      ${workspaceId}, ${id}, ${writing}, ${number}, convert_to(${piece.text}::text, 'UTF8'), ${textArray(piece.memoryIds)}::uuid[],
      ${piece.lastMemoryId}, ${piece.memories}
    )`
  if (piece.lastMemoryId !== null) await emptyOutdated(tx, workspaceId, target, number)
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

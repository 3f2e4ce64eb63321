import { Buffer } from 'node:buffer'
import { type Tx, textArray } from 'mneme/plugin'
import type { Export } from '../job.ts'

/** The pieces of the file with their places; they are of different sizes. */
export async function piecePlaces(
  tx: Tx,
  workspaceId: string,
  { id, writing }: Export,
): Promise<{ number: number; size: number }[]> {
  return tx<{ number: number; size: number }[]>`
    select export_piece.number, octet_length(export_piece.bytes) as size
    from exports.export_piece
    where export_piece.workspace_id = ${workspaceId}
      and export_piece.export_id = ${id}
      and export_piece.writing = ${writing}
    order by export_piece.number`
}

/** Reads a piece of the file as the export was found: once it is written again, there is none of it any more. */
export async function readPiece(
  tx: Tx,
  workspaceId: string,
  { id, writing, status, sha256 }: Export,
  number: number,
): Promise<Uint8Array | undefined> {
  // A piece begins and ends with whole characters. As bytes the driver would receive it in hex, twice as long.
  const [row] = await tx<{ text: string }[]>`
    select convert_from(export_piece.bytes, 'UTF8') as text
    from exports.export_piece
    join exports.export on export.workspace_id = export_piece.workspace_id and export.id = export_piece.export_id
    where export_piece.workspace_id = ${workspaceId}
      and export_piece.export_id = ${id}
      and export_piece.writing = ${writing}
      and export_piece.number = ${number}
      and export.workspace_id = ${workspaceId}
      and export.status = ${status}
      and export.sha256 is not distinct from ${sha256}`
  return row && Buffer.from(row.text)
}

/** A statement that removes so many holds up nobody for long. */
const REMOVED_TOGETHER = 100

/**
 * Removes some pieces of an export that is gone or has failed: no run can add any.
 * @returns how many those were
 */
export async function removePiecesOfGone(tx: Tx, workspaceId: string, id: string): Promise<number> {
  const { count } = await tx`
    delete from exports.export_piece
    where export_piece.workspace_id = ${workspaceId}
      and export_piece.export_id = ${id}
      and (export_piece.writing, export_piece.number) in (
        select piece.writing, piece.number
        from exports.export_piece as piece
        where piece.workspace_id = ${workspaceId} and piece.export_id = ${id}
        limit ${REMOVED_TOGETHER}
      )
      and not exists (
        select
        from exports.export
        where export.workspace_id = ${workspaceId} and export.id = ${id} and export.status <> 'FAILED'
      )`
  return count
}

/** Removes what follows the memories in files. */
export async function removeSections(tx: Tx, workspaceId: string, ids: readonly string[]): Promise<void> {
  await tx`
    delete from exports.export_piece
    where export_piece.workspace_id = ${workspaceId}
      and export_piece.export_id = any (${textArray(ids)}::uuid[])
      and export_piece.last_memory_id is null
      and export_piece.number > 0`
}

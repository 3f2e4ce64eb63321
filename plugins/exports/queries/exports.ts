import { type PageWindow, type Tx, textArray } from 'mneme/plugin'
import type { Export, Format, Status } from '../job.ts'

interface ExportRow {
  id: string
  format: Format
  user_id: string | null
  categories: string[] | null
  include: string[]
  status: Status
  total: number | null
  done: number
  size_bytes: number | null
  sha256: string | null
  writing: number
  error: string | null
  created_at: Date
  updated_at: Date
  expires_at: Date | null
}

export interface NewExport {
  readonly id: string
  readonly format: Format
  readonly userId: string | null
  readonly categories: readonly string[] | null
  readonly include: readonly string[]
}

export async function insertExport(tx: Tx, workspaceId: string, given: NewExport): Promise<Export> {
  const { id, format, userId, categories, include } = given
  const [row] = await tx<ExportRow[]>`
    insert into exports.export (workspace_id, id, format, user_id, categories, include, status)
    values (${workspaceId}, ${id}, ${format}, ${userId},
            ${categories === null ? null : textArray(categories)}::text[], ${textArray(include)}::text[], 'PENDING')
    returning ${columns(tx)}`
  if (!row) throw new Error('the insert of an export returned no row')
  return toExport(row)
}

export async function findExport(tx: Tx, workspaceId: string, id: string): Promise<Export | undefined> {
  const [row] = await tx<ExportRow[]>`
    select ${columns(tx)}
    from exports.export
    where export.workspace_id = ${workspaceId} and export.id = ${id}`
  return row && toExport(row)
}

export async function listExports(
  tx: Tx,
  workspaceId: string,
  window: PageWindow,
): Promise<{ exports: Export[]; total: number }> {
  const [rows, [counted]] = await Promise.all([
    tx<ExportRow[]>`
      select ${columns(tx)}
      from exports.export
      where export.workspace_id = ${workspaceId}
      order by export.created_at desc, export.id desc
      limit ${window.limit}
      offset ${window.offset}`,
    tx<{ total: number }[]>`
      select count(*)::int as total
      from exports.export
      where export.workspace_id = ${workspaceId}`,
  ])
  return { exports: rows.map(toExport), total: counted?.total ?? 0 }
}

/** Begins to write the file from its start; undefined when it is written, or gone. What an earlier writing left is removed. */
export async function beginWriting(tx: Tx, workspaceId: string, id: string): Promise<Export | undefined> {
  const [row] = await tx<ExportRow[]>`
    update exports.export
    set status = 'PROCESSING', writing = export.writing + 1, total = null, done = 0, error = null,
        deleted = '{}', updated_at = now()
    where export.workspace_id = ${workspaceId} and export.id = ${id} and export.status in ('PENDING', 'PROCESSING')
    returning ${columns(tx)}`
  if (!row) return undefined
  await removePieces(tx, workspaceId, id)
  return toExport(row)
}

/** @returns false when the file is being written anew, or the export is gone */
export async function noteProgress(
  tx: Tx,
  workspaceId: string,
  { id, writing }: Export,
  progress: { readonly total: number; readonly done: number },
): Promise<boolean> {
  const rows = await tx`
    update exports.export
    set total = greatest(${progress.total}::int, ${progress.done}::int), done = ${progress.done}, updated_at = now()
    where export.workspace_id = ${workspaceId} and export.id = ${id} and export.writing = ${writing}
    returning export.id`
  return rows.length > 0
}

/** @returns the memories that were deleted meanwhile; undefined when the file is being written anew, or the export is gone */
export async function finishWriting(
  tx: Tx,
  workspaceId: string,
  { id, writing }: Export,
  file: { readonly records: number; readonly size: number; readonly sha256: string; readonly expiresAt: Date },
): Promise<readonly string[] | undefined> {
  const [row] = await tx<{ deleted: string[] }[]>`
    update exports.export
    set status = 'COMPLETED', total = ${file.records}, done = ${file.records}, size_bytes = ${file.size},
        sha256 = ${file.sha256}, expires_at = ${file.expiresAt}, updated_at = now()
    where export.workspace_id = ${workspaceId} and export.id = ${id} and export.writing = ${writing}
    returning to_json(export.deleted) as deleted`
  return row?.deleted
}

export async function failWriting(tx: Tx, workspaceId: string, id: string, error: string): Promise<void> {
  await tx`
    update exports.export
    set status = 'FAILED', error = ${error}, writing = export.writing + 1, updated_at = now()
    where export.workspace_id = ${workspaceId} and export.id = ${id} and export.status in ('PENDING', 'PROCESSING')`
  await removePieces(tx, workspaceId, id)
}

/** Has exports written anew that are complete and tell of one of the memories. @returns their ids */
export async function restartTelling(tx: Tx, workspaceId: string, memoryIds: readonly string[]): Promise<string[]> {
  const rows = await tx<{ id: string }[]>`
    update exports.export
    set status = 'PENDING', writing = export.writing + 1, updated_at = now()
    where export.workspace_id = ${workspaceId}
      and export.status = 'COMPLETED'
      and exists (
        select
        from exports.export_piece as piece
        where piece.workspace_id = ${workspaceId}
          and piece.export_id = export.id
          and piece.memory_ids && ${textArray(memoryIds)}::uuid[]
      )
    returning export.id`
  for (const { id } of rows) await removePieces(tx, workspaceId, id)
  return rows.map(({ id }) => id)
}

/** Tells exports that are being written of memories that are gone: what they have read may still tell of them. */
export async function noteDeleted(tx: Tx, workspaceId: string, memoryIds: readonly string[]): Promise<void> {
  await tx`
    update exports.export
    set deleted = export.deleted || ${textArray(memoryIds)}::uuid[]
    where export.workspace_id = ${workspaceId} and export.status = 'PROCESSING'`
}

async function removePieces(tx: Tx, workspaceId: string, id: string): Promise<void> {
  await tx`
    delete from exports.export_piece
    where export_piece.workspace_id = ${workspaceId} and export_piece.export_id = ${id}`
}

export async function insertPiece(
  tx: Tx,
  workspaceId: string,
  { id, writing }: Export,
  piece: { readonly number: number; readonly bytes: Uint8Array; readonly memoryIds: readonly string[] },
): Promise<void> {
  await tx`
    insert into exports.export_piece (workspace_id, export_id, writing, number, bytes, memory_ids)
    values (${workspaceId}, ${id}, ${writing}, ${piece.number}, ${piece.bytes}, ${textArray(piece.memoryIds)}::uuid[])`
}

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

export async function readPiece(
  tx: Tx,
  workspaceId: string,
  { id, writing }: Export,
  number: number,
): Promise<Uint8Array | undefined> {
  const [row] = await tx<{ bytes: Uint8Array }[]>`
    select export_piece.bytes
    from exports.export_piece
    where export_piece.workspace_id = ${workspaceId}
      and export_piece.export_id = ${id}
      and export_piece.writing = ${writing}
      and export_piece.number = ${number}`
  return row?.bytes
}

function columns(tx: Tx) {
  return tx`export.id, export.format, export.user_id, to_json(export.categories) as categories,
    to_json(export.include) as include, export.status, export.total, export.done, export.size_bytes, export.sha256,
    export.writing, export.error, export.created_at, export.updated_at, export.expires_at`
}

function toExport(row: ExportRow): Export {
  const { user_id, size_bytes, created_at, updated_at, expires_at, ...rest } = row
  return {
    ...rest,
    userId: user_id,
    size: size_bytes,
    createdAt: created_at,
    updatedAt: updated_at,
    expiresAt: expires_at,
  }
}

import { type PageWindow, type Tx, textArray } from 'mneme/plugin'
import type { Export, Format } from '../job.ts'

export interface NewExport {
  readonly id: string
  readonly format: Format
  readonly userId: string | null
  readonly categories: readonly string[] | null
  readonly include: readonly string[]
}

/** @returns undefined where so many exports are being written or not expired */
export async function insertExport(
  tx: Tx,
  workspaceId: string,
  given: NewExport,
  keptMax: number,
): Promise<Export | undefined> {
  const { id, format, userId, categories, include } = given
  const [kept] = await tx<{ count: number }[]>`
    select count(*) as count
    from exports.export
    where export.workspace_id = ${workspaceId} and (export.status in ('PENDING', 'PROCESSING') or export.expires_at > now())`
  if ((kept?.count ?? 0) >= keptMax) return undefined
  await tx`
    insert into exports.export (workspace_id, id, format, user_id, categories, include, status)
    values (
      ${workspaceId}, ${id}, ${format}, ${userId}, ${categories && textArray(categories)}::text::text[],
      ${textArray(include)}::text[], 'PENDING'
    )`
  return findExport(tx, workspaceId, id)
}

export async function findExport(tx: Tx, workspaceId: string, id: string): Promise<Export | undefined> {
  const [row] = await tx<Export[]>`
    select ${exportColumns(tx)}
    from exports.export
    where export.workspace_id = ${workspaceId} and export.id = ${id}`
  return row
}

/** @param only lists exports of this user's data alone */
export async function listExports(
  tx: Tx,
  workspaceId: string,
  window: PageWindow,
  only?: string,
): Promise<{ exports: Export[]; total: number }> {
  const own = () => (only === undefined ? tx`` : tx`and export.user_id = ${only}`)
  const [exports, [counted]] = await Promise.all([
    tx<Export[]>`
      select ${exportColumns(tx)}
      from exports.export
      where export.workspace_id = ${workspaceId} ${own()}
      order by export.created_at desc, export.id desc
      limit ${window.limit}
      offset ${window.offset}`,
    tx<{ total: number }[]>`
      select count(*)::int as total
      from exports.export
      where export.workspace_id = ${workspaceId} ${own()}`,
  ])
  return { exports, total: counted?.total ?? 0 }
}

/** Its pieces stay, and no run adds any: each of their writes holds the export. */
export async function deleteExport(tx: Tx, workspaceId: string, id: string): Promise<boolean> {
  const rows = await tx`
    delete from exports.export
    where export.workspace_id = ${workspaceId} and export.id = ${id}
    returning export.id`
  return rows.length > 0
}

/** Adds the bytes of all files that are not expired to those written by now of others than the export of this id. */
export async function keptBytes(tx: Tx, workspaceId: string, id: string): Promise<number> {
  const [row] = await tx<{ bytes: number }[]>`
    select (
      (
        select coalesce(sum(export.size_bytes), 0)
        from exports.export
        where export.workspace_id = ${workspaceId} and export.expires_at > now()
      ) + (
        select coalesce(sum(octet_length(piece.bytes)), 0)
        from exports.export
        join exports.export_piece as piece on piece.workspace_id = export.workspace_id and piece.export_id = export.id
        where export.workspace_id = ${workspaceId}
          and piece.workspace_id = ${workspaceId}
          and export.id <> ${id}
          and export.status in ('PENDING', 'PROCESSING')
          and export.size_bytes is null
      )
    )::float8 as bytes`
  return row?.bytes ?? 0
}

/** When the next file expires, in seconds by the database's clock; undefined where none is complete. */
export async function nextExpiry(tx: Tx, workspaceId: string): Promise<number | undefined> {
  const [row] = await tx<{ seconds: number | null }[]>`
    select ceil(extract(epoch from min(export.expires_at) - now()))::int as seconds
    from exports.export
    where export.workspace_id = ${workspaceId} and export.expires_at > now()`
  return row?.seconds ?? undefined
}

export function exportColumns(tx: Tx) {
  return tx`
    export.id, export.format, export.user_id as "userId", to_json(export.categories) as categories,
    to_json(export.include) as include, export.status, export.total, export.done, export.size_bytes as size, export.sha256,
    export.writing, export.run, export.has_memories as "hasMemories", export.up_to as "upTo", export.written_to as "writtenTo",
    export.error, export.created_at as "createdAt", export.updated_at as "updatedAt", export.expires_at as "expiresAt"`
}

import { type Tx, textArray } from 'mneme/plugin'
import type { Export } from '../job.ts'
import { removeSections } from './pieces.ts'

/** Sections may tell of a memory that came so much earlier by the clock of another server. */
const CLOCKS_APART_MS = 60_000

/**
 * Removes the text of deleted memories from all files: pieces that tell of one are emptied, and the sections of their exports count as
 * outdated. So do sections beside which no piece names the memory: they are drawn from what the workspace had when they were written. Runs
 * under way are told, because what they have read may still tell of them.
 * @param userId whose memories they were; null for several users
 * @returns the exports that were complete, can be downloaded and have to be mended
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
    insert into exports.noted_deletion (workspace_id, export_id, run, memory_id)
    select export.workspace_id, export.id, export.run, memory_id
    from exports.export
    cross join unnest(${ids}) as memory_id
    where export.workspace_id = ${workspaceId} and export.status = 'PROCESSING'
    on conflict do nothing`
  const pieces = await emptyPieces(tx, workspaceId, memoryIds)
  const sectioned = await tx<{ export_id: string }[]>`
    select export.id as export_id
    from exports.export
    where export.workspace_id = ${workspaceId}
      and export.status in ('PROCESSING', 'COMPLETED')
      and not export.include <@ '{memories,history}'
      and (export.user_id is null or ${userId}::text is null or export.user_id = ${userId})
      and (export.status = 'PROCESSING' or export.updated_at > ${new Date(oldestMs(memoryIds) - CLOCKS_APART_MS)})`
  return mark(tx, workspaceId, [...new Set([...pieces, ...sectioned].map(row => row.export_id))])
}

/**
 * Removes the sections of all users' exports, which may hold knowledge that somebody wrote by hand about one user, and has them written again.
 * @returns the exports that have to be mended
 */
export async function outdateSections(tx: Tx, workspaceId: string): Promise<string[]> {
  const sectioned = await tx<{ id: string }[]>`
    select export.id
    from exports.export
    where export.workspace_id = ${workspaceId}
      and export.user_id is null
      and export.status in ('PROCESSING', 'COMPLETED')
      and not export.include <@ '{memories,history}'
    order by export.id
    for update`
  return mark(
    tx,
    workspaceId,
    sectioned.map(({ id }) => id),
  )
}

/** Tells whether no export is being written that may hold what was removed since it began. */
export async function areSectionsMended(tx: Tx, workspaceId: string): Promise<boolean> {
  const rows = await tx`
    select
    from exports.export
    where export.workspace_id = ${workspaceId}
      and export.is_outdated
      and export.status = 'PROCESSING'
    limit 1`
  return rows.length === 0
}

/** Marks exports that may tell of deleted memories. @returns those that were complete and have to be mended */
async function mark(tx: Tx, workspaceId: string, told: readonly string[]): Promise<string[]> {
  if (told.length === 0) return []
  const toldIds = tx`${textArray(told)}::uuid[]`
  await tx`
    update exports.export
    set is_outdated = true
    where export.workspace_id = ${workspaceId} and export.id = any (${toldIds}) and export.status <> 'COMPLETED'`
  const complete = await tx<{ id: string; isExpired: boolean }[]>`
    select export.id, export.expires_at <= now() as "isExpired"
    from exports.export
    where export.workspace_id = ${workspaceId} and export.id = any (${toldIds}) and export.status = 'COMPLETED'`
  await removeSections(
    tx,
    workspaceId,
    complete.map(({ id }) => id),
  )
  // Nobody can download an expired file any more, and its status stays as it is.
  const mended = complete.filter(({ isExpired }) => !isExpired).map(({ id }) => id)
  await tx`
    update exports.export
    set is_outdated = true, status = 'PENDING', updated_at = now()
    where export.workspace_id = ${workspaceId} and export.id = any (${textArray(mended)}::uuid[])`
  return mended
}

/** Empties the pieces that tell of any of these memories. @returns their exports */
function emptyPieces(tx: Tx, workspaceId: string, memoryIds: readonly string[]) {
  // It is materialized because the planner uses no index where it sees the table's own policy beside the view.
  return tx<{ export_id: string }[]>`
    with telling as materialized (
      select piece.export_id, piece.writing, piece.number
      from exports.own_piece as piece
      where piece.workspace_id = ${workspaceId} and piece.memory_ids && ${textArray(memoryIds)}::uuid[]
    )
    update exports.export_piece
    set ${emptied(tx)}
    where export_piece.workspace_id = ${workspaceId}
      and (export_piece.export_id, export_piece.writing, export_piece.number) in (
        select telling.export_id, telling.writing, telling.number
        from telling
      )
    returning export_piece.export_id`
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
export function emptied(tx: Tx) {
  return tx`bytes = '', memory_ids = '{}', memories = 0, is_emptied = true`
}

/** Empties a piece that was written and tells of a memory that was deleted since the run began. */
export async function emptyOutdated(
  tx: Tx,
  workspaceId: string,
  { id, writing, run }: Pick<Export, 'id' | 'writing' | 'run'>,
  number: number,
): Promise<void> {
  await tx`
    with emptied as (
      update exports.export_piece
      set ${emptied(tx)}
      where export_piece.workspace_id = ${workspaceId}
        and export_piece.export_id = ${id}
        and export_piece.writing = ${writing}
        and export_piece.number = ${number}
        and exists (
          select
          from unnest(export_piece.memory_ids) as told (memory_id)
          -- As a value it is looked up for each memory; a join would read all that is noted where the planner does not know how much that is.
          where (
            select true
            from exports.noted_deletion
            where noted_deletion.workspace_id = ${workspaceId}
              and noted_deletion.export_id = ${id}
              and noted_deletion.run = ${run}
              and noted_deletion.memory_id = told.memory_id
          )
        )
      returning export_piece.export_id
    )
    update exports.export
    set is_outdated = true
    from emptied
    where export.workspace_id = ${workspaceId} and export.id = emptied.export_id`
}

import { type Fragment, filePieces, type PageWindow, type Tx, textArray } from 'mneme/plugin'
import type { ClearedScope } from '../../memories/contract.ts'
import type { Import, ImportFault, ImportUnderWay } from '../job.ts'
import { shortened } from '../reading/shortened.ts'

/** The files of imports, until they end. */
export const importFiles = filePieces({ table: 'exports.import_piece', key: 'import_id' })

/** So many characters are kept of what is wrong with a line, and with the whole file. */
const FAULT_CHARS_MAX = 300
const ERROR_CHARS_MAX = 500

/** A file that names more users may be about anybody. */
const USERS_MAX = 1000

/** An upload of which no piece came for so long was left by a process that died. */
const UPLOAD_GONE_MINUTES = 15

/**
 * Makes room for a file that is about to arrive.
 * @returns false where so many imports have not ended
 */
export async function beginUpload(tx: Tx, workspaceId: string, id: string, waitingMax: number): Promise<boolean> {
  const [unfinished] = await tx<{ count: number }[]>`
    select count(*)::int as count
    from exports.import
    where import.workspace_id = ${workspaceId}
      and (
        import.status in ('PENDING', 'PROCESSING')
        or (
          import.status = 'UPLOADING'
          and greatest(
            import.created_at,
            (
              select piece.created_at
              from exports.import_piece as piece
              where piece.workspace_id = ${workspaceId} and piece.import_id = import.id
              order by piece.number desc
              limit 1
            )
          ) > now() - ${UPLOAD_GONE_MINUTES}::int * interval '1 minute'
        )
      )`
  if ((unfinished?.count ?? 0) >= waitingMax) return false
  await tx`
    insert into exports.import (workspace_id, id, user_id, status) values (${workspaceId}, ${id}, 'default', 'UPLOADING')`
  return true
}

/** The file is there. An import that ended before, because all memories were deleted meanwhile, stays as it ended. */
export async function endUpload(
  tx: Tx,
  workspaceId: string,
  id: string,
  file: { readonly userId: string; readonly fileName: string | null; readonly size: number },
): Promise<Import | undefined> {
  const [row] = await tx<Import[]>`
    update exports.import
    set status = case when import.status = 'UPLOADING' then 'PENDING' else import.status end,
        user_id = ${file.userId}, file_name = ${file.fileName}, size_bytes = ${file.size}, updated_at = now()
    where import.workspace_id = ${workspaceId} and import.id = ${id}
    returning ${columns(tx)}`
  if (row?.status === 'FAILED') await removeFiles(tx, workspaceId, [id])
  return row
}

/** Forgets an upload that broke off. */
export async function dropUpload(tx: Tx, workspaceId: string, id: string): Promise<void> {
  await Promise.all([
    tx`
      delete from exports.import
      where import.workspace_id = ${workspaceId} and import.id = ${id} and import.status = 'UPLOADING'`,
    removeFiles(tx, workspaceId, [id]),
  ])
}

/** Removes the files of imports that have ended, and what is noted of their memories. */
export async function removeFiles(tx: Tx, workspaceId: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  const ended = tx`${textArray(ids)}::uuid[]`
  await Promise.all([
    importFiles.remove(tx, workspaceId, ids),
    tx`
      delete from exports.import_memory
      where import_memory.workspace_id = ${workspaceId} and import_memory.import_id = any (${ended})`,
    tx`
      delete from exports.import_holder
      where import_holder.workspace_id = ${workspaceId} and import_holder.import_id = any (${ended})`,
  ])
}

export async function findImport(tx: Tx, workspaceId: string, id: string): Promise<Import | undefined> {
  const [row] = await tx<Import[]>`
    select ${columns(tx)}
    from exports.import
    where import.workspace_id = ${workspaceId} and import.id = ${id} and import.status <> 'UPLOADING'`
  return row
}

export async function listImports(
  tx: Tx,
  workspaceId: string,
  window: PageWindow,
): Promise<{ imports: Import[]; total: number }> {
  const [imports, [counted]] = await Promise.all([
    tx<Import[]>`
      select ${columns(tx)}
      from exports.import
      where import.workspace_id = ${workspaceId} and import.status <> 'UPLOADING'
      order by import.created_at desc, import.id desc
      limit ${window.limit}
      offset ${window.offset}`,
    tx<{ total: number }[]>`
      select count(*)::int as total
      from exports.import
      where import.workspace_id = ${workspaceId} and import.status <> 'UPLOADING'`,
  ])
  return { imports, total: counted?.total ?? 0 }
}

/** Marks an import as under way and returns where it stands; undefined when it has ended, or is gone. */
export async function claimImport(tx: Tx, workspaceId: string, id: string): Promise<ImportUnderWay | undefined> {
  const [row] = await tx<(Import & { list: string })[]>`
    update exports.import
    set status = 'PROCESSING', updated_at = now()
    where import.workspace_id = ${workspaceId} and import.id = ${id} and import.status in ('PENDING', 'PROCESSING')
    returning ${columns(tx)}, import.list`
  return row && { ...row, list: JSON.parse(row.list) }
}

export async function setFormat(tx: Tx, workspaceId: string, id: string, format: string): Promise<void> {
  await tx`
    update exports.import
    set format = ${format}
    where import.workspace_id = ${workspaceId} and import.id = ${id}`
}

/** The outcome of a batch of lines. */
export interface BatchOutcome {
  readonly position: number
  readonly list: string
  readonly lines: number
  readonly created: number
  readonly skipped: number
  readonly expired: number
  readonly failed: number
  readonly restored: number
  readonly faults: readonly ImportFault[]
  readonly lastMemoryId: string | null
  /** Users whom the lines name. */
  readonly users: readonly string[]
}

export interface HeldImport {
  /** Memories of these users and agents are left out. */
  readonly cleared: readonly ClearedScope[]
  /** The memory that the last line before belongs to, if this import stored it. */
  readonly lastMemoryId: string | null
}

/**
 * Holds an import that still stands where a batch was read from, so that a second run of the batch, and a deletion of all
 * memories, wait until it is stored.
 * @returns undefined when it stands elsewhere, has ended or is gone
 */
export async function holdImport(
  tx: Tx,
  workspaceId: string,
  { id, position }: Import,
): Promise<HeldImport | undefined> {
  const [row] = await tx<HeldImport[]>`
    select import.cleared, import.last_memory_id as "lastMemoryId"
    from exports.import
    where import.workspace_id = ${workspaceId}
      and import.id = ${id}
      and import.position = ${position}
      and import.status = 'PROCESSING'
    for update`
  return row
}

/** Moves an import on that is held. */
export async function advance(
  tx: Tx,
  workspaceId: string,
  id: string,
  outcome: BatchOutcome,
  faultsMax: number,
): Promise<void> {
  const faults = outcome.faults.slice(0, faultsMax).map(({ line, message }) => {
    return { line, message: shortened(message, FAULT_CHARS_MAX) }
  })
  await tx`
    update exports.import
    set position = ${outcome.position},
        list = ${JSON.stringify(outcome.list)},
        lines = import.lines + ${outcome.lines},
        created = import.created + ${outcome.created},
        skipped = import.skipped + ${outcome.skipped},
        expired = import.expired + ${outcome.expired},
        failed = import.failed + ${outcome.failed},
        restored = import.restored + ${outcome.restored},
        faults = jsonb_path_query_array(
          import.faults || ${JSON.stringify(faults)}::text::jsonb,
          ${`$[0 to ${faultsMax - 1}]`}::text::jsonpath
        ),
        last_memory_id = ${outcome.lastMemoryId},
        named = (
          select case when count(*) <= ${USERS_MAX}::int and import.named is not null then coalesce(array_agg(told.digest), '{}') end
          from (
            select unnest(import.named)
            union
            select ${digestOf(tx, tx`given.user_id`)}
            from unnest(${textArray(outcome.users)}::text[]) as given (user_id)
          ) as told (digest)
        ),
        updated_at = now()
    where import.workspace_id = ${workspaceId} and import.id = ${id}`
}

function digestOf(tx: Tx, userId: Fragment): Fragment {
  return tx`hashtextextended(import.id::text || ' ' || ${userId}, 0)`
}

/** Takes the names of files that tell, or may tell, of a user. What was not read, or could not be, may be about anybody. */
export async function forgetFileNames(tx: Tx, workspaceId: string, userId: string): Promise<void> {
  await tx`
    update exports.import
    set file_name = null
    where import.workspace_id = ${workspaceId}
      and import.file_name is not null
      and import.status in ('COMPLETED', 'FAILED')
      and (
        import.named is null
        or import.position < import.size_bytes
        or import.failed + import.expired > 0
        or ${digestOf(tx, tx`${userId}::text`)} = any (import.named)
      )`
}

/** Ends an import one way or the other, and removes its file. */
export async function endImport(
  tx: Tx,
  workspaceId: string,
  id: string,
  end: { readonly status: 'COMPLETED' | 'FAILED'; readonly error: string | null },
): Promise<void> {
  const error = end.error === null ? null : shortened(end.error, ERROR_CHARS_MAX)
  await Promise.all([
    tx`
      update exports.import
      set status = ${end.status}, error = ${error}, cleared = '[]', updated_at = now()
      where import.workspace_id = ${workspaceId} and import.id = ${id} and import.status in ('PENDING', 'PROCESSING')`,
    removeFiles(tx, workspaceId, [id]),
  ])
}

/** The name of the list is not among them, as it is the file's and may be long. */
function columns(tx: Tx) {
  return tx`
    import.id, import.format, import.user_id as "userId", import.file_name as "fileName", import.size_bytes as size, import.status,
    import.position, import.lines, import.created, import.skipped, import.expired, import.failed, import.restored,
    import.unprocessed, import.faults, import.error, import.created_at as "createdAt", import.updated_at as "updatedAt"`
}

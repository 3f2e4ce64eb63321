import type { Tx } from 'mneme/plugin'
import type { ClearedScope } from '../../memories/contract.ts'
import { removeFiles } from './imports.ts'

/** Ends all imports that are under way; their files are removed. Waits for whoever is storing memories of one. */
export async function failUnfinished(tx: Tx, workspaceId: string, error: string): Promise<void> {
  const rows = await tx<{ id: string }[]>`
    update exports.import
    set status = 'FAILED', error = ${error}, cleared = '[]', updated_at = now()
    where import.workspace_id = ${workspaceId} and import.status in ('UPLOADING', 'PENDING', 'PROCESSING')
    returning import.id`
  await removeFiles(
    tx,
    workspaceId,
    rows.map(({ id }) => id),
  )
}

/** Tells whether no import is under way that has the user's lines in its file. */
export async function areImportsOver(tx: Tx, workspaceId: string, before: Date): Promise<boolean> {
  const rows = await tx`
    select
    from exports.import
    where import.workspace_id = ${workspaceId}
      and import.status in ('UPLOADING', 'PENDING', 'PROCESSING')
      and import.created_at <= ${before}
    limit 1`
  return rows.length === 0
}

/** Has imports that are under way leave out the memories of a user, an agent or both from now on. */
export async function noteCleared(tx: Tx, workspaceId: string, scope: ClearedScope): Promise<void> {
  await tx`
    update exports.import
    set cleared = import.cleared || ${JSON.stringify([scope])}::text::jsonb
    where import.workspace_id = ${workspaceId} and import.status in ('UPLOADING', 'PENDING', 'PROCESSING')`
}

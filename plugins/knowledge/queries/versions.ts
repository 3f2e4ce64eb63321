import { plainArray, type Tx } from 'mneme/plugin'
import type { Compiled, Document, Hand } from '../document/document.ts'

/** The newest versions of an entry that are kept, the present one included. */
export const VERSIONS_KEPT = 20

/** A version of an entry, without its category. */
export interface VersionRow {
  readonly version: number
  readonly compiled: Compiled
  readonly hand: Hand
  readonly createdAt: Date
}

const columns = (tx: Tx) => tx`version.version, version.compiled, version.hand, version.created_at as "createdAt"`

/** Keeps an entry as it is before it changes, and drops the oldest version where there are too many. */
export async function keepVersion(
  tx: Tx,
  workspaceId: string,
  entryId: string,
  memoryIds: readonly string[],
): Promise<void> {
  await Promise.all([
    tx`
      insert into knowledge.version (workspace_id, entry_id, version, compiled, hand, memory_ids, created_at)
      select entry.workspace_id, entry.id, entry.version, entry.compiled, entry.hand, ${plainArray(memoryIds)}::uuid[], entry.updated_at
      from knowledge.entry
      where entry.workspace_id = ${workspaceId}
        and entry.id = ${entryId}
      on conflict do nothing`,
    tx`
      delete from knowledge.version
      where version.workspace_id = ${workspaceId}
        and version.entry_id = ${entryId}
        and version.version < (
          select kept.version
          from knowledge.version as kept
          where kept.workspace_id = ${workspaceId}
            and kept.entry_id = ${entryId}
          order by kept.version desc
          offset ${VERSIONS_KEPT - 2}
          limit 1
        )`,
  ])
}

/** Reads the former versions of an entry, the newest first. */
export async function findVersions(tx: Tx, workspaceId: string, entryId: string): Promise<VersionRow[]> {
  return tx<VersionRow[]>`
    select ${columns(tx)}
    from knowledge.version
    where version.workspace_id = ${workspaceId}
      and version.entry_id = ${entryId}
    order by version.version desc`
}

/** Reads the former versions of an entry that name some of these memories. */
export async function findNaming(
  tx: Tx,
  workspaceId: string,
  entryId: string,
  memoryIds: readonly string[],
): Promise<VersionRow[]> {
  return tx<VersionRow[]>`
    select ${columns(tx)}
    from knowledge.version
    where version.workspace_id = ${workspaceId}
      and version.entry_id = ${entryId}
      and version.memory_ids && ${plainArray(memoryIds)}::uuid[]`
}

/** Replaces what a former version says. */
export async function rewriteVersion(
  tx: Tx,
  workspaceId: string,
  entryId: string,
  version: number,
  { compiled, hand }: Document,
  memoryIds: readonly string[],
): Promise<void> {
  await tx`
    update knowledge.version
    set compiled = ${JSON.stringify(compiled)}::text::jsonb, hand = ${JSON.stringify(hand)}::text::jsonb,
      memory_ids = ${plainArray(memoryIds)}::uuid[]
    where version.workspace_id = ${workspaceId}
      and version.entry_id = ${entryId}
      and version.version = ${version}`
}

/** Removes former versions of an entry; all without `version`. */
export async function deleteVersions(tx: Tx, workspaceId: string, entryId: string, version?: number): Promise<void> {
  await tx`
    delete from knowledge.version
    where version.workspace_id = ${workspaceId}
      and version.entry_id = ${entryId}
      ${version === undefined ? tx`` : tx`and version.version = ${version}`}`
}

/** Forgets that an entry rests on memories that neither it nor one of its versions names any more. */
export async function dropSources(
  tx: Tx,
  workspaceId: string,
  entryId: string,
  named: readonly string[],
): Promise<void> {
  await tx`
    delete from knowledge.source
    where source.workspace_id = ${workspaceId}
      and source.holder_id = ${entryId}
      and source.memory_id <> all (${plainArray(named)}::uuid[])
      and not exists (
        select
        from knowledge.version
        where version.workspace_id = ${workspaceId}
          and version.entry_id = ${entryId}
          and source.memory_id = any (version.memory_ids)
      )`
}

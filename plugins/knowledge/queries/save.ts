import { insertRows, plainArray, type Tx, textArray } from 'mneme/plugin'
import { type Document, linesOf } from '../document/document.ts'
import { memoriesOfHand } from '../document/hand.ts'
import { wordsToIndex } from '../document/search-words.ts'
import type { Readers } from './readers.ts'
import { deleteVersions, dropSources, keepVersion } from './versions.ts'

export interface EntryToSave {
  readonly id: string
  readonly userId: string
  readonly document: Document
  readonly content: string
  readonly fingerprint: string
  readonly writtenBy: string
  readonly improveAt: Date | null
  readonly unread: readonly string[]
  readonly gone: readonly string[]
  readonly readers: Readers
  readonly version: number
  readonly now: Date
  /** The entry before the change; undefined when it is new. */
  readonly former: Document | undefined
  /** Keeps that as a version that can be restored. */
  readonly keeps: boolean
}

/** Creates or replaces an entry, and notes which memories it and its versions rest on. */
export async function saveEntry(tx: Tx, workspaceId: string, entry: EntryToSave): Promise<void> {
  const {
    id,
    userId,
    document,
    content,
    fingerprint,
    writtenBy,
    improveAt,
    unread,
    gone,
    readers,
    version,
    now,
    former,
    keeps,
  } = entry
  const words = wordsToIndex(document)
  const sources = sourcesOf(document)
  await Promise.all([
    former && keeps && keepVersion(tx, workspaceId, id, sourcesOf(former)),
    tx`
      insert into knowledge.entry as entry
        (workspace_id, id, user_id, category, content, compiled, hand, fingerprint, written_by, improve_at, unread, gone, readers, version,
          words, created_at, updated_at)
      values (
        ${workspaceId}, ${id}, ${userId}, ${document.category}, ${content}, ${JSON.stringify(document.compiled)}::text::jsonb,
        ${JSON.stringify(document.hand)}::text::jsonb, ${fingerprint}, ${writtenBy}, ${improveAt}, ${textArray(unread)}::text[], ${textArray(gone)}::text[],
        ${JSON.stringify(readers)}::text::jsonb, ${version},
        strip(to_tsvector('simple', ${words}) || to_tsvector('english', ${words})), ${now}, ${now}
      )
      on conflict (workspace_id, id) do update
      set
        content = excluded.content, compiled = excluded.compiled, hand = excluded.hand, fingerprint = excluded.fingerprint,
        written_by = excluded.written_by, improve_at = excluded.improve_at, unread = excluded.unread, gone = excluded.gone, readers = excluded.readers,
        version = excluded.version, words = excluded.words, updated_at = excluded.updated_at`,
    addSources(tx, workspaceId, id, [...new Set(sources).difference(new Set(former ? sourcesOf(former) : []))]),
    former && dropSources(tx, workspaceId, id, sources),
  ])
}

/** When an entry should be written again, where nothing else of it changes. */
export async function setImproveAt(tx: Tx, workspaceId: string, id: string, improveAt: Date | null): Promise<void> {
  await tx`
    update knowledge.entry
    set improve_at = ${improveAt}
    where entry.workspace_id = ${workspaceId}
      and entry.id = ${id}`
}

export async function deleteEntry(tx: Tx, workspaceId: string, { id }: { readonly id: string }): Promise<void> {
  await Promise.all([
    tx`
      delete from knowledge.entry
      where entry.workspace_id = ${workspaceId}
        and entry.id = ${id}`,
    deleteVersions(tx, workspaceId, id),
    dropSources(tx, workspaceId, id, []),
  ])
}

/** Changes which memories a profile rests on; what stays is not touched. */
export async function moveSources(
  tx: Tx,
  workspaceId: string,
  holderId: string,
  before: readonly string[],
  after: readonly string[],
): Promise<void> {
  const gone = [...new Set(before).difference(new Set(after))]
  const come = new Set(after).difference(new Set(before))
  await Promise.all([
    gone.length > 0 &&
      tx`
        delete from knowledge.source
        where source.workspace_id = ${workspaceId}
          and source.holder_id = ${holderId}
          and source.memory_id = any(${plainArray(gone)}::uuid[])`,
    addSources(tx, workspaceId, holderId, [...come]),
  ])
}

async function addSources(tx: Tx, workspaceId: string, holderId: string, memoryIds: readonly string[]): Promise<void> {
  await insertRows(
    tx,
    memoryIds,
    id => tx`(${workspaceId}, ${id}, ${holderId})`,
    values =>
      tx`insert into knowledge.source (workspace_id, memory_id, holder_id) values ${values} on conflict do nothing`,
  )
}

/** Memories that something rests on, in order, after a given one. Of all workspaces: for sweeps. */
export async function findSources(
  tx: Tx,
  after: readonly [workspaceId: string, memoryId: string] | undefined,
  limit: number,
): Promise<{ workspaceId: string; memoryId: string }[]> {
  const rows = await tx<{ workspace_id: string; memory_id: string }[]>`
    -- across workspaces: the backfill compares all memories with what knowledge rests on
    select distinct source.workspace_id, source.memory_id
    from knowledge.source
    ${after ? tx`where (source.workspace_id, source.memory_id) > (${after[0]}::uuid, ${after[1]}::uuid)` : tx``}
    order by source.workspace_id, source.memory_id
    limit ${limit}`
  return rows.map(row => ({ workspaceId: row.workspace_id, memoryId: row.memory_id }))
}

/** Every memory that a document names, in what was written by hand too. */
export function sourcesOf({ compiled, hand }: Document): string[] {
  const named = linesOf(compiled).flatMap(({ sources }) => sources.map(({ memory }) => memory))
  return [...new Set([...named, ...memoriesOfHand(hand)])]
}

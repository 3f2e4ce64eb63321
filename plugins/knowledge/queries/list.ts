import type { PageWindow, Tx } from 'mneme/plugin'
import { queryWords } from '../document/search-words.ts'
import { type Entry, type EntryRow, toEntry } from './entries.ts'

export interface EntryFilter {
  readonly userId?: string | undefined
  readonly category?: string | undefined
  /** Every word of it occurs in the content. */
  readonly search?: string | undefined
}

/** One page, newest first, with the number of all. */
export async function listEntries(
  tx: Tx,
  workspaceId: string,
  filter: EntryFilter,
  window: PageWindow,
): Promise<{ entries: Entry[]; total: number }> {
  const [rows, [counted]] = await Promise.all([
    tx<EntryRow[]>`
      select entry.id, entry.user_id, entry.category, entry.content, entry.version, entry.created_at, entry.updated_at
      from knowledge.own_entry as entry
      where entry.workspace_id = ${workspaceId} ${passing(tx, filter)}
      order by entry.created_at desc, entry.id desc
      limit ${window.limit}
      offset ${window.offset}`,
    tx<{ total: number }[]>`
      select count(*) as total
      from knowledge.own_entry as entry
      where entry.workspace_id = ${workspaceId} ${passing(tx, filter)}`,
  ])
  return { entries: rows.map(toEntry), total: counted?.total ?? 0 }
}

/** Computes the size of a merged profile before it is read. */
export async function sizeOf(
  tx: Tx,
  workspaceId: string,
  filter: EntryFilter,
): Promise<{ readonly entries: number; readonly chars: number }> {
  const [row] = await tx<{ entries: number; chars: number }[]>`
    select count(*) as entries, coalesce(sum(length(entry.content)), 0) as chars
    from knowledge.own_entry as entry
    where entry.workspace_id = ${workspaceId} ${passing(tx, filter)}`
  return row ?? { entries: 0, chars: 0 }
}

/** All that pass, user by user. */
export async function allEntries(tx: Tx, workspaceId: string, filter: EntryFilter, limit: number): Promise<Entry[]> {
  const rows = await tx<EntryRow[]>`
    select entry.id, entry.user_id, entry.category, entry.content, entry.version, entry.created_at, entry.updated_at
    from knowledge.own_entry as entry
    where entry.workspace_id = ${workspaceId} ${passing(tx, filter)}
    order by entry.user_id, entry.category, entry.id
    limit ${limit}`
  return rows.map(toEntry)
}

/** The conditions of a filter, each with its `and`. */
function passing(tx: Tx, { userId, category, search }: EntryFilter) {
  return tx`
    ${userId === undefined ? tx`` : tx`and entry.user_id = ${userId}`}
    ${category === undefined ? tx`` : tx`and entry.category = ${category}`}
    ${search === undefined ? tx`` : tx`and ${matching(tx, search)}`}`
}

/** In the same form or in another inflected one of English; a single character of a script without spaces as a beginning. */
function matching(tx: Tx, search: string) {
  const { words, prefixes } = queryWords(search)
  const beginnings = prefixes.map(prefix => `${prefix}:*`).join(' & ')
  return tx`
    entry.words @@ (
      (plainto_tsquery('simple', ${words}) || plainto_tsquery('english', ${words})) && to_tsquery('simple', ${beginnings})
    )`
}

import { plainArray, type Tx, textArray } from 'mneme/plugin'
import type { Compiled, Document, Hand } from '../document/document.ts'
import type { Readers } from './readers.ts'

/** An entry as readers get it. */
export interface Entry {
  readonly id: string
  readonly userId: string
  readonly category: string
  readonly content: string
  readonly version: number
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** An entry with what it is put together from. */
export interface StoredEntry extends Entry {
  readonly document: Document
  readonly fingerprint: string
  readonly writtenBy: string
  readonly improveAt: Date | null
  /** Hashes of the compiled lines that nobody has read yet. */
  readonly unread: readonly string[]
  /** Hashes of what was shown of the compiled lines that went since anybody read it. */
  readonly gone: readonly string[]
  readonly readers: Readers
}

export interface EntryRow {
  id: string
  user_id: string
  category: string
  content: string
  version: number
  created_at: Date
  updated_at: Date
}

interface StoredRow extends EntryRow {
  compiled: Compiled
  hand: Hand
  fingerprint: string
  written_by: string
  improve_at: Date | null
  unread: string[]
  gone: string[]
  readers: Readers
}

const entryColumns = (tx: Tx) =>
  tx`entry.id, entry.user_id, entry.category, entry.content, entry.version, entry.created_at, entry.updated_at`

const storedColumns = (tx: Tx) =>
  tx`${entryColumns(tx)}, entry.compiled, entry.hand, entry.fingerprint, entry.written_by, entry.improve_at, to_json(entry.unread) as unread,
    to_json(entry.gone) as gone, entry.readers`

export async function findEntry(tx: Tx, workspaceId: string, id: string): Promise<Entry | undefined> {
  const [row] = await tx<EntryRow[]>`
    select ${entryColumns(tx)}
    from knowledge.entry
    where entry.workspace_id = ${workspaceId}
      and entry.id = ${id}`
  return row && toEntry(row)
}

/** An entry that is about to change, held until the transaction ends. */
export async function holdEntry(tx: Tx, workspaceId: string, id: string): Promise<StoredEntry | undefined> {
  const [entry] = await selectStored(tx, workspaceId, tx`entry.id = ${id} for update`)
  return entry
}

/** The entries of a user in some categories, to look at only. */
export function findEntriesOfUser(
  tx: Tx,
  workspaceId: string,
  userId: string,
  categories: readonly string[],
): Promise<StoredEntry[]> {
  return selectStored(tx, workspaceId, ofUser(tx, userId, categories))
}

/** The same, held until the transaction ends. */
export function holdEntriesOfUser(
  tx: Tx,
  workspaceId: string,
  userId: string,
  categories: readonly string[],
): Promise<StoredEntry[]> {
  return selectStored(tx, workspaceId, tx`${ofUser(tx, userId, categories)} order by entry.id for update`)
}

/** The entries among `ids`, held until the transaction ends. */
export function holdEntries(tx: Tx, workspaceId: string, ids: readonly string[]): Promise<StoredEntry[]> {
  return selectStored(tx, workspaceId, tx`entry.id = any(${plainArray(ids)}::uuid[]) order by entry.id for update`)
}

/** The next entries in ascending order of id, of a user and of some categories where they are given. */
export function findStoredAfter(
  tx: Tx,
  workspaceId: string,
  filter: { readonly userId?: string | undefined; readonly categories?: readonly string[] | undefined },
  after: string | undefined,
  limit: number,
): Promise<StoredEntry[]> {
  const { userId, categories } = filter
  return selectStored(
    tx,
    workspaceId,
    tx`
      ${after === undefined ? tx`true` : tx`entry.id > ${after}`}
      ${userId === undefined ? tx`` : tx`and entry.user_id = ${userId}`}
      ${categories === undefined ? tx`` : tx`and entry.category = any(${textArray(categories)}::text[])`}
    order by entry.id
    limit ${limit}`,
  )
}

const ofUser = (tx: Tx, userId: string, categories: readonly string[]) => tx`
  entry.user_id = ${userId}
  and entry.category in (select jsonb_array_elements_text(${JSON.stringify(categories)}::text::jsonb))`

async function selectStored(tx: Tx, workspaceId: string, where: ReturnType<typeof ofUser>): Promise<StoredEntry[]> {
  const rows = await tx<StoredRow[]>`
    select ${storedColumns(tx)}
    from knowledge.entry
    where entry.workspace_id = ${workspaceId}
      and ${where}`
  return rows.map(toStored)
}

/** Ids of the entries and profiles that rest on some of these memories, in order. */
export async function findHolders(tx: Tx, workspaceId: string, memoryIds: readonly string[]): Promise<string[]> {
  const rows = await tx<{ holder_id: string }[]>`
    select distinct source.holder_id
    from knowledge.source
    where source.workspace_id = ${workspaceId}
      and source.memory_id = any(${plainArray(memoryIds)}::uuid[])
    order by source.holder_id`
  return rows.map(row => row.holder_id)
}

export async function categoriesOfUser(tx: Tx, workspaceId: string, userId: string): Promise<string[]> {
  const rows = await tx<{ category: string }[]>`
    select entry.category
    from knowledge.entry
    where entry.workspace_id = ${workspaceId}
      and entry.user_id = ${userId}`
  return rows.map(({ category }) => category)
}

export function toEntry(row: EntryRow): Entry {
  return {
    id: row.id,
    userId: row.user_id,
    category: row.category,
    content: row.content,
    version: row.version,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}

function toStored(row: StoredRow): StoredEntry {
  return {
    ...toEntry(row),
    document: { category: row.category, compiled: row.compiled, hand: row.hand },
    fingerprint: row.fingerprint,
    writtenBy: row.written_by,
    improveAt: row.improve_at,
    unread: row.unread,
    gone: row.gone,
    readers: row.readers,
  }
}

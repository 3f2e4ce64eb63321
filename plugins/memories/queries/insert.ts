import { type Fragment, inParts, type Tenant, type Tx, textArray } from 'mneme/plugin'
import { v7 } from 'uuid'
import type { MemoryRecord, Statement } from '../contract.ts'
import { contentHash, contentKey, hashOf, uniqueWithin } from '../storing/content-hash.ts'
import { countRemoved, countStored } from './memory-count.ts'

/** Both statements below list their values in the order of these columns. */
const COLUMNS = `
  id, text, user_id, agent_id, session_id, priority, status, categories, metadata, layer, expires_at,
  source, content_hash, unique_within, revision, progress_at, created_at, updated_at`

/**
 * Stores one new memory and its history.
 * @returns false when a live memory of the workspace has this content already; nothing is stored then
 */
export async function insertMemory(tx: Tx, tenant: Tenant, memory: MemoryRecord): Promise<boolean> {
  const { workspaceId } = memory
  // Metadata is bound as text because the driver would encode a jsonb value twice.
  const metadata = memory.metadata === null ? null : JSON.stringify(memory.metadata)
  const within = uniqueWithin(tenant, memory.userId)
  const hash = contentHash(memory.text)
  // The three travel together.
  const [, stored] = await Promise.all([
    countStored(tx, workspaceId, 1),
    tx`
      insert into memories.memory (workspace_id, ${tx.unsafe(COLUMNS)})
      select
        counted.workspace_id, ${memory.id}, ${memory.text}, ${memory.userId}, ${memory.agentId}, ${memory.sessionId},
        ${memory.priority}, ${memory.status}, ${textArray(memory.categories)}::text[], ${metadata}::text::jsonb,
        ${memory.layer}, ${memory.expiresAt}, ${memory.source}, ${hash}, ${within}, ${memory.revision},
        ${memory.createdAt}, ${memory.createdAt}, ${memory.updatedAt}
      from (select live_count.workspace_id from memories.live_count where live_count.workspace_id = ${workspaceId} limit 1) as counted
      where ${isFree(tx, workspaceId, tx`${hash}`, tx`${within}`)}
      on conflict (workspace_id, content_hash, unique_within) where live do nothing`,
    tx`
      insert into memories.history (workspace_id, memory_id, id, event, new_content, revision, created_at)
      select memory.workspace_id, memory.id, ${v7()}::uuid, 'CREATED', memory.text, memory.revision, memory.created_at
      from memories.memory
      where memory.workspace_id = ${workspaceId} and memory.id = ${memory.id}`,
  ])
  await countRemoved(tx, workspaceId, 1 - stored.count)
  return stored.count > 0
}

/**
 * Stores new memories of one workspace with their history and skips those whose content exists. Rows are inserted in ascending order of
 * hash, so that two batches with common texts wait in the same order and cannot deadlock.
 * @returns the ids of the stored memories
 */
export async function insertMemories(tx: Tx, tenant: Tenant, memories: readonly MemoryRecord[]): Promise<Set<string>> {
  const stored = new Set<string>()
  const rows = memories.map(memory => toJsonRow(tenant, memory)).sort((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1))
  for (const part of inParts(rows, PART_CHARS_MAX, ({ text }) => text.length))
    for (const id of await insertRows(tx, tenant.workspaceId, part)) stored.add(id)
  return stored
}

type JsonRow = ReturnType<typeof toJsonRow>

function orderOf({ content_hash: hash, unique_within: within }: JsonRow): string {
  return hash + within
}

async function insertRows(tx: Tx, workspaceId: string, given: readonly JsonRow[]): Promise<string[]> {
  const histories = JSON.stringify(given.map(({ id, history_id }) => ({ id, history_id })))
  const [, rows] = await Promise.all([
    countStored(tx, workspaceId, given.length),
    tx<{ id: string }[]>`
      insert into memories.memory (workspace_id, ${tx.unsafe(COLUMNS)})
      select
        counted.workspace_id, given.id, given.text, given.user_id, given.agent_id, given.session_id, given.priority,
        given.status, given.categories, nullif(given.metadata, 'null'::jsonb), given.layer, given.expires_at, given.source,
        decode(given.content_hash, 'hex'), given.unique_within, given.revision, given.created_at, given.created_at,
        given.updated_at
      from (select live_count.workspace_id from memories.live_count where live_count.workspace_id = ${workspaceId} limit 1) as counted
      cross join jsonb_to_recordset(${JSON.stringify(given)}::text::jsonb) as given (
        id uuid, text text, user_id text, agent_id text, session_id text, priority text, status text,
        categories text[], metadata jsonb, layer text, expires_at timestamptz, source text, content_hash text,
        unique_within text, revision integer, created_at timestamptz, updated_at timestamptz
      )
      where ${isFree(tx, workspaceId, tx`decode(given.content_hash, 'hex')`, tx`given.unique_within`)}
      order by given.content_hash, given.unique_within
      on conflict (workspace_id, content_hash, unique_within) where live do nothing
      returning id`,
    // The lateral join forces look-ups by id.
    tx`
      insert into memories.history (workspace_id, memory_id, id, event, new_content, revision, created_at)
      select stored.workspace_id, stored.id, given.history_id, 'CREATED', stored.text, stored.revision, stored.created_at
      from jsonb_to_recordset(${histories}::text::jsonb) as given (id uuid, history_id uuid)
      cross join lateral (
        select *
        from memories.memory
        where memory.workspace_id = ${workspaceId} and memory.id = given.id
        limit 1
      ) as stored`,
  ])
  await countRemoved(tx, workspaceId, given.length - rows.length)
  return rows.map(row => row.id)
}

/** A statement carries at most this many UTF-16 units of text, unless a single memory has more. */
const PART_CHARS_MAX = 1_000_000

function toJsonRow(tenant: Tenant, memory: MemoryRecord) {
  return {
    id: memory.id,
    text: memory.text,
    user_id: memory.userId,
    agent_id: memory.agentId,
    session_id: memory.sessionId,
    priority: memory.priority,
    status: memory.status,
    categories: memory.categories,
    metadata: memory.metadata,
    layer: memory.layer,
    expires_at: memory.expiresAt,
    source: memory.source,
    content_hash: hashOf(memory.text),
    unique_within: uniqueWithin(tenant, memory.userId),
    revision: memory.revision,
    created_at: memory.createdAt,
    updated_at: memory.updatedAt,
    history_id: v7(),
  }
}

/** A live memory that has a certain text. */
export interface ContentHolder {
  readonly id: string
  readonly userId: string
  readonly expired: boolean
}

/** Finds and locks the live memories that have any of the texts, keyed by {@link contentKey}. */
export async function findHolders(
  tx: Tx,
  tenant: Tenant,
  statements: readonly Statement[],
): Promise<Map<string, ContentHolder>> {
  const wanted = statements.map(statement => ({
    key: contentKey(tenant, statement),
    hash: hashOf(statement.text),
    within: uniqueWithin(tenant, statement.userId),
  }))
  const rows = await tx<{ key: string; id: string; user_id: string; expired: boolean }[]>`
    select
      wanted.key, memory.id, memory.user_id,
      coalesce(memory.expires_at <= now(), false) as expired
    from jsonb_to_recordset(${JSON.stringify(wanted)}::text::jsonb) as wanted (key text, hash text, within text)
    join memories.memory on memory.content_hash = decode(wanted.hash, 'hex')
    where memory.workspace_id = ${tenant.workspaceId}
      and memory.live
      and ${concerns(tx, tx`memory`, tx`wanted.within`)}
    order by memory.id
    for update of memory`
  return new Map(rows.map(row => [row.key, { id: row.id, userId: row.user_id, expired: row.expired }]))
}

/**
 * Holds where no live memory has a text. Concurrent writers are told apart by the unique index; this sees the memories that were stored
 * while the workspace had the other value of `uniqueness`, which that index does not compare.
 */
export function isFree(tx: Tx, workspaceId: string, hash: Fragment, within: Fragment) {
  return tx`not exists (
    select
    from memories.memory as holder
    where holder.workspace_id = ${workspaceId}
      and holder.live
      and holder.content_hash = ${hash}
      and ${concerns(tx, tx`holder`, within)}
  )`
}

/** Tells whether another live memory stands in the way of this one's having a text; one that is live and has it already keeps it. */
export async function isTextHeld(tx: Tx, tenant: Tenant, id: string, text: string): Promise<boolean> {
  const { workspaceId } = tenant
  const hash = contentHash(text)
  const rows = await tx`
    select
    from memories.memory
    where memory.workspace_id = ${workspaceId}
      and memory.id = ${id}
      and not (memory.live and memory.content_hash = ${hash})
      and not ${isFree(tx, workspaceId, tx`${hash}`, withinOf(tx, tenant))}`
  return rows.length > 0
}

/** Builds what {@link uniqueWithin} gives for the user of a row of `memory`. */
export function withinOf(tx: Tx, tenant: Tenant): Fragment {
  return uniqueWithin(tenant, 'user') === '' ? tx`''` : tx`memory.user_id`
}

/** A memory of another user does not stand in the way of a text that is unique within its own. */
function concerns(tx: Tx, holder: Fragment, within: Fragment) {
  return tx`(${within} = '' or ${holder}.user_id = ${within})`
}

/** Reads whose live memories have certain texts, by the hash of each, and locks none of them. */
export async function findOwners(tx: Tx, workspaceId: string, texts: readonly string[]): Promise<Map<string, string>> {
  const hashes = texts.map(text => `\\x${hashOf(text)}`)
  const rows = await tx<{ hash: string; user_id: string }[]>`
    select encode(memory.content_hash, 'hex') as hash, memory.user_id
    from memories.memory
    where memory.workspace_id = ${workspaceId}
      and memory.live
      and (memory.expires_at is null or memory.expires_at > now())
      and memory.content_hash = any(${textArray(hashes)}::bytea[])`
  return new Map(rows.map(row => [row.hash, row.user_id]))
}

import type { Tx } from '../../db/database.ts'
import { generateKey, hashKey, type KeyMode, keyPrefix } from '../api-key.ts'
import type { Subject } from '../caller.ts'

/** Describes a stored API key that is not revoked; it never holds the key itself. */
export interface KeyRecord {
  readonly id: string
  readonly accountId: string
  readonly name: string
  readonly prefix: string
  readonly hash: Uint8Array
  readonly permissions: readonly string[]
  /** The key has every permission there is, whatever `permissions` lists. */
  readonly allPermissions: boolean
  readonly mode: KeyMode
  /** The live workspace it belongs to, in test mode too. */
  readonly workspaceId: string
  /** The test twin of `liveWorkspaceId`. */
  readonly twinId: string
  /** The key may use these live workspaces besides its own. */
  readonly workspaceIds: readonly string[]
  /** The key reads and writes only what is this user's; null for one that is bound to nobody. */
  readonly subject: Subject | null
  /** The key that made this token; null for what is no token. */
  readonly parentId: string | null
  readonly expiresAt: Date | null
  readonly lastUsedAt: Date | null
  readonly createdAt: Date
}

export interface NewKey {
  readonly accountId: string
  readonly workspaceId: string
  readonly name: string
  readonly mode: KeyMode
  readonly permissions: readonly string[]
  readonly allPermissions?: boolean
  readonly workspaceIds?: readonly string[]
  readonly subject?: Subject | null
  /** Makes it a token of this key. */
  readonly parentId?: string | null
  readonly expiresAt?: Date | null
  /** A key made elsewhere; without it one is generated. */
  readonly key?: string
}

/**
 * Finds the keys with these SHA-256 sums, except those that are revoked or whose workspace is gone.
 * @param hashes in hex
 */
export async function findKeys(tx: Tx, hashes: readonly string[]): Promise<KeyRecord[]> {
  const rows = await tx<Row[]>`
    ${selectKeys(tx)}
      and api_key.hash = any (array(select decode(given.hash, 'hex') from unnest(${textArray(tx, hashes)}) as given (hash)))`
  return rows.map(toRecord)
}

/** Finds a key of the account by its id; no token. */
export async function getKey(tx: Tx, accountId: string, keyId: string): Promise<KeyRecord | undefined> {
  const [row] = await tx<Row[]>`
    ${selectKeys(tx)}
      and api_key.account_id = ${accountId}
      and api_key.id = ${keyId}
      and api_key.parent_id is null`
  return row && toRecord(row)
}

/**
 * Finds a key as `getKey` does and locks it until the transaction ends. Every change of a key begins here, so that
 * concurrent changes follow one another. The lock is a statement of its own, so that the next one takes its snapshot
 * while the lock is held.
 */
export async function lockKey(tx: Tx, accountId: string, keyId: string): Promise<KeyRecord | undefined> {
  await tx`
    select api_key.id
    from core.api_key
    where api_key.account_id = ${accountId}
      and api_key.id = ${keyId}
    for no key update`
  return getKey(tx, accountId, keyId)
}

/**
 * Lists the account's keys, newest first, with their total number; no tokens.
 * @param only keys of this live workspace, that are good for no other and have permissions of their own
 */
export async function listKeys(
  tx: Tx,
  accountId: string,
  { limit, offset }: { limit: number; offset: number },
  only?: string,
): Promise<{ keys: KeyRecord[]; total: number }> {
  const isConfined = only
    ? tx`
      and api_key.workspace_id = ${only}
      and not api_key.all_permissions
      and not exists (select from core.api_key_workspace where api_key_workspace.key_id = api_key.id)`
    : tx``
  const [rows, [count]] = await Promise.all([
    tx<Row[]>`${selectKeys(tx)}
      and api_key.account_id = ${accountId} ${isConfined}
      and api_key.parent_id is null
      order by api_key.created_at desc, api_key.id
      limit ${limit} offset ${offset}`,
    tx<{ total: number }[]>`
      select count(*)::int as total
      from core.api_key
      join core.workspace home on home.id = api_key.workspace_id and home.deleted_at is null
      where api_key.account_id = ${accountId}
        and api_key.parent_id is null
        and api_key.revoked_at is null ${isConfined}`,
  ])
  return { keys: rows.map(toRecord), total: count?.total ?? 0 }
}

/** Stores a new key. The key itself exists only in the returned value. */
export async function insertKey(tx: Tx, input: NewKey): Promise<{ id: string; key: string }> {
  const key = input.key ?? generateKey(input.mode)
  const [row] = await tx<{ id: string }[]>`
    insert into core.api_key
      (account_id, workspace_id, name, prefix, hash, permissions, all_permissions, mode, expires_at, user_id, agent_id, parent_id)
    values (
      ${input.accountId}, ${input.workspaceId}, ${input.name}, ${keyPrefix(key)}, ${hashKey(key)},
      ${textArray(tx, input.permissions)}, ${input.allPermissions ?? false}, ${input.mode}, ${input.expiresAt ?? null},
      ${input.subject?.userId ?? null}, ${input.subject?.agentId ?? null}, ${input.parentId ?? null}
    )
    returning id`
  if (!row) throw new Error('the insert of an API key returned no row')
  await setGrants(tx, row.id, input.workspaceId, input.workspaceIds ?? [])
  return { id: row.id, key }
}

/** Changes the given fields and leaves the secret. The caller holds the key's lock. */
export async function updateKey(
  tx: Tx,
  current: KeyRecord,
  change: {
    name?: string | undefined
    permissions?: readonly string[] | undefined
    workspaceIds?: readonly string[] | undefined
    expiresAt?: Date | null | undefined
  },
): Promise<void> {
  await tx`
    update core.api_key
    set name = ${change.name ?? current.name},
      permissions = ${textArray(tx, change.permissions ?? current.permissions)},
      all_permissions = ${change.permissions ? false : current.allPermissions},
      expires_at = ${change.expiresAt === undefined ? current.expiresAt : change.expiresAt}
    where api_key.id = ${current.id}`
  if (change.workspaceIds) await setGrants(tx, current.id, current.workspaceId, change.workspaceIds)
}

/**
 * Replaces the secret and ends the tokens that were made with the former one, which stays known as revoked, so that nothing brings it back. The
 * caller holds the key's lock.
 */
export async function rotateKey(tx: Tx, current: KeyRecord): Promise<string> {
  const key = generateKey(current.mode)
  await tx`
    update core.api_key
    set hash = ${hashKey(key)}, prefix = ${keyPrefix(key)}, last_used_at = null
    where api_key.id = ${current.id}`
  await tx`
    insert into core.api_key (account_id, workspace_id, name, prefix, hash, permissions, mode, revoked_at)
    values (
      ${current.accountId}, ${current.workspaceId}, ${current.name}, ${current.prefix}, ${Buffer.from(current.hash)},
      '{}', ${current.mode}, now()
    )`
  await tx`delete from core.api_key where api_key.parent_id = ${current.id}`
  return key
}

/** Revokes a key, and with it the tokens that it made. */
export async function revokeKey(tx: Tx, keyId: string): Promise<void> {
  await tx`update core.api_key set revoked_at = now() where api_key.id = ${keyId} and api_key.revoked_at is null`
}

/** Ends the keys and tokens of a workspace that are bound to a user, and blanks whose they were. @returns how many there were */
export async function endKeys(tx: Tx, workspaceId: string, userId: string): Promise<number> {
  const bound = tx`
    api_key.user_id = ${userId}
    and exists (
      select
      from core.workspace
      where workspace.id = ${workspaceId}
        and workspace.mode = api_key.mode
        and coalesce(workspace.twin_of, workspace.id) = api_key.workspace_id
    )`
  const [tokens, keys] = await Promise.all([
    tx`delete from core.api_key where api_key.parent_id is not null and ${bound}`,
    tx`
      update core.api_key
      set user_id = null, agent_id = null, name = '', prefix = '', revoked_at = coalesce(api_key.revoked_at, now())
      where ${bound}`,
  ])
  return tokens.count + keys.count
}

/** Lets a key use one more workspace of its account. */
export async function grantWorkspace(tx: Tx, keyId: string, workspaceId: string): Promise<void> {
  await tx`
    insert into core.api_key_workspace (key_id, workspace_id)
    values (${keyId}, ${workspaceId})
    on conflict do nothing`
}

/** Tells whether a key with this SHA-256 was ever stored, revoked ones included. */
export async function isKnownHash(tx: Tx, hash: Uint8Array): Promise<boolean> {
  const rows = await tx`select 1 from core.api_key where api_key.hash = ${Buffer.from(hash)}`
  return rows.length > 0
}

/** Writes when keys were last used, all in one statement and never back in time. */
export async function writeLastUsed(tx: Tx, used: ReadonlyMap<string, Date>): Promise<void> {
  const rows = [...used].map(([id, at]) => ({ id, at: at.toISOString() }))
  await tx`
    update core.api_key
    set last_used_at = greatest(api_key.last_used_at, used.at)
    from jsonb_to_recordset(${tx.json(rows)}) as used (id uuid, at timestamptz)
    where api_key.id = used.id`
}

async function setGrants(tx: Tx, keyId: string, ownId: string, workspaceIds: readonly string[]): Promise<void> {
  await tx`delete from core.api_key_workspace where api_key_workspace.key_id = ${keyId}`
  const others = [...new Set(workspaceIds)].filter(id => id !== ownId)
  if (others.length === 0) return
  await tx`
    insert into core.api_key_workspace (key_id, workspace_id)
    select ${keyId}, granted.id::uuid
    from jsonb_array_elements_text(${tx.json(others)}) as granted (id)`
}

interface Row {
  id: string
  account_id: string
  name: string
  prefix: string
  hash: Uint8Array
  permissions: string[]
  all_permissions: boolean
  mode: KeyMode
  workspace_id: string
  twin_id: string
  workspace_ids: string[]
  user_id: string | null
  agent_id: string | null
  parent_id: string | null
  expires_at: Date | null
  last_used_at: Date | null
  created_at: Date
}

// Arrays travel as JSON: the driver does not load the catalogue's array types. A token has what its key has today, and no more.
function selectKeys(tx: Tx) {
  return tx`
    select api_key.id, api_key.account_id, api_key.name, api_key.prefix, api_key.hash,
      case
        when parent.all_permissions is not false then to_json(api_key.permissions)
        else to_json(array(select unnest(api_key.permissions) intersect select unnest(parent.permissions) order by 1))
      end as permissions,
      api_key.all_permissions, api_key.mode, api_key.workspace_id, twin.id as twin_id,
      least(api_key.expires_at, parent.expires_at) as expires_at, api_key.last_used_at, api_key.created_at,
      api_key.user_id, api_key.agent_id, api_key.parent_id,
      (
        select coalesce(json_agg(api_key_workspace.workspace_id order by api_key_workspace.workspace_id), '[]')
        from core.api_key_workspace
        join core.workspace granted on granted.id = api_key_workspace.workspace_id and granted.deleted_at is null
        where api_key_workspace.key_id = api_key.id
      ) as workspace_ids
    from core.api_key
    join core.workspace home on home.id = api_key.workspace_id and home.deleted_at is null
    join core.workspace twin on twin.twin_of = home.id
    left join core.api_key parent on parent.id = api_key.parent_id
    where api_key.revoked_at is null
      and parent.revoked_at is null
      and (
        parent.id is null
        or parent.workspace_id = api_key.workspace_id
        or exists (
          select from core.api_key_workspace as granted
          where granted.key_id = parent.id and granted.workspace_id = api_key.workspace_id
        )
      )`
}

function textArray(tx: Tx, values: readonly string[]) {
  return tx`array(select jsonb_array_elements_text(${tx.json([...values])}))`
}

function toRecord(row: Row): KeyRecord {
  return {
    id: row.id,
    accountId: row.account_id,
    name: row.name,
    prefix: row.prefix,
    hash: row.hash,
    permissions: row.permissions,
    allPermissions: row.all_permissions,
    mode: row.mode,
    workspaceId: row.workspace_id,
    twinId: row.twin_id,
    workspaceIds: row.workspace_ids,
    subject: row.user_id === null ? null : { userId: row.user_id, agentId: row.agent_id ?? undefined },
    parentId: row.parent_id,
    expiresAt: row.expires_at,
    lastUsedAt: row.last_used_at,
    createdAt: row.created_at,
  }
}

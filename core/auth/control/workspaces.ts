import type { Tx } from '../../db/database.ts'
import type { StoredSettings } from '../caller.ts'
import { storedSettings } from '../settings.ts'

/** A workspace as the control plane stores it. */
export interface WorkspaceRecord {
  readonly id: string
  readonly accountId: string
  readonly name: string
  readonly plan: string
  readonly settings: StoredSettings
  readonly mode: 'live' | 'test'
  /** The live workspace that this one is the test twin of, or null. */
  readonly twinOf: string | null
  /** The test twin of a live workspace; null for a twin. */
  readonly twinId: string | null
  readonly createdAt: Date
  readonly updatedAt: Date
}

export interface NewWorkspace {
  readonly accountId: string
  readonly name: string
  readonly plan: string
  readonly settings?: StoredSettings
}

/** Makes a workspace together with its test twin. */
export async function insertWorkspace(tx: Tx, input: NewWorkspace): Promise<WorkspaceRecord> {
  const settings = JSON.stringify(input.settings ?? {})
  // The statement takes the clock's time instead of the transaction's, and a later one than that of the account's other workspaces, since
  // the order in which they are made decides which is its first.
  const [live] = await tx<{ id: string }[]>`
    insert into core.workspace (account_id, name, plan, settings, created_at, updated_at)
    select ${input.accountId}, ${input.name}, ${input.plan}, ${settings}::text::jsonb, moment.now, moment.now
    from (
      select greatest(clock_timestamp(), max(workspace.created_at) + interval '1 millisecond') as now
      from core.workspace
      where workspace.account_id = ${input.accountId}
    ) as moment
    returning id`
  if (!live) throw new Error('the insert of a workspace returned no row')
  await tx`
    insert into core.workspace (account_id, name, plan, settings, mode, twin_of, created_at, updated_at)
    select live.account_id, live.name, live.plan, live.settings, 'test', live.id, live.created_at, live.updated_at
    from core.workspace live
    where live.id = ${live.id}`
  const record = await getWorkspace(tx, live.id)
  if (!record) throw new Error('a new workspace cannot be read')
  return record
}

export async function getWorkspace(tx: Tx, id: string): Promise<WorkspaceRecord | undefined> {
  const [row] = await tx<Row[]>`${selectWorkspaces(tx)} and workspace.id = ${id}`
  return row && toRecord(row)
}

/**
 * Lists workspaces of the account, oldest first, with their total number: live ones, or their twins with `mode` test.
 * `only` limits them to these live ids and their twins.
 */
export async function listWorkspaces(
  tx: Tx,
  accountId: string,
  filter: {
    mode: 'live' | 'test'
    only?: readonly string[] | undefined
    /** Live ones of other accounts that are listed as well. */
    also?: readonly string[] | undefined
    limit: number
    offset: number
  },
): Promise<{ workspaces: WorkspaceRecord[]; total: number }> {
  const isMember = filter.also?.length
    ? tx`or coalesce(workspace.twin_of, workspace.id) in (select value::uuid from jsonb_array_elements_text(${tx.json([...filter.also])}))`
    : tx``
  const matching = tx`
    and (workspace.account_id = ${accountId} ${isMember})
    and workspace.mode = ${filter.mode}
    ${filter.only ? tx`and coalesce(workspace.twin_of, workspace.id) in (select value::uuid from jsonb_array_elements_text(${tx.json([...filter.only])}))` : tx``}`
  const [rows, [count]] = await Promise.all([
    tx<Row[]>`${selectWorkspaces(tx)} ${matching}
      order by workspace.created_at, workspace.id
      limit ${filter.limit} offset ${filter.offset}`,
    tx<{ total: number }[]>`
      select count(*)::int as total from core.workspace where workspace.deleted_at is null ${matching}`,
  ])
  return { workspaces: rows.map(toRecord), total: count?.total ?? 0 }
}

/** Finds the workspace that a session of the account works on unless it names another: its oldest. */
export async function firstWorkspaceId(tx: Tx, accountId: string): Promise<string | undefined> {
  const [row] = await tx<{ id: string }[]>`
    select workspace.id
    from core.workspace
    where workspace.account_id = ${accountId}
      and workspace.twin_of is null
      and workspace.deleted_at is null
    order by workspace.created_at, workspace.id
    limit 1`
  return row?.id
}

/** Counts an account's live workspaces. */
export async function countWorkspaces(tx: Tx, accountId: string): Promise<number> {
  const [row] = await tx<{ count: number }[]>`
    select count(*)::int as count
    from core.workspace
    where workspace.account_id = ${accountId}
      and workspace.twin_of is null
      and workspace.deleted_at is null`
  return row?.count ?? 0
}

/**
 * Changes the given fields. `settings` computes the new ones from the stored ones, safely against concurrent changes.
 */
export async function updateWorkspace(
  tx: Tx,
  id: string,
  change: {
    name?: string | undefined
    plan?: string | undefined
    settings?: ((stored: StoredSettings) => StoredSettings) | undefined
  },
): Promise<WorkspaceRecord | undefined> {
  const [locked] = await tx<{ settings: unknown }[]>`
    select workspace.settings
    from core.workspace
    where workspace.id = ${id}
      and workspace.deleted_at is null
    for update`
  if (!locked) return undefined
  const stored = storedSettings(locked.settings)
  const settings = JSON.stringify(change.settings ? change.settings(stored) : stored)
  await tx`
    update core.workspace
    set name = coalesce(${change.name ?? null}, workspace.name),
      plan = coalesce(${change.plan ?? null}, workspace.plan),
      settings = ${settings}::text::jsonb,
      updated_at = now()
    where workspace.id = ${id}`
  return getWorkspace(tx, id)
}

/** Tells which keys were revoked with a closed workspace, or why nothing changed. */
export type Closing =
  | { readonly state: 'closed'; readonly keyIds: readonly string[] }
  | { readonly state: 'last' }
  | { readonly state: 'gone' }

/**
 * Takes a workspace and its twin out of reach and revokes the keys that belong to it.
 * An account keeps its last workspace.
 */
export async function closeWorkspace(tx: Tx, accountId: string, id: string): Promise<Closing> {
  // This lock serialises deletions of one account, so that two at once cannot take the last two workspaces.
  // Transactions that only refer to the account, such as a key's rotation, do not wait for it: they may hold a key that
  // is revoked here.
  await tx`select 1 from core.account where account.id = ${accountId} for no key update`
  const live = await tx<{ id: string }[]>`
    select workspace.id
    from core.workspace
    where workspace.account_id = ${accountId}
      and workspace.twin_of is null
      and workspace.deleted_at is null`
  if (!live.some(workspace => workspace.id === id)) return { state: 'gone' }
  if (live.length === 1) return { state: 'last' }
  await tx`
    update core.workspace
    set deleted_at = now()
    where workspace.id = ${id}
      or workspace.twin_of = ${id}`
  const keys = await tx<{ id: string }[]>`
    update core.api_key
    set revoked_at = now()
    where api_key.workspace_id = ${id}
      and api_key.revoked_at is null
    returning id`
  return { state: 'closed', keyIds: keys.map(key => key.id) }
}

/** Returns the existing workspaces among `ids`, whoever owns them. */
export async function findWorkspaces(tx: Tx, ids: readonly string[]): Promise<WorkspaceRecord[]> {
  const rows = await tx<Row[]>`
    ${selectWorkspaces(tx)}
    and workspace.id in (select value::uuid from jsonb_array_elements_text(${tx.json([...ids])}))`
  return rows.map(toRecord)
}

interface Row {
  id: string
  account_id: string
  name: string
  plan: string
  settings: unknown
  mode: 'live' | 'test'
  twin_of: string | null
  twin_id: string | null
  created_at: Date
  updated_at: Date
}

// A twin has the plan of its live workspace.
function selectWorkspaces(tx: Tx) {
  return tx`
    select workspace.id, workspace.account_id, workspace.name, coalesce(live.plan, workspace.plan) as plan,
      workspace.settings, workspace.mode, workspace.twin_of, twin.id as twin_id,
      workspace.created_at, workspace.updated_at
    from core.workspace
    left join core.workspace twin on twin.twin_of = workspace.id
    left join core.workspace live on live.id = workspace.twin_of
    where workspace.deleted_at is null`
}

function toRecord(row: Row): WorkspaceRecord {
  return {
    id: row.id,
    accountId: row.account_id,
    name: row.name,
    plan: row.plan,
    settings: storedSettings(row.settings),
    mode: row.mode,
    twinOf: row.twin_of,
    twinId: row.twin_id,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}

import { createHash } from 'node:crypto'
import type { Tx } from '../../db/database.ts'
import type { Role } from '../caller.ts'

/** Somebody who may use a workspace, or who is invited to. */
export interface MemberRecord {
  /** It is the id of the account, or of the invitation. */
  readonly id: string
  readonly state: 'ACTIVE' | 'INVITED'
  /** Null for an invitation of whoever has the link. */
  readonly email: string | null
  readonly name: string | null
  readonly role: Role
  /** The workspace belongs to this account, so that its role stays. */
  readonly isHolder: boolean
  /** When an invitation ends. */
  readonly expiresAt: Date | null
  readonly createdAt: Date
}

export interface NewInvitation {
  readonly workspaceId: string
  readonly role: Role
  readonly email: string | null
  readonly token: string
  readonly expiresAt: Date
}

export interface Invitation {
  readonly id: string
  readonly workspaceId: string
  readonly workspaceName: string
  readonly role: Role
  readonly email: string | null
}

/** Reads the roles of an account in workspaces of others. */
export async function rolesOf(tx: Tx, accountId: string): Promise<Map<string, Role>> {
  const rows = await tx<{ workspace_id: string; role: Role }[]>`
    select member.workspace_id, member.role
    from core.member
    join core.workspace on workspace.id = member.workspace_id and workspace.deleted_at is null
    where member.account_id = ${accountId}
    order by member.created_at, member.workspace_id`
  return new Map(rows.map(({ workspace_id, role }) => [workspace_id, role]))
}

/** Lists who may use a workspace, those who own it first, and then who is invited. */
export async function listMembers(tx: Tx, workspaceId: string): Promise<MemberRecord[]> {
  return tx<MemberRecord[]>`
    select account.id, 'ACTIVE' as state, account.email, account.name, 'owner' as role, true as "isHolder", null::timestamptz as "expiresAt",
      workspace.created_at as "createdAt", 0 as place
    from core.workspace
    join core.account on account.id = workspace.account_id
    where workspace.id = ${workspaceId}
    union all
    select account.id, 'ACTIVE', account.email, account.name, member.role, false, null::timestamptz, member.created_at, 1
    from core.member
    join core.account on account.id = member.account_id
    where member.workspace_id = ${workspaceId}
    union all
    select invitation.id, 'INVITED', invitation.email, null::text, invitation.role, false, invitation.expires_at, invitation.created_at, 2
    from core.invitation
    where invitation.workspace_id = ${workspaceId}
      and invitation.expires_at > now()
    order by place, "createdAt", id`
}

/** Gives an account a role in a workspace, or another one. */
export async function putMember(tx: Tx, workspaceId: string, accountId: string, role: Role): Promise<void> {
  await tx`
    insert into core.member (workspace_id, account_id, role)
    select workspace.id, ${accountId}, ${role}
    from core.workspace
    where workspace.id = ${workspaceId}
      and workspace.account_id <> ${accountId}
      and workspace.deleted_at is null
    on conflict (workspace_id, account_id) do update
    set role = excluded.role`
}

/** Changes the role of a member or of an invitation. */
export async function changeRole(tx: Tx, workspaceId: string, id: string, role: Role): Promise<void> {
  await tx`
    update core.member set role = ${role}
    where member.workspace_id = ${workspaceId} and member.account_id = ${id}`
  await tx`
    update core.invitation set role = ${role}
    where invitation.workspace_id = ${workspaceId} and invitation.id = ${id}`
}

/** Removes a member or an invitation. */
export async function removeMember(tx: Tx, workspaceId: string, id: string): Promise<void> {
  await tx`delete from core.member where member.workspace_id = ${workspaceId} and member.account_id = ${id}`
  await tx`delete from core.invitation where invitation.workspace_id = ${workspaceId} and invitation.id = ${id}`
}

/** Stores an invitation. @returns its id */
export async function invite(tx: Tx, { workspaceId, role, email, token, expiresAt }: NewInvitation): Promise<string> {
  const [row] = await tx<{ id: string }[]>`
    insert into core.invitation (workspace_id, role, email, hash, expires_at)
    values (${workspaceId}, ${role}, ${email}, ${hashOf(token)}, ${expiresAt})
    returning id`
  if (!row) throw new Error('the insert of an invitation returned no row')
  return row.id
}

/** Finds the invitation of a link and locks it; undefined where it was accepted, taken back, or has ended. */
export async function lockInvitation(tx: Tx, token: string): Promise<Invitation | undefined> {
  const [row] = await tx<Invitation[]>`
    select invitation.id, invitation.workspace_id as "workspaceId", workspace.name as "workspaceName", invitation.role, invitation.email
    from core.invitation
    join core.workspace on workspace.id = invitation.workspace_id and workspace.deleted_at is null
    where invitation.hash = ${hashOf(token)}
      and invitation.expires_at > now()
    for update of invitation`
  return row
}

/** Tells whether an invitation waits for an e-mail address. */
export async function isInvited(tx: Tx, email: string): Promise<boolean> {
  const rows = await tx`
    select from core.invitation where invitation.email = ${email} and invitation.expires_at > now() limit 1`
  return rows.length > 0
}

/** Maps callers, as events name them, to what people know them by; those that are gone are left out. */
export async function namesOf(tx: Tx, actors: readonly string[]): Promise<Map<string, string>> {
  const rows = await tx<{ actor: string; name: string }[]>`
    select given.actor, coalesce(account.email, nullif(api_key.name, '')) as name
    from jsonb_array_elements_text(${tx.json([...actors])}) as given (actor)
    left join core.account on 'session:' || account.id::text = given.actor
    left join core.api_key on api_key.id::text = given.actor
    where coalesce(account.email, nullif(api_key.name, '')) is not null`
  return new Map(rows.map(({ actor, name }) => [actor, name]))
}

/** Removes what workspaces leave that are gone, and invitations that have ended. */
export async function sweepMembers(tx: Tx): Promise<void> {
  await tx`
    delete from core.member
    where not exists (select from core.workspace where workspace.id = member.workspace_id)`
  await tx`
    delete from core.invitation
    where invitation.expires_at < now()
      or not exists (select from core.workspace where workspace.id = invitation.workspace_id)`
}

function hashOf(token: string): Uint8Array {
  return createHash('sha256').update(token).digest()
}

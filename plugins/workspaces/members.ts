import {
  type Administration,
  type Caller,
  fail,
  isAtLeast,
  type Role,
  type Static,
  type Tenant,
  type Tx,
} from 'mneme/plugin'
import { failWorkspaces } from './errors.ts'
import type { memberResponse } from './responses.ts'

export type Member = Awaited<ReturnType<Administration['members']['list']>>[number]

/** An invitation ends after this time. */
export const INVITATION_MS = 7 * 24 * 3_600_000
/** Members and invitations of a workspace. */
export const MEMBERS_MAX = 1_000

/** Members of a workspace are those of its test twin, too. */
export const liveIdOf = ({ workspace }: Tenant): string => workspace.twinOf ?? workspace.id

/** Throws FORBIDDEN where the caller's role does not let it give or take that one: admins see to editors and viewers, owners to all. */
export function requireRoleOver({ role = 'viewer' }: Caller, other: Role): void {
  if (role === 'owner' || (role === 'admin' && !isAtLeast(other, 'admin'))) return
  throw fail('FORBIDDEN', { message: `Only an owner of the workspace may give or take the role ${other}.` })
}

/** Finds a member or an invitation that may change. Throws MEMBER_NOT_FOUND or HOLDER_STAYS. */
export async function findMember(
  { members }: Administration,
  tx: Tx,
  workspaceId: string,
  id: string,
): Promise<Member> {
  const found = (await members.list(tx, workspaceId)).find(member => member.id === id.toLowerCase())
  if (!found) throw failWorkspaces('MEMBER_NOT_FOUND')
  if (found.isHolder) throw failWorkspaces('HOLDER_STAYS')
  return found
}

export function toMember({
  id,
  state,
  email,
  name,
  role,
  expiresAt,
  createdAt,
}: Member): Static<typeof memberResponse> {
  return {
    id,
    status: state,
    email,
    name,
    role,
    expires_at: expiresAt?.toISOString() ?? null,
    created_at: createdAt.toISOString(),
  }
}

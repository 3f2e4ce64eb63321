import { type Caller, ROLES, type Role, type Workspace } from './caller.ts'

/** Says of permissions what roles go by; manifests declare them. */
interface Permissions {
  readonly permissions: Readonly<Record<string, string>>
  readonly forAdmins?: boolean
}

/** The permission that owners alone have beside those of admins. */
const OWNERS_PERMISSION = 'workspace.delete'

/** Tells whether a role is at least as high as another. */
export function isAtLeast(role: Role, least: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(least)
}

/** The role that the account of a session, or of an access token, has in a workspace, and its test twin; undefined without one. */
export function roleIn(caller: Caller, { id, twinOf, accountId }: Workspace): Role | undefined {
  if (caller.kind !== 'session' && !caller.roles) return undefined
  return accountId === caller.accountId ? 'owner' : caller.roles?.get(twinOf ?? id)
}

/**
 * The caller as it stands in a workspace: a session has the permissions of its account's role there, and an access token those among its own. Any
 * other caller is the same everywhere.
 */
export function inWorkspace(caller: Caller, workspace: Workspace, groups: readonly Permissions[]): Caller {
  const role = roleIn(caller, workspace)
  if (!role) return caller
  if (role === 'owner') return { ...caller, role }
  const [own, ofRole] = [caller.permissions, permissionsOf(role, groups)]
  return { ...caller, role, permissions: own === 'all' ? ofRole : own.intersection(ofRole) }
}

/** Viewers read, editors write what is not for admins, and admins do all but end the workspace. */
export function permissionsOf(role: Exclude<Role, 'owner'>, groups: readonly Permissions[]): ReadonlySet<string> {
  const allows = (permission: string, forAdmins: boolean) => {
    if (role === 'admin') return permission !== OWNERS_PERMISSION
    if (permission.endsWith('.read')) return true
    return role === 'editor' && permission.endsWith('.write') && !forAdmins
  }
  return new Set(
    groups.flatMap(({ permissions, forAdmins = false }) =>
      Object.keys(permissions).filter(permission => allows(permission, forAdmins)),
    ),
  )
}

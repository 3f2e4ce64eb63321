import {
  type Administration,
  type ErrorDetail,
  fail,
  parseInstant,
  permissionCatalogue,
  type RouteCheck,
  type Tx,
  validationError,
  type Wiring,
} from 'mneme/plugin'
import type { WorkspacesScope } from './scope.ts'

/** Names of every permission there is. */
export function knownPermissions(wiring: Wiring): string[] {
  return wiring
    .use(permissionCatalogue)
    .groups()
    .flatMap(group => Object.keys(group.permissions))
}

interface KeyFields {
  readonly permissions?: readonly string[]
  readonly user_id?: string
  readonly agent_id?: string
}

/** Keys have permissions that there are, and those that are bound to a user none on the workspace as a whole. */
export const keyChecks: readonly RouteCheck<WorkspacesScope, unknown, KeyFields>[] = [
  {
    fields: ['permissions', 'user_id'],
    faults({ body: { permissions = [], user_id: userId }, scope }) {
      const known = new Set(knownPermissions(scope.wiring))
      const unknown = permissions.flatMap((permission, index) =>
        known.has(permission) ? [] : [{ path: `permissions.${index}`, message: 'is not a known permission' }],
      )
      return userId === undefined || unknown.length > 0 ? unknown : boundFaults(scope.wiring, permissions)
    },
  },
  {
    fields: ['user_id', 'agent_id'],
    faults: ({ body }) =>
      body.agent_id !== undefined && body.user_id === undefined
        ? [{ path: 'agent_id', message: 'needs a user_id' }]
        : [],
  },
]

/** Says which permissions a key that is bound to a user cannot have. */
export function boundFaults(wiring: Wiring, permissions: readonly string[]): ErrorDetail[] {
  const allowed = wiring.use(permissionCatalogue).ofSubjects()
  return permissions.flatMap((permission, index) =>
    allowed.has(permission)
      ? []
      : [{ path: `permissions.${index}`, message: 'is not for keys that are bound to a user' }],
  )
}

/** Reads a key's fields, which have passed its checks. Throws VALIDATION_ERROR where it would have expired. */
export function readKeyFields(fields: { permissions?: readonly string[]; expires_at?: string | null }): {
  permissions: string[] | undefined
  expiresAt: Date | null | undefined
} {
  const expiresAt = typeof fields.expires_at === 'string' ? parseInstant(fields.expires_at) : fields.expires_at
  if (expiresAt && expiresAt.getTime() <= Date.now()) {
    throw validationError([{ path: 'expires_at', message: 'must be in the future' }])
  }
  return { permissions: fields.permissions && [...new Set(fields.permissions)], expiresAt }
}

/**
 * Checks that a key of the account may be given these workspaces: live ones of that account.
 * Throws WORKSPACE_NOT_FOUND, WORKSPACE_ACCESS_DENIED or, for a test twin, VALIDATION_ERROR.
 */
export async function checkWorkspaces(
  { workspaces }: Administration,
  tx: Tx,
  accountId: string,
  fields: { workspace_id?: string; workspace_ids?: readonly string[] },
): Promise<void> {
  const named = [
    ...(fields.workspace_id ? [{ path: 'workspace_id', id: fields.workspace_id }] : []),
    ...(fields.workspace_ids ?? []).map((id, index) => ({ path: `workspace_ids.${index}`, id })),
  ]
  if (named.length === 0) return
  const found = new Map(
    (
      await workspaces.find(
        tx,
        named.map(({ id }) => id),
      )
    ).map(record => [record.id, record]),
  )
  const faults: ErrorDetail[] = []
  for (const { path, id } of named) {
    const workspace = found.get(id.toLowerCase())
    if (!workspace) throw fail('WORKSPACE_NOT_FOUND')
    if (workspace.accountId !== accountId) {
      throw fail('WORKSPACE_ACCESS_DENIED', { message: 'This workspace belongs to another account.' })
    }
    if (workspace.twinOf) {
      faults.push({ path, message: 'must be a live workspace; a test key works on its test twin by itself' })
    }
  }
  if (faults.length > 0) throw validationError(faults)
}

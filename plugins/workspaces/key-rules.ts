import {
  type Administration,
  type Caller,
  type ErrorDetail,
  fail,
  type KeyRecord,
  parseInstant,
  permissionCatalogue,
  type RouteCheck,
  type Tenant,
  type Tx,
  validationError,
  type Wiring,
} from 'mneme/plugin'
import { failWorkspaces } from './errors.ts'
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
 * Tells whose keys a signed-in account sees to. Its own are those of all its workspaces; as an admin of another account's workspace it has those
 * of that account which are good for that workspace alone.
 */
export function keyHolderOf({ accountId }: Caller, { workspace }: Tenant): KeyHolder {
  const isOwn = workspace.accountId === accountId
  return isOwn ? { accountId } : { accountId: workspace.accountId, only: workspace.twinOf ?? workspace.id }
}

export interface KeyHolder {
  readonly accountId: string
  /** The live workspace that keys belong to, and have to be confined to. */
  readonly only?: string
}

/** Locks a key that a holder sees to. Throws API_KEY_NOT_FOUND. */
export async function lockKeyOf({ keys }: Administration, tx: Tx, holder: KeyHolder, id: string): Promise<KeyRecord> {
  const key = await keys.lock(tx, holder.accountId, id)
  const isConfined =
    !holder.only || (key?.workspaceId === holder.only && key.workspaceIds.length === 0 && !key.allPermissions)
  if (!key || !isConfined) throw failWorkspaces('API_KEY_NOT_FOUND')
  return key
}

/** Throws FORBIDDEN where a member would make a key that may do more than its role allows, or reach other workspaces. */
export function requireWithinRole(
  { permissions: own }: Caller,
  { only }: KeyHolder,
  { permissions = [], workspace_ids = [] }: { permissions?: readonly string[]; workspace_ids?: readonly string[] },
): void {
  if (only === undefined) return
  const beyond = permissions.find(permission => own !== 'all' && !own.has(permission))
  if (beyond !== undefined)
    throw fail('FORBIDDEN', { message: `Your role in the workspace lacks the permission ${beyond}.` })
  if (workspace_ids.length > 0)
    throw fail('FORBIDDEN', { message: 'Only the account that owns the workspaces grants several of them to a key.' })
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

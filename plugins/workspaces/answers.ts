import { type Static, type TSchema, Type } from '@sinclair/typebox'
import type { KeyRecord } from '../../core/auth/control/keys.ts'
import type { WorkspaceRecord } from '../../core/auth/control/workspaces.ts'
import type { PermissionGroup } from '../../core/plugin.ts'

const orNull = <S extends TSchema>(schema: S) => Type.Union([schema, Type.Null()])
const id = Type.String({ format: 'uuid' })
const time = Type.String({ format: 'date-time' })
const mode = Type.Union([Type.Literal('live'), Type.Literal('test')])
const count = orNull(Type.Integer())

export const workspaceAnswer = Type.Object({
  id,
  name: Type.String(),
  plan: Type.String(),
  settings: Type.Object({
    targets: Type.Object({ memories: count, requests: count, search_quality: orNull(Type.Number()) }),
    consolidation: Type.Boolean(),
    task_ttl_days: count,
    language: orNull(Type.String()),
    daily_model_tokens: count,
    retention_days: count,
  }),
  mode,
  test_workspace_id: orNull(id),
  created_at: time,
  updated_at: time,
})

const key = {
  id,
  name: Type.String(),
  prefix: Type.String({ description: 'The first characters of the key.' }),
  permissions: Type.Array(Type.String()),
  workspace_id: id,
  workspace_ids: Type.Array(id),
  mode,
  expires_at: orNull(time),
  last_used_at: orNull(time),
  created_at: time,
}

export const keyAnswer = Type.Object(key)

export const secretKeyAnswer = Type.Object({
  ...key,
  key: Type.String({ description: 'The key itself. It is stored nowhere and never shown again.' }),
})

export const pageOf = <S extends TSchema>(item: S) =>
  Type.Object({ data: Type.Array(item), total: Type.Integer(), page: Type.Integer(), page_size: Type.Integer() })

export const permissionsAnswer = Type.Object({
  groups: Type.Array(
    Type.Object({
      name: Type.String(),
      permissions: Type.Array(Type.Object({ name: Type.String(), description: Type.String() })),
    }),
  ),
})

export function workspaceForm(record: WorkspaceRecord): Static<typeof workspaceAnswer> {
  return {
    id: record.id,
    name: record.name,
    plan: record.plan,
    settings: record.settings,
    mode: record.mode,
    test_workspace_id: record.twinId,
    created_at: record.createdAt.toISOString(),
    updated_at: record.updatedAt.toISOString(),
  }
}

/** `all` is what a key with every permission has at the moment. */
export function keyForm(record: KeyRecord, all: readonly string[]): Static<typeof keyAnswer> {
  return {
    id: record.id,
    name: record.name,
    prefix: record.prefix,
    permissions: [...(record.allPermissions ? all : record.permissions)],
    workspace_id: record.workspaceId,
    workspace_ids: [...record.workspaceIds],
    mode: record.mode,
    expires_at: record.expiresAt?.toISOString() ?? null,
    last_used_at: record.lastUsedAt?.toISOString() ?? null,
    created_at: record.createdAt.toISOString(),
  }
}

/** Groups of one name, of several plugins, become one. */
export function permissionsForm(groups: readonly PermissionGroup[]): Static<typeof permissionsAnswer> {
  const merged = new Map<string, { name: string; description: string }[]>()
  for (const { name, permissions } of groups) {
    const entries = Object.entries(permissions).map(([permission, description]) => ({ name: permission, description }))
    merged.set(name, [...(merged.get(name) ?? []), ...entries])
  }
  return { groups: [...merged].map(([name, permissions]) => ({ name, permissions })) }
}

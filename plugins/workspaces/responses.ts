import { type Static, type TObject, type TSchema, Type } from '@sinclair/typebox'
import {
  type KeyRecord,
  oneOf,
  type PermissionGroup,
  ROLES,
  settingsCatalogue,
  type Wiring,
  type WorkspaceRecord,
} from 'mneme/plugin'

/** The given schema or null; what describes the one describes both. */
const orNull = <S extends TSchema>(schema: S) =>
  Type.Union([schema, Type.Null()], schema.description ? { description: schema.description } : {})
const string = (description: string) => Type.String({ description })
const id = (description: string) => Type.String({ format: 'uuid', description })
const time = (description: string) => Type.String({ format: 'date-time', description })
const mode = (description: string) => Type.Union([Type.Literal('live'), Type.Literal('test')], { description })

/** @param settings the schema of all plugins' settings; an object of anything where it is not known yet */
export const workspaceResponse = (settings: TObject = Type.Object({}, { additionalProperties: true })) =>
  Type.Object(
    {
      id: id("The workspace's id."),
      name: string('Its name.'),
      plan: string('Its plan, which decides on features and quotas.'),
      settings,
      mode: mode('`test` for a test twin.'),
      test_workspace_id: orNull(id("Its test twin's id; null for a twin.")),
      created_at: time('When it was made.'),
      updated_at: time('When it was last changed.'),
    },
    { title: 'Workspace' },
  )

/** A workspace with the settings that there are on this server. */
export const workspaceResponseFor = (wiring: Wiring) => workspaceResponse(wiring.use(settingsCatalogue).document)

const key = {
  id: id("The key's id."),
  name: string('Its name.'),
  prefix: Type.String({ description: 'The first characters of the key.' }),
  permissions: Type.Array(Type.String(), { description: 'What it may do.' }),
  workspace_id: id('The workspace it belongs to.'),
  workspace_ids: Type.Array(Type.String({ format: 'uuid' }), { description: 'Further workspaces it may use.' }),
  mode: mode("`test` works on the workspace's test twin."),
  user_id: orNull(string('It is bound to this user; null: to nobody.')),
  agent_id: orNull(string('It is bound to this agent as well.')),
  expires_at: orNull(time('When it stops working; null: never.')),
  last_used_at: orNull(time('When it was last used, within half a minute.')),
  created_at: time('When it was made.'),
}

export const keyResponse = Type.Object(key, { title: 'ApiKey' })

export const secretKeyResponse = Type.Object(
  {
    ...key,
    key: Type.String({ description: 'The key itself. It is stored nowhere and never shown again.' }),
  },
  { title: 'ApiKeyWithSecret' },
)

export const tokenResponse = Type.Object(
  {
    token: string('Sent as a key is. It is stored nowhere and never shown again.'),
    expires_at: time('When it expires.'),
  },
  { title: 'Token' },
)

export const permissionsResponse = Type.Object({
  groups: Type.Array(
    Type.Object({
      name: string("The group's name."),
      permissions: Type.Array(
        Type.Object({ name: string('As keys list it.'), description: string('What it allows.') }),
        { description: 'Its permissions.' },
      ),
    }),
    { description: 'All permissions, in groups.' },
  ),
})

const role = oneOf(ROLES, {
  description: 'viewer: reads; editor: writes data, too; admin: deletes, keys, webhooks and settings, too; owner: all.',
})

const member = {
  id: id('Of the account, or of the invitation.'),
  status: oneOf(['ACTIVE', 'INVITED'], { description: '`INVITED` until the invitation is accepted.' }),
  email: orNull(string('The e-mail address; null for an invitation of whoever has the link.')),
  name: orNull(string('The name of the account.')),
  role,
  expires_at: orNull(time('When the invitation ends; null for a member.')),
  created_at: time('When the invitation was made, or the member joined.'),
}

export const memberResponse = Type.Object(member, { title: 'Member' })

export const invitationResponse = Type.Object(
  { ...member, link: string('Where the invitation is accepted. It is never shown again.') },
  { title: 'Invitation' },
)

export const acceptedResponse = Type.Object({
  workspace_id: id('The workspace.'),
  workspace_name: string('Its name.'),
  role,
})

export function toWorkspace(record: WorkspaceRecord, wiring: Wiring): Static<ReturnType<typeof workspaceResponse>> {
  return {
    id: record.id,
    name: record.name,
    plan: record.plan,
    settings: wiring.use(settingsCatalogue).complete(record.settings),
    mode: record.mode,
    test_workspace_id: record.twinId,
    created_at: record.createdAt.toISOString(),
    updated_at: record.updatedAt.toISOString(),
  }
}

/** `all` is what a key with every permission has at the moment. */
export function toKey(record: KeyRecord, all: readonly string[]): Static<typeof keyResponse> {
  return {
    id: record.id,
    name: record.name,
    prefix: record.prefix,
    permissions: [...(record.allPermissions ? all : record.permissions)],
    workspace_id: record.workspaceId,
    workspace_ids: [...record.workspaceIds],
    mode: record.mode,
    user_id: record.subject?.userId ?? null,
    agent_id: record.subject?.agentId ?? null,
    expires_at: record.expiresAt?.toISOString() ?? null,
    last_used_at: record.lastUsedAt?.toISOString() ?? null,
    created_at: record.createdAt.toISOString(),
  }
}

/** Groups of one name, of several plugins, become one. */
export function toPermissions(groups: readonly PermissionGroup[]): Static<typeof permissionsResponse> {
  const merged = new Map<string, { name: string; description: string }[]>()
  for (const { name, permissions } of groups) {
    const entries = Object.entries(permissions).map(([permission, description]) => ({ name: permission, description }))
    merged.set(name, [...(merged.get(name) ?? []), ...entries])
  }
  return { groups: [...merged].map(([name, permissions]) => ({ name, permissions })) }
}

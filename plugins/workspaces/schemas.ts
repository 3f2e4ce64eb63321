import { type TSchema, Type } from '@sinclair/typebox'
import {
  instant,
  oneOf,
  PASSWORD_LENGTH_MAX,
  PASSWORD_LENGTH_MIN,
  PLAN_NAMES,
  ROLES,
  settingsCatalogue,
  text,
  uuid,
  type Wiring,
} from 'mneme/plugin'

export const NAME_MAX = 100
const PERMISSIONS_MAX = 200
const GRANTS_MAX = 100

/** The given schema or null; `errorMessage` names both, as a union's own faults would name neither. */
function nullable<S extends TSchema>(schema: S, errorMessage: string) {
  return Type.Union([schema, Type.Null()], {
    errorMessage,
    ...(schema.description ? { description: schema.description } : {}),
  })
}

const workspaceName = text({
  minLength: 1,
  maxLength: NAME_MAX,
  notBlank: true,
  description: 'A name for people.',
  examples: ['Support agents'],
})
const plan = oneOf(PLAN_NAMES, { description: 'Only for a signed-in account.' })

/** Bodies also take `settings`, whose schema is made of all plugins' contributions: see {@link settingsField}. */
export const createWorkspaceBody = Type.Object({
  name: workspaceName,
  plan: Type.Optional(plan),
})

export const updateWorkspaceBody = Type.Object({
  name: Type.Optional(workspaceName),
  plan: Type.Optional(plan),
})

/** The field of a body that changes settings. */
export function settingsField(wiring: Wiring) {
  return { settings: Type.Optional(wiring.use(settingsCatalogue).change) }
}

export const workspaceParams = Type.Object({ id: uuid({ description: "The workspace's id." }) })
export const keyParams = Type.Object({ id: uuid({ description: "The API key's id." }) })

const keyName = text({
  minLength: 1,
  maxLength: NAME_MAX,
  notBlank: true,
  description: 'A name for people.',
  examples: ['Production agent'],
})
const permissions = Type.Array(text({ minLength: 1, maxLength: 100 }), {
  minItems: 1,
  maxItems: PERMISSIONS_MAX,
  description: 'Names as `GET /v1/api-keys/permissions` lists them.',
  examples: [['memory.read', 'memory.write']],
})
const grants = Type.Array(uuid(), {
  maxItems: GRANTS_MAX,
  description: 'Further workspaces of the account it may use.',
})
const expiry = nullable(
  instant({ description: 'When it stops working; in the future. Null: never.' }),
  'must be an ISO 8601 date or date-time between 1900 and 2200, or null',
)

const subjectId = (description: string) => text({ minLength: 1, maxLength: 255, notBlank: true, description })
const agent = subjectId('With a user: binds it to what is of this agent as well.')

export const createTokenBody = Type.Object({
  user_id: subjectId('It reads and writes only what is of this user.'),
  agent_id: Type.Optional(agent),
  permissions,
  expires_in: Type.Integer({ minimum: 1, maximum: 86_400, description: 'Seconds until it expires.', examples: [3600] }),
})

export const createKeyBody = Type.Object({
  name: keyName,
  workspace_id: Type.Optional(uuid({ description: "The workspace it belongs to; the account's first when left out." })),
  permissions,
  mode: Type.Optional(
    oneOf(['live', 'test'], { description: "`live` (the default), or `test` for the workspace's test twin." }),
  ),
  workspace_ids: Type.Optional(grants),
  expires_at: Type.Optional(expiry),
  user_id: Type.Optional(subjectId('Binds the key: it reads and writes only what is of this user.')),
  agent_id: Type.Optional(agent),
})

export const updateKeyBody = Type.Object({
  name: Type.Optional(keyName),
  permissions: Type.Optional(permissions),
  workspace_ids: Type.Optional(grants),
  expires_at: Type.Optional(expiry),
})

export const memberParams = Type.Object({ id: uuid({ description: "The member's or the invitation's id." }) })

const role = oneOf(ROLES, { description: 'What the account may do. Only owners give the roles `owner` and `admin`.' })
const email = Type.String({
  minLength: 3,
  maxLength: 320,
  pattern: '^[^@\\s]+@[^@\\s]+$',
  errorMessage: 'must be an e-mail address',
  description: 'An e-mail address, in any letter case.',
})

export const memberBody = Type.Object({ role })
export const inviteBody = Type.Object({ role, email: Type.Optional(email) })
export const acceptBody = Type.Object({
  token: text({ minLength: 1, maxLength: 100, description: 'What stands behind `#invitation=` in the link.' }),
  email: Type.Optional(email),
  password: Type.Optional(
    text({
      minLength: PASSWORD_LENGTH_MIN,
      maxLength: PASSWORD_LENGTH_MAX,
      description: 'The password of the new account.',
    }),
  ),
})

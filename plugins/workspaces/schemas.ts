import { type Static, type TSchema, Type } from '@sinclair/typebox'
import { instant, oneOf, PLAN_NAMES, text, uuid } from 'mneme/plugin'

export const NAME_MAX = 100
const PERMISSIONS_MAX = 200
const GRANTS_MAX = 100
/** Ten years. */
const DAYS_MAX = 3650
/** Beyond any use, and exact in JSON. */
const COUNT_MAX = 1_000_000_000_000

/** The given schema or null; `errorMessage` names both, as a union's own faults would name neither. */
function nullable<S extends TSchema>(schema: S, errorMessage: string) {
  return Type.Union([schema, Type.Null()], {
    errorMessage,
    ...(schema.description ? { description: schema.description } : {}),
  })
}

const wholeOrNull = (minimum: number, maximum: number, description: string) =>
  Type.Optional(
    nullable(
      Type.Integer({ minimum, maximum, description }),
      `must be a whole number from ${minimum} to ${maximum}, or null`,
    ),
  )

const settings = Type.Object(
  {
    targets: Type.Optional(
      Type.Object(
        {
          memories: wholeOrNull(0, COUNT_MAX, 'New memories to aim at in a period.'),
          requests: wholeOrNull(0, COUNT_MAX, 'Requests to aim at in a period.'),
          search_quality: Type.Optional(
            nullable(
              Type.Number({ minimum: 0, maximum: 1, description: 'Average score of searches to aim at.' }),
              'must be a number from 0 to 1, or null',
            ),
          ),
        },
        { description: 'What the dashboard judges the figures by.' },
      ),
    ),
    consolidation: Type.Optional(Type.Boolean({ description: 'Whether near-duplicates are merged; true by default.' })),
    task_ttl_days: wholeOrNull(1, DAYS_MAX, "Days a TASK memory lives; null: the server's TASK_TTL."),
    language: Type.Optional(
      nullable(
        Type.String({ pattern: '^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,4}$', description: 'Language of the memories.' }),
        'must be a language tag such as de or pt-BR, or null',
      ),
    ),
    daily_model_tokens: wholeOrNull(
      0,
      COUNT_MAX,
      'Tokens a day that language models may read and write; null: no limit.',
    ),
    retention_days: wholeOrNull(1, DAYS_MAX, 'Days after which memories are deleted; null: never.'),
  },
  { description: 'What is left out stays as it is; null goes back to the default.' },
)

const workspaceName = text({
  minLength: 1,
  maxLength: NAME_MAX,
  notBlank: true,
  description: 'A name for people.',
  examples: ['Support agents'],
})
const plan = oneOf(PLAN_NAMES, { description: 'Only for a signed-in account.' })

export const createWorkspaceBody = Type.Object({
  name: workspaceName,
  plan: Type.Optional(plan),
  settings: Type.Optional(settings),
})

export const updateWorkspaceBody = Type.Object({
  name: Type.Optional(workspaceName),
  plan: Type.Optional(plan),
  settings: Type.Optional(settings),
})

export const workspaceParams = Type.Object({ id: uuid({ description: "The workspace's id." }) })
export const keyParams = Type.Object({ id: uuid({ description: "The API key's id." }) })

export const pageQuery = Type.Object({
  page: Type.Integer({ minimum: 1, maximum: 1_000_000, default: 1, description: 'From 1.' }),
  page_size: Type.Integer({ minimum: 1, maximum: 100, default: 20, description: 'Items on a page.' }),
})
export type PageQuery = Static<typeof pageQuery>

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

export const createKeyBody = Type.Object({
  name: keyName,
  workspace_id: Type.Optional(uuid({ description: "The workspace it belongs to; the account's first when left out." })),
  permissions,
  mode: Type.Optional(
    oneOf(['live', 'test'], { description: "`live` (the default), or `test` for the workspace's test twin." }),
  ),
  workspace_ids: Type.Optional(grants),
  expires_at: Type.Optional(expiry),
})

export const updateKeyBody = Type.Object({
  name: Type.Optional(keyName),
  permissions: Type.Optional(permissions),
  workspace_ids: Type.Optional(grants),
  expires_at: Type.Optional(expiry),
})

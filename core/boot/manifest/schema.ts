import {
  Kind,
  type SchemaOptions,
  type TObject,
  type TSchema,
  type TUnsafe,
  Type,
  TypeRegistry,
} from '@sinclair/typebox'
import { LIMITED_PLANS, type PlanFeature } from '../../auth/plans.ts'
import type { WorkspaceSetting } from '../../auth/settings.ts'
import type { Command } from '../../command.ts'
import type { ErrorDefinition } from '../../errors.ts'
import type { EventDefinition, EventRecorder, Subscription } from '../../events/events.ts'
import type { BodyDefinition, Route } from '../../http/route.ts'
import { SHARE_CLASSES } from '../../http/shares.ts'
import type { NamedRow, RouteSubject } from '../../http/subject.ts'
import { oneOf } from '../../http/validation.ts'
import type { Backoff } from '../../jobs/backoff.ts'
import type { CronEntry, Task } from '../../jobs/task.ts'
import type { PageFolder } from '../../pages/page-folder.ts'
import type { AnyPlugin, Chore, HealthCheck, PermissionGroup, PluginParts } from '../../plugin.ts'
import type { Extension, ExtensionPoint, Port, PortBinding } from '../../ports.ts'
import type { Removal, Retention } from '../../retention/retention.ts'
import type { SealedColumn } from '../../secrets/secrets.ts'
import type { SubjectParts, SubjectRows } from '../../subjects/subjects.ts'
import type { QuotaDefinition } from '../../usage/quota.ts'
import { bodyFault, schemaFault } from './schema-fault.ts'

/**
 * The form of manifests and of what `setup` hands back, field by field as `core/plugin.ts` and its neighbours type them: `tsc` refuses a
 * member that is in one of the two only. Unknown keys, messages and the attribution of faults (every `method` runs as its plugin's) follow
 * from it. A schema says by `expects` what a value must be where its type alone says too little.
 */

/** Makes the schema of a member that may be left out. */
export interface OptionalField {
  readonly optional: TSchema
}

/** Maps each member of `T` to its schema: optional where the member is, and none for anything else. */
export type FieldsOf<T> = { readonly [K in keyof T]-?: object extends Pick<T, K> ? OptionalField : TSchema }

/** `tsc` refuses it when a member is missing, too many or optional on one side only. */
function objectOf<T>(fields: FieldsOf<T>, options?: SchemaOptions): TObject {
  const properties = Object.entries<OptionalField | TSchema>(fields).map(([key, field]) => [
    key,
    isOptional(field) ? Type.Optional(field.optional) : field,
  ])
  return Type.Object(Object.fromEntries(properties), { additionalProperties: false, ...options })
}

function isOptional(field: OptionalField | TSchema): field is OptionalField {
  return !(Kind in field)
}

const optional = (schema: TSchema): OptionalField => ({ optional: schema })
const matching = (pattern: string, expects: string) => Type.String({ pattern, expects })
const wordOf = (...words: readonly string[]) => oneOf(words)
const whole = (minimum: number, maximum?: number) =>
  Type.Integer({ minimum, ...(maximum === undefined ? {} : { maximum }) })
/** The items are called `noun` in messages. */
const listOf = (noun: string, item: TSchema, options?: SchemaOptions) => Type.Array(item, { noun, ...options })
const only = (properties: Record<string, TSchema>) => Type.Object(properties, { additionalProperties: false })
/** `keys` completes the sentence "keys must be …". */
const recordOf = (pattern: string, value: TSchema, keys: string, options?: SchemaOptions) =>
  Type.Record(Type.String({ pattern }), value, { additionalProperties: false, keys, ...options })

const text = Type.String({ minLength: 1, expects: 'a text' })
const texts = Type.Array(text, { minItems: 1 })
const prose = Type.String()
const flag = Type.Boolean()
const method = Type.Function([], Type.Unknown(), { expects: 'a function' })
const anything = Type.Unknown()
const milliseconds = (minimum: number) => Type.Number({ minimum })
const identifier = matching(
  '^[a-z][A-Za-z0-9_-]*([.:][A-Za-z0-9_-]+)+$',
  'a name of the form <plugin>:<verb>, or <plugin>.<name> for ports and points',
)
const hyphenated = matching('^[a-z][a-z0-9-]{0,62}$', 'a word of lower-case letters, digits and hyphens')
const columnName = matching('^[a-z_][a-z0-9_]{0,62}$', 'a plain name of SQL')
const ownTable = matching('^[a-z][a-z0-9_]*\\.[a-z][a-z0-9_]*$', 'a table of its own schema, as <schema>.<table>')

/** These accept TypeBox schemas that compile, what a route takes as its body, and a folder that comes with the plugin. */
const checked = <T>(kind: string, expects: string, isSound: (value: unknown) => boolean): TUnsafe<T> => {
  TypeRegistry.Set(kind, (_, value) => isSound(value))
  return Type.Unsafe<T>({ [Kind]: kind, expects })
}
const schema = checked<TSchema>(
  'TypeBoxSchema',
  'a TypeBox schema, e.g. Type.Object({ … })',
  value => !schemaFault(value),
)
const objectSchema = checked<TObject>(
  'TypeBoxObject',
  'a TypeBox object, Type.Object({ … })',
  value => !schemaFault(value) && Reflect.get(value as object, Kind) === 'Object',
)
const routeBody = checked<BodyDefinition>(
  'RouteBody',
  'a TypeBox schema, form or formStream',
  value => !bodyFault(value),
)
const folder = checked<URL>(
  'Folder',
  "a file URL, e.g. new URL('./sql/', import.meta.url)",
  value => value instanceof URL && value.protocol === 'file:',
)

const errorCode = '^[A-Z][A-Z0-9]*(_[A-Z0-9]+)*$'

const heldTo = objectOf<RouteSubject>({
  user: optional(text),
  agent: optional(text),
  each: optional(text),
  rows: optional(
    listOf(
      'row',
      objectOf<NamedRow>({
        table: matching('^[a-z0-9_]+[.][a-z0-9_]+$', 'a table as <schema>.<table>'),
        field: optional(text),
        hasAgent: optional(flag),
        missing: method,
      }),
    ),
  ),
  handler: optional(wordOf('user', 'agent')),
})

const route = objectOf<Route>({
  method: wordOf('GET', 'POST', 'PUT', 'PATCH', 'DELETE'),
  path: matching('^/', 'a path that begins with /'),
  access: Type.Union([only({ permission: text }), wordOf('anyKey', 'account', 'person', 'public')], {
    expects: "{ permission: '…' }, 'anyKey', 'account', 'person' or 'public'",
  }),
  subject: optional(
    Type.Union([Type.Literal('nobody'), heldTo], {
      expects: "'nobody', or an object of user, agent, each, rows and handler",
    }),
  ),
  operationId: optional(matching('^[a-z][A-Za-z0-9_]*$', 'a name in camelCase, as createThing')),
  summary: text,
  description: optional(prose),
  tag: optional(prose),
  params: optional(objectSchema),
  query: optional(objectSchema),
  ignoresUnknownQuery: optional(flag),
  body: optional(routeBody),
  bodyMaxBytes: optional(whole(1)),
  bodyValuesMax: optional(whole(1)),
  responses: recordOf(
    '^[2-5][0-9]{2}$',
    Type.Union([schema, Type.Null()], { expects: 'a TypeBox schema, or null for a response without a body' }),
    'a status from 200 to 599',
    { minProperties: 1, expects: 'an object of at least one status with its schema, e.g. { 200: Type.Object({ … }) }' },
  ),
  responseMaxBytes: optional(whole(1)),
  contentType: optional(Type.Union([text, texts], { expects: 'a content type, or a list of them' })),
  download: optional(flag),
  examples: optional(
    objectOf<NonNullable<Route['examples']>>({
      body: optional(anything),
      response: optional(anything),
      responses: optional(anything),
    }),
  ),
  errors: optional(listOf('error code', matching(errorCode, 'an UPPER_SNAKE word'))),
  checks: optional(
    listOf('check', objectOf<NonNullable<Route['checks']>[number]>({ fields: listOf('field', text), faults: method })),
  ),
  additions: optional(method),
  workspace: optional(
    Type.Union([wordOf('select', 'none'), only({ param: text })], { expects: "'select', 'none' or { param: '…' }" }),
  ),
  beyondQuota: optional(flag),
  raw: optional(flag),
  reads: optional(flag),
  relays: optional(flag),
  readsHeaders: optional(listOf('header', matching('^[A-Za-z][A-Za-z0-9-]*$', 'the name of a header'))),
  failureBody: optional(method),
  challenge: optional(method),
  probe: optional(flag),
  share: optional(wordOf(...SHARE_CLASSES)),
  readsSession: optional(Type.Union([flag, Type.Literal('optional')], { expects: "true, false or 'optional'" })),
  setsCookie: optional(flag),
  secretResponse: optional(flag),
  head: optional(method),
  handle: method,
})

const event = objectOf<EventDefinition>({
  kind: matching('^[a-z][a-zA-Z0-9_]*(\\.[a-z][a-zA-Z0-9_]*)+$', 'a name of the form noun.pastTense'),
  label: optional(prose),
  description: prose,
  public: flag,
  example: optional(anything),
  schema: optional(schema),
})
const kinds = Type.Union([text, texts], { expects: "a kind, a list of at least one, or '*' for all public events" })
const reaction = { event: kinds, name: text, gated: optional(flag) }

const backoff = objectOf<Backoff>({
  delaysMs: Type.Union([method, Type.Array(milliseconds(0), { minItems: 1 })], {
    expects: 'a list of at least one delay in milliseconds, or a function that computes them',
  }),
  jitter: optional(Type.Number({ minimum: 0, maximum: 1 })),
})

const task = objectOf<Task>({
  name: identifier,
  payload: schema,
  maxAttempts: optional(whole(1, 20)),
  backoff: optional(backoff),
  timeLimitMs: optional(milliseconds(1)),
  perProcessMax: optional(whole(1)),
  gated: optional(flag),
  run: method,
  exhausted: optional(method),
})

const page = objectOf<PageFolder>({
  path: matching(
    '^(/[A-Za-z0-9][A-Za-z0-9._-]*)+$',
    'a path such as /x/<id>, without parameters and without a / at its end',
  ),
  folder,
  fallback: optional(matching('^[A-Za-z0-9][A-Za-z0-9._-]*$', 'the name of a file in the folder, e.g. index.html')),
  isHome: optional(flag),
  keepsOpener: optional(flag),
})

const command = objectOf<Omit<Command, 'standalone'> & { standalone?: boolean }>({
  name: hyphenated,
  usage: optional(prose),
  summary: text,
  standalone: optional(flag),
  run: method,
})

const permissionGroup = objectOf<Omit<PermissionGroup, 'forAdmins'> & { forAdmins?: boolean }>({
  name: text,
  permissions: recordOf('^[a-z][a-z0-9_]*(\\.[a-z][a-z0-9_]*)+$', text, 'permissions, e.g. thing.read', {
    expects: 'an object of permissions with what each allows',
  }),
  forAdmins: optional(flag),
})

const port = objectOf<Port<unknown>>({ id: identifier, of: optional(anything) })
const extensionPoint = objectOf<ExtensionPoint<unknown>>({
  id: identifier,
  of: optional(anything),
  members: optional(anything),
  check: optional(method),
})

/** Features and quotas of plans have such names, and settings of workspaces up to four with dots between them. */
const planName = matching('^[A-Za-z][A-Za-z0-9_]{0,62}$', 'a name of letters, digits and _')
const settingKey = matching(
  '^[a-z][a-z0-9_]{0,62}(\\.[a-z][a-z0-9_]{0,62}){0,3}$',
  'up to four names of lower-case letters, digits and _, with dots between them',
)
const feature = objectOf<PlanFeature>({
  name: planName,
  description: text,
  plans: listOf('plan', wordOf(...LIMITED_PLANS)),
})
const quota = objectOf<QuotaDefinition>({
  name: planName,
  description: text,
  limits: only(Object.fromEntries(LIMITED_PLANS.map(plan => [plan, whole(0)]))),
  per: optional(wordOf('workspace', 'account')),
  count: optional(method),
})
const workspaceSetting = objectOf<WorkspaceSetting>({
  key: settingKey,
  schema,
  default: anything,
  setBy: optional(
    Type.Union([Type.Literal('account'), only({ permission: text })], { expects: "'account' or { permission: '…' }" }),
  ),
  groupDescription: optional(prose),
  of: method,
})

const retention = objectOf<Retention>({
  table: ownTable,
  column: text,
  columnType: optional(wordOf('timestamptz', 'uuidv7')),
  keepMs: optional(milliseconds(0)),
  environment: optional(text),
  workspaceSetting: optional(workspaceSetting),
  where: optional(text),
  removal: optional(objectOf<Removal<never>>({ key: text, batchMax: optional(whole(1, 5000)), run: method })),
})

const sealedColumn = objectOf<SealedColumn>({
  purpose: hyphenated,
  table: ownTable,
  column: columnName,
  key: listOf('column', columnName, {
    minItems: 1,
    maxItems: 8,
    uniqueItems: true,
    expects: 'a list of the columns of its primary key',
  }),
})

const rows = { table: ownTable, column: columnName, where: optional(text) }
const subjectRows = objectOf<SubjectRows>({
  ...rows,
  instead: optional(Type.Union([Type.Literal('own'), only({ blank: text })], { expects: "'own' or { blank: '…' }" })),
  parts: optional(listOf('part', objectOf<SubjectParts>({ ...rows, key: optional(columnName) }))),
})

export const manifestSchema = objectOf<AnyPlugin>({
  id: matching('^[a-z][a-z0-9_]{1,40}$', '2 to 41 lower-case letters, digits or _'),
  version: text,
  apiVersion: Type.Integer(),
  requires: optional(listOf('plugin id', text)),
  optional: optional(listOf('plugin id', text)),
  feature: optional(text),
  features: optional(listOf('feature', feature)),
  quotas: optional(listOf('quota', quota)),
  workspaceSettings: optional(listOf('workspace setting', workspaceSetting)),
  permissions: optional(listOf('permission group', permissionGroup)),
  config: optional(objectSchema),
  checkConfig: optional(method),
  migrations: optional(folder),
  errors: optional(
    recordOf(errorCode, objectOf<ErrorDefinition>({ status: whole(400, 599), message: text }), 'UPPER_SNAKE codes'),
  ),
  emits: optional(listOf('event', event)),
  sealed: optional(listOf('sealed column', sealedColumn)),
  provides: optional(listOf('port', port)),
  extensionPoints: optional(listOf('extension point', extensionPoint)),
  uses: optional(listOf('port', port)),
  routes: optional(listOf('route', route)),
  pages: optional(listOf('page', page)),
  tasks: optional(listOf('task', task)),
  subscriptions: optional(
    listOf('subscription', objectOf<Subscription>({ ...reaction, erases: optional(flag), handle: method })),
  ),
  recorders: optional(listOf('recorder', objectOf<EventRecorder>({ ...reaction, record: method }))),
  cron: optional(listOf('cron entry', objectOf<CronEntry>({ schedule: text, task: text }))),
  retention: optional(listOf('retention', retention)),
  subjects: optional(listOf('subject', subjectRows)),
  commands: optional(listOf('command', command)),
  setup: method,
})

const healthCheck = objectOf<HealthCheck>({
  name: text,
  essential: optional(flag),
  check: method,
  state: optional(method),
  details: optional(method),
})

const chore = objectOf<Chore>({
  name: text,
  everyMs: milliseconds(10),
  idleMs: optional(milliseconds(10)),
  atStop: optional(flag),
  flushes: optional(flag),
  run: method,
})

export const partsSchema = objectOf<PluginParts<unknown>>({
  scope: anything,
  ports: optional(listOf('port binding', objectOf<PortBinding>({ port, implementation: anything }))),
  extensions: optional(listOf('extension', objectOf<Extension>({ point: extensionPoint, value: anything }))),
  healthChecks: optional(listOf('health check', healthCheck)),
  chores: optional(listOf('chore', chore)),
  stop: optional(method),
})

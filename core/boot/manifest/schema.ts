import { type TSchema, Type } from '@sinclair/typebox'
import { LIMITED_PLANS, type PlanFeature } from '../../auth/plans.ts'
import type { WorkspaceSetting } from '../../auth/settings.ts'
import type { Command } from '../../command.ts'
import type { ErrorDefinition } from '../../errors.ts'
import type { EventDefinition, EventRecorder, Subscription } from '../../events/events.ts'
import type { Backoff } from '../../jobs/backoff.ts'
import type { CronEntry, Task } from '../../jobs/task.ts'
import type { PageFolder } from '../../pages/page-folder.ts'
import type { AnyPlugin, Chore, HealthCheck, PermissionGroup, PluginParts } from '../../plugin.ts'
import type { Extension, ExtensionPoint, Port, PortBinding } from '../../ports.ts'
import type { Removal, Retention } from '../../retention/retention.ts'
import type { SealedColumn } from '../../secrets/secrets.ts'
import type { SubjectParts, SubjectRows } from '../../subjects/subjects.ts'
import type { QuotaDefinition } from '../../usage/quota.ts'
import {
  anything,
  expected,
  flag,
  folder,
  identifier,
  keyed,
  listOf,
  matching,
  method,
  objectOf,
  objectSchema,
  oneWord,
  optional,
  schema,
  sentence,
} from './fields.ts'
import { errorCode, route } from './route.ts'

const event = objectOf<EventDefinition>({
  kind: matching('^[a-z][a-zA-Z0-9_]*(\\.[a-z][a-zA-Z0-9_]*)+$', 'a name of the form noun.pastTense'),
  label: optional(Type.String(expected('a text'))),
  description: Type.String(expected('a text')),
  public: flag(),
  example: optional(anything()),
  schema: optional(schema()),
})

const subscription = objectOf<Subscription>({
  event: kinds(),
  name: sentence('a name'),
  gated: optional(flag()),
  erases: optional(flag()),
  handle: method('that reacts to an event'),
})

const recorder = objectOf<EventRecorder>({
  event: kinds(),
  name: sentence('a name'),
  gated: optional(flag()),
  record: method('that stores what it needs of events'),
})

const backoff = objectOf<Backoff>(
  {
    delaysMs: Type.Union(
      [method(''), Type.Array(Type.Number({ minimum: 0 }), { minItems: 1 })],
      expected('a list of at least one delay in milliseconds, or a function that computes them'),
    ),
    jitter: optional(Type.Number({ minimum: 0, maximum: 1, ...expected('a share from 0 to 1') })),
  },
  expected('an object with delaysMs'),
)

const task = objectOf<Task>({
  name: identifier('a name of the form <plugin>:<verb>'),
  payload: schema(),
  maxAttempts: optional(Type.Integer({ minimum: 1, maximum: 20, ...expected('a whole number from 1 to 20') })),
  backoff: optional(backoff),
  timeLimitMs: optional(Type.Number({ exclusiveMinimum: 0, ...expected('a number of milliseconds above 0') })),
  perProcessMax: optional(Type.Integer({ minimum: 1, ...expected('a whole number of at least 1') })),
  gated: optional(flag()),
  run: method('that does a job'),
  exhausted: optional(method('that reports the last failure')),
})

/**
 * Checks the form of manifests and of what `setup` hands back, field by field as `core/plugin.ts` and its neighbours
 * type them: `tsc` refuses a member that is in one of the two only. A part that is added to the contract is added here.
 * The check of unknown keys, the messages, and the attribution of faults to the plugin (every `method` runs as its
 * plugin's) follow.
 */

const name = () => sentence('a name')
const text = () => Type.String(expected('a text'))

const page = objectOf<PageFolder>({
  path: matching(
    '^(/[A-Za-z0-9][A-Za-z0-9._-]*)+$',
    'a path such as /x/<id>, without parameters and without a / at its end',
  ),
  folder: folder(),
  fallback: optional(matching('^[A-Za-z0-9][A-Za-z0-9._-]*$', 'the name of a file in the folder, e.g. index.html')),
  isHome: optional(flag()),
})

const cronEntry = objectOf<CronEntry>({ schedule: sentence('a cron expression of five fields'), task: name() })

const command = objectOf<Omit<Command, 'standalone'> & { standalone?: boolean }>({
  name: matching('^[a-z][a-z0-9-]*$', 'a word of lower-case letters, digits and hyphens'),
  usage: optional(text()),
  summary: sentence('a sentence'),
  standalone: optional(flag()),
  run: method('that carries it out'),
})

const permissionGroup = objectOf<Omit<PermissionGroup, 'forAdmins'> & { forAdmins?: boolean }>({
  name: name(),
  permissions: Type.Record(
    Type.String({ pattern: '^[a-z][a-z0-9_]*(\\.[a-z][a-z0-9_]*)+$' }),
    sentence('a sentence that says what it allows'),
    { ...keyed('permissions, e.g. thing.read'), ...expected('an object of permissions with what each allows') },
  ),
  forAdmins: optional(flag()),
})

const errorDefinition = objectOf<ErrorDefinition>({
  status: Type.Integer({ minimum: 400, maximum: 599, ...expected('a status from 400 to 599') }),
  message: sentence('a sentence'),
})

const port = objectOf<Port<unknown>>({ id: identifier('an id of the form owner.name'), of: optional(anything()) })

const extensionPoint = objectOf<ExtensionPoint<unknown>>({
  id: identifier('an id of the form <plugin>.name'),
  of: optional(anything()),
  members: optional(anything()),
  check: optional(method('that answers what is wrong with contributions')),
})

const plans = (value: TSchema) => Object.fromEntries(LIMITED_PLANS.map(plan => [plan, value]))

const feature = objectOf<PlanFeature>({
  name: name(),
  description: sentence('a sentence'),
  plans: listOf('plan', oneWord(...LIMITED_PLANS)),
})

const quota = objectOf<QuotaDefinition>({
  name: name(),
  description: sentence('a sentence'),
  limits: Type.Object(plans(Type.Integer({ minimum: 0, ...expected('a whole number of at least 0') })), {
    additionalProperties: false,
    ...expected(`an object with a whole number for each of ${LIMITED_PLANS.join(', ')}`),
  }),
  per: optional(oneWord('workspace', 'account')),
  count: optional(method('that counts what there is')),
})

const workspaceSetting = objectOf<WorkspaceSetting>({
  key: name(),
  schema: schema(),
  default: anything('what holds where nothing is set'),
  setBy: optional(
    Type.Union(
      [
        Type.Literal('account'),
        Type.Object({ permission: Type.String({ minLength: 1 }) }, { additionalProperties: false }),
      ],
      expected("'account' or { permission: '…' }"),
    ),
  ),
  groupDescription: optional(text()),
  of: method('that reads it; build the setting with defineSetting'),
})

const ownTable = () => matching('^[a-z][a-z0-9_]*\\.[a-z][a-z0-9_]*$', 'a table of its own schema, as <schema>.<table>')
const condition = () => sentence('a condition in SQL')

const retention = objectOf<Retention>({
  table: ownTable(),
  column: name(),
  columnType: optional(oneWord('timestamptz', 'uuidv7')),
  keepMs: optional(Type.Number({ minimum: 0, ...expected('a number of milliseconds of at least 0') })),
  environment: optional(name()),
  workspaceSetting: optional(workspaceSetting),
  where: optional(condition()),
  removal: optional(
    objectOf<Removal<never>>(
      {
        key: name(),
        batchMax: optional(Type.Integer({ minimum: 1, maximum: 5000, ...expected('a whole number from 1 to 5000') })),
        run: method('that removes rows'),
      },
      expected('an object with key and run'),
    ),
  ),
})

/** Statements hold these names as they are. */
const columnName = () => matching('^[a-z_][a-z0-9_]{0,62}$', 'a plain name of SQL')

const sealedColumn = objectOf<SealedColumn>({
  purpose: matching('^[a-z][a-z0-9-]{0,62}$', 'a word of lower-case letters, digits and hyphens'),
  table: matching('^[a-z][a-z0-9_]*\\.[a-z][a-z0-9_]*$', 'a table of its own schema, as <schema>.<table>'),
  column: columnName(),
  key: Type.Array(columnName(), {
    minItems: 1,
    maxItems: 8,
    uniqueItems: true,
    noun: 'column',
    ...expected('a list of the columns of its primary key'),
  }),
})

const subjectRows = objectOf<SubjectRows>({
  table: ownTable(),
  column: columnName(),
  where: optional(condition()),
  instead: optional(
    Type.Union(
      [Type.Literal('own'), Type.Object({ blank: Type.String({ minLength: 1 }) }, { additionalProperties: false })],
      expected("'own' or { blank: '…' }"),
    ),
  ),
  parts: optional(
    listOf(
      'part',
      objectOf<SubjectParts>({
        table: ownTable(),
        column: columnName(),
        key: optional(columnName()),
        where: optional(condition()),
      }),
    ),
  ),
})

export const manifestSchema = objectOf<AnyPlugin>({
  id: matching('^[a-z][a-z0-9_]{1,40}$', '2 to 41 lower-case letters, digits or _'),
  version: sentence('a version, e.g. 1.0.0'),
  apiVersion: Type.Integer(expected('the plugin API it is written for, a whole number')),
  requires: optional(listOf('plugin id', name())),
  optional: optional(listOf('plugin id', name())),
  feature: optional(name()),
  features: optional(listOf('feature', feature)),
  quotas: optional(listOf('quota', quota)),
  workspaceSettings: optional(listOf('workspace setting', workspaceSetting)),
  permissions: optional(listOf('permission group', permissionGroup)),
  config: optional(objectSchema()),
  checkConfig: optional(method('that says which settings are at fault')),
  migrations: optional(folder()),
  errors: optional(
    Type.Record(Type.String({ pattern: errorCode }), errorDefinition, {
      ...keyed('UPPER_SNAKE codes'),
      ...expected('an object of UPPER_SNAKE codes with status and message'),
    }),
  ),
  emits: optional(listOf('event', event)),
  sealed: optional(listOf('sealed column', sealedColumn)),
  provides: optional(listOf('port', port)),
  extensionPoints: optional(listOf('extension point', extensionPoint)),
  uses: optional(listOf('port', port)),
  routes: optional(listOf('route', route)),
  pages: optional(listOf('page', page)),
  tasks: optional(listOf('task', task)),
  subscriptions: optional(listOf('subscription', subscription)),
  recorders: optional(listOf('recorder', recorder)),
  cron: optional(listOf('cron entry', cronEntry)),
  retention: optional(listOf('retention', retention)),
  subjects: optional(listOf('subject', subjectRows)),
  commands: optional(listOf('command', command)),
  setup: method('that builds what the plugin needs'),
})

const binding = objectOf<PortBinding>({ port, implementation: anything('what answers for the port') })
const extension = objectOf<Extension>({ point: extensionPoint, value: anything('what is added') })

const healthCheck = objectOf<HealthCheck>({
  name: name(),
  essential: optional(flag()),
  check: method('that resolves while the plugin can serve'),
  state: optional(method('that answers ok or degraded')),
  details: optional(method('that answers what an operator should see')),
})

const chore = objectOf<Chore>({
  name: name(),
  everyMs: Type.Number({ minimum: 10, ...expected('a number of milliseconds, at least 10') }),
  idleMs: optional(Type.Number({ minimum: 10, ...expected('a number of milliseconds, at least 10') })),
  atStop: optional(flag()),
  flushes: optional(flag()),
  run: method('that does it'),
})

export const partsSchema = objectOf<PluginParts<unknown>>({
  scope: anything('what handlers, tasks and subscriptions get, or null'),
  ports: optional(listOf('port binding', binding)),
  extensions: optional(listOf('extension', extension)),
  healthChecks: optional(listOf('health check', healthCheck)),
  chores: optional(listOf('chore', chore)),
  stop: optional(method('that ends what setup began')),
})

function kinds() {
  return Type.Union(
    [Type.String({ minLength: 1 }), Type.Array(Type.String({ minLength: 1 }), { minItems: 1 })],
    expected("a kind, a list of at least one, or '*' for all public events"),
  )
}

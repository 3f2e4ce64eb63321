import type { Static, TObject } from '@sinclair/typebox'
import type { Logger } from 'pino'
import type { Registry } from 'prom-client'
import type { TenantDirectory } from './auth/directory.ts'
import type { PlanFeature } from './auth/plans.ts'
import type { WorkspaceSetting } from './auth/settings.ts'
import type { Background } from './background/precedence.ts'
import type { Command, StandaloneCommand } from './command.ts'
import type { ConfigFault } from './config.ts'
import type { Database } from './db/database.ts'
import type { ErrorRegistry } from './errors.ts'
import type { EventDefinition, EventRecorder, Events, Subscription } from './events/events.ts'
import type { Route } from './http/route.ts'
import type { CronEntry, JobQueue, Task } from './jobs/task.ts'
import type { Embedder, EmbedderSource } from './models/embedder.ts'
import type { LanguageModel } from './models/language/language-model.ts'
import type { Reranker } from './models/rerank/reranker.ts'
import type { OutgoingHttp } from './outgoing/outgoing-http.ts'
import type { PageFolder } from './pages/page-folder.ts'
import type { Extension, ExtensionPoint, Port, PortBinding, Wiring } from './ports.ts'
import type { Quarantine } from './quarantine/quarantine.ts'
import type { Retention } from './retention/retention.ts'
import type { SealedColumn, Secrets } from './secrets/secrets.ts'
import type { SubjectRows } from './subjects/subjects.ts'
import type { QuotaDefinition } from './usage/quota.ts'
import type { Quotas } from './usage/quotas.ts'
import type { UsageMeter } from './usage/usage.ts'

export const PLUGIN_API_VERSION = 1

/** `GET /v1/api-keys/permissions` lists permissions in such groups. */
export interface PermissionGroup {
  readonly name: string
  /** Maps a permission's name (`memory.read`) to one sentence on what it allows. */
  readonly permissions: Readonly<Record<string, string>>
}

/**
 * The manifest is data: the kernel checks all manifests against each other before any plugin code runs, and says which
 * two disagree. `S` is the scope: what `setup` builds and handlers, tasks and subscriptions get.
 */
export interface Plugin<C extends TObject = TObject, S = unknown> {
  /** 2 to 41 lower-case letters, digits or `_`; also the name of its Postgres schema. */
  readonly id: string
  readonly version: string
  readonly apiVersion: typeof PLUGIN_API_VERSION
  /** These plugins must be loaded, and are set up first. */
  readonly requires?: readonly string[]
  /** These plugins are set up first when they are loaded. */
  readonly optional?: readonly string[]
  /**
   * Names the plan feature that the plugin stands for, declared in `features` of it or of another plugin. Where a
   * workspace's plan lacks it, routes and filters respond with FEATURE_NOT_ENABLED, and subscriptions, tasks, fields
   * and hooks are left out.
   */
  readonly feature?: string
  /** Adds these features to plans. */
  readonly features?: readonly PlanFeature[]
  /** Plans limit these of its things. */
  readonly quotas?: readonly QuotaDefinition[]
  /** Each workspace has these settings, changed by `PATCH /v1/workspaces/:id`. */
  readonly workspaceSettings?: readonly WorkspaceSetting[]
  readonly permissions?: readonly PermissionGroup[]
  /** Reads these settings from the environment; property names are the variables' names. */
  readonly config?: C
  /**
   * Says what is wrong with settings that are right each by itself, such as two that do not fit together. Called before anything
   * runs, with values that `config` accepts, so that every fault is reported with those of all other settings.
   */
  checkConfig?(config: Static<C>): readonly ConfigFault[]
  /** Folder of `NNNN_verb_noun.sql` files. */
  readonly migrations?: URL
  readonly errors?: ErrorRegistry
  readonly emits?: readonly EventDefinition[]
  /** Lists the columns where the plugin keeps values that it seals. */
  readonly sealed?: readonly SealedColumn[]
  readonly provides?: readonly Port<unknown>[]
  readonly extensionPoints?: readonly ExtensionPoint<unknown>[]
  /** Asks for ports of the kernel that only the listing plugins get, such as `administration`. */
  readonly uses?: readonly Port<unknown>[]
  readonly routes?: readonly Route<S>[]
  /** Serves folders of static files that everybody may see. */
  readonly pages?: readonly PageFolder[]
  readonly tasks?: readonly Task<S>[]
  readonly subscriptions?: readonly Subscription<S>[]
  /** Stores rows in the transactions that publish events. */
  readonly recorders?: readonly EventRecorder<S>[]
  readonly cron?: readonly CronEntry[]
  /** Says how long rows of its tables are kept; the kernel removes older ones. */
  readonly retention?: readonly Retention<S>[]
  /**
   * Says how a person is erased from its tables. Each table with a column that names users, such as `user_id`, has an entry, else the start
   * is refused.
   */
  readonly subjects?: readonly SubjectRows[]
  /** Operators run these as `bun run command <id> <name>`. */
  readonly commands?: readonly (Command<S> | StandaloneCommand)[]
  setup(context: PluginContext<Static<C>>): PluginParts<S> | Promise<PluginParts<S>>
}

/** The kernel lends a plugin this and no more, frozen. It opens and closes all of it. */
export interface PluginContext<C> {
  readonly config: C
  readonly log: Logger
  readonly metrics: Registry
  readonly database: Database
  readonly tenants: TenantDirectory
  readonly events: Events
  readonly jobs: JobQueue
  readonly usage: UsageMeter
  readonly quotas: Quotas
  /** Seals values that only this plugin may read back, such as keys and tokens of others. */
  readonly secrets: Secrets
  /** Sends HTTP to addresses that users give, and refuses those that are not public. */
  readonly outgoing: OutgoingHttp
  /** Runs work that nobody waits for, so that requests go first. */
  readonly background: Background
  /** Lets work for all workspaces go on without the items that it fails on. */
  readonly quarantine: Quarantine
  readonly embedder: Embedder
  readonly embedders: EmbedderSource
  /** Always present, though it may be `none` or away: every use of it needs a local alternative. */
  readonly language: LanguageModel
  /** Always present, though it may be `none` or away: an order without it has to do. */
  readonly reranker: Reranker
  /** Looks up ports and contributions of others. It is complete once every plugin is set up, so look up late. */
  readonly wiring: Wiring
}

/** `setup` hands this back; nothing in it runs before every plugin is set up. */
export interface PluginParts<S> {
  readonly scope: S
  readonly ports?: readonly PortBinding[]
  readonly extensions?: readonly Extension[]
  readonly healthChecks?: readonly HealthCheck[]
  /** Chores run in this process, e.g. to flush a buffer: without overlap, and once more at stop. */
  readonly chores?: readonly Chore[]
  /** Called in reverse order of set-up, after requests and jobs are drained. */
  stop?(): Promise<void>
}

/** Named in `/ready`; throws (or times out) when the plugin cannot serve. */
export interface HealthCheck {
  readonly name: string
  /** Without this part no server should get requests, so `/ready` is 503 while the check fails. Others are shown as degraded then. */
  readonly essential?: boolean
  check(): Promise<void>
  /** Tells how it serves once `check` has passed: `degraded` is shown and no reason to send requests elsewhere. */
  state?(): 'ok' | 'degraded'
  /** Adds details for an operator beside the state, free of secrets and of users' data. */
  details?(): HealthDetails | undefined
}

export type HealthDetails = Readonly<Record<string, string | number | null>>

export interface Chore {
  readonly name: string
  readonly everyMs: number
  /** After a run that returns `idle`, since there was nothing to do, the next one comes in so many milliseconds instead. */
  readonly idleMs?: number
  /** By default a chore runs a last time at stop, so that what it buffers is written; false skips that. */
  readonly atStop?: boolean
  /** It writes what this process buffered, so it runs at the end of a command, too; no other chore does. */
  readonly flushes?: boolean
  run(): Promise<void> | Promise<'idle' | 'busy'>
}

/** Types a manifest; returns it unchanged. */
export function definePlugin<C extends TObject, S>(plugin: Plugin<C, S>): Plugin<C, S> {
  return plugin
}

/** A plugin with its types erased, as the kernel holds it. Erasure happens here and nowhere else. */
export type AnyPlugin = Plugin<TObject, never>

export function eraseTypes<C extends TObject, S>(plugin: Plugin<C, S>): AnyPlugin {
  return plugin as unknown as AnyPlugin
}

import type { Static, TObject } from '@sinclair/typebox'
import type { Logger } from 'pino'
import type { Registry } from 'prom-client'
import type { TenantDirectory } from './auth/directory.ts'
import type { PlanFeature } from './auth/plans.ts'
import type { WorkspaceSetting } from './auth/settings.ts'
import type { Background } from './background.ts'
import type { Command, StandaloneCommand } from './command.ts'
import type { Database } from './db/database.ts'
import type { ErrorRegistry } from './errors.ts'
import type { EventDefinition, Events, Subscription } from './events.ts'
import type { Route } from './http/route.ts'
import type { CronEntry, JobQueue, Task } from './jobs/task.ts'
import type { Embedder } from './models/embedder.ts'
import type { EmbedderSource } from './models/embedder-source.ts'
import type { LanguageModel } from './models/language/language-model.ts'
import type { OutgoingHttp } from './outgoing/outgoing-http.ts'
import type { PageFolder } from './pages/page-folder.ts'
import type { Extension, ExtensionPoint, Port, PortBinding, Wiring } from './ports.ts'
import type { QuotaDefinition, Quotas } from './quotas.ts'
import type { Retention } from './retention/retention.ts'
import type { SealedColumn, Secrets } from './secrets/secrets.ts'
import type { UsageMeter } from './usage.ts'

export const PLUGIN_API_VERSION = 1

/** A group as `GET /v1/api-keys/permissions` lists it. */
export interface PermissionGroup {
  readonly name: string
  /** Permission name (`memory.read`) to what it allows, one sentence. */
  readonly permissions: Readonly<Record<string, string>>
}

/**
 * Everything a plugin is. The manifest is data: the kernel checks all manifests against each other before any plugin
 * code runs, and says which two disagree. `S` is the scope: what `setup` builds and handlers, tasks and subscriptions get.
 */
export interface Plugin<C extends TObject = TObject, S = unknown> {
  /** Lower-case letters and digits; also the name of its Postgres schema. */
  readonly id: string
  readonly version: string
  readonly apiVersion: typeof PLUGIN_API_VERSION
  /** Plugins that must be loaded, and are set up first. */
  readonly requires?: readonly string[]
  /** Plugins that are set up first when they are loaded. */
  readonly optional?: readonly string[]
  /**
   * The plan feature it stands for, declared in `features` of it or of another plugin. Where a workspace's plan lacks it, routes
   * and filters answer FEATURE_NOT_ENABLED, and subscriptions, tasks, fields and hooks are left out.
   */
  readonly feature?: string
  /** Features that it adds to plans. */
  readonly features?: readonly PlanFeature[]
  /** What plans limit of it. */
  readonly quotas?: readonly QuotaDefinition[]
  /** Settings that each workspace has, changed by `PATCH /v1/workspaces/:id`. */
  readonly workspaceSettings?: readonly WorkspaceSetting[]
  readonly permissions?: readonly PermissionGroup[]
  /** Settings read from the environment; property names are the variables' names. */
  readonly config?: C
  /** Folder of `NNNN_verb_noun.sql` files. */
  readonly migrations?: URL
  readonly errors?: ErrorRegistry
  readonly emits?: readonly EventDefinition[]
  /** Where the plugin keeps values that it seals. */
  readonly sealed?: readonly SealedColumn[]
  readonly provides?: readonly Port<unknown>[]
  readonly extensionPoints?: readonly ExtensionPoint<unknown>[]
  /** Ports of the kernel that only those plugins get that list them, such as `administration`. */
  readonly uses?: readonly Port<unknown>[]
  readonly routes?: readonly Route<S>[]
  /** Folders of static files, for everybody to see. */
  readonly pages?: readonly PageFolder[]
  readonly tasks?: readonly Task<S>[]
  readonly subscriptions?: readonly Subscription<S>[]
  readonly cron?: readonly CronEntry[]
  /** How long rows of its tables are kept; the kernel removes what is older. */
  readonly retention?: readonly Retention<S>[]
  /** What operators run as `bun run command <id> <name>`. */
  readonly commands?: readonly (Command<S> | StandaloneCommand)[]
  setup(context: PluginContext<Static<C>>): PluginParts<S> | Promise<PluginParts<S>>
}

/** What the kernel lends a plugin: this and no more, frozen. The kernel opens and closes all of it. */
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
  /** Seals what only this plugin may read back, such as keys and tokens of others. */
  readonly secrets: Secrets
  /** HTTP to addresses that users give; what is not public is refused. */
  readonly outgoing: OutgoingHttp
  /** For work that nobody waits for, so that requests go first. */
  readonly background: Background
  readonly embedder: Embedder
  readonly embedders: EmbedderSource
  /** Always there, though it may be `none` or away: every use of it needs a local way beside it. */
  readonly language: LanguageModel
  /** Ports and contributions of others; complete once every plugin is set up, so look up late. */
  readonly wiring: Wiring
}

/** What `setup` hands back; nothing in it runs before every plugin is set up. */
export interface PluginParts<S> {
  readonly scope: S
  readonly ports?: readonly PortBinding[]
  readonly extensions?: readonly Extension[]
  readonly healthChecks?: readonly HealthCheck[]
  /** In-process chores, e.g. flushing a buffer. Run without overlap, and once more at stop. */
  readonly chores?: readonly Chore[]
  /** Called in reverse order of set-up, after requests and jobs are drained. */
  stop?(): Promise<void>
}

/** Named in `/ready`; throws (or times out) when the plugin cannot serve. */
export interface HealthCheck {
  readonly name: string
  check(): Promise<void>
  /** How it serves once `check` is through: `degraded` is shown and no reason to send requests elsewhere. */
  state?(): 'ok' | 'degraded'
  /** What an operator should see beside the state, where there is anything; free of secrets and of users' data. */
  details?(): HealthDetails | undefined
}

export type HealthDetails = Readonly<Record<string, string | number | null>>

export interface Chore {
  readonly name: string
  readonly everyMs: number
  /** False for what a stop need not wait for; by default a chore runs a last time, so that what it buffers is written. */
  readonly atStop?: boolean
  run(): Promise<void>
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

/**
 * This is the public entry `mneme/plugin`: all that a plugin may have of the kernel, for the built-in plugins and for third parties alike.
 * Anything else may change in any release. Contracts of the built-in plugins are at `mneme/plugin/<id>`.
 */

// The manifest, and what `setup` gets and hands back.

export {
  type Chore,
  definePlugin,
  type HealthCheck,
  type HealthDetails,
  type PermissionGroup,
  PLUGIN_API_VERSION,
  type Plugin,
  type PluginContext,
  type PluginParts,
} from './plugin.ts'

// Settings. `ConfigError`, thrown in `setup`, tells what shows only there, and `checkConfig` all else.

export { ConfigError, type ConfigFault } from './config.ts'

// Schemas: TypeBox's builder, and kinds of values with the service's own messages.

export { type Static, type TArray, type TObject, type TProperties, type TSchema, Type } from '@sinclair/typebox'
// Uploads and downloads, and files in Postgres.
export {
  FileMissingError,
  type FilePieces,
  type FilePiecesOptions,
  type FileRange,
  filePieces,
} from './files/file-pieces.ts'
export {
  contentTypeOf,
  type Download,
  type DownloadDescription,
  type DownloadRange,
  type DownloadSource,
  download,
  fileDownload,
} from './http/download.ts'
export {
  envelope,
  type PageQuery,
  type PageWindow,
  pageOf,
  pageParameters,
  pageQuery,
  windowOf,
} from './http/paging.ts'
export { MB } from './http/sizes.ts'
export { type DateUnit, dateUnit, EARLIEST, parseInstant } from './http/time.ts'
export {
  byteStream,
  type FileRule,
  type FileRules,
  type Form,
  type FormStream,
  form,
  formStream,
  type IncomingFile,
  type UploadedFile,
} from './http/upload.ts'
export { compileValidator, instant, oneOf, text, uuid, type Validator } from './http/validation.ts'
// Routes, their responses, and what they relay to others.

export {
  type Access,
  accepted,
  created,
  multiStatus,
  noContent,
  ok,
  type Relay,
  type RelayedRequest,
  type RelayedResponse,
  type Route,
  type RouteAdditions,
  type RouteDefinition,
  type RouteInput,
  type RouteResponse,
  routesOf,
} from './http/route.ts'
export { type RouteCatalogue, type RouteDescription, type RouteField, routeCatalogue } from './http/route-catalogue.ts'
export { type BodyCheck, type CheckInput, checkFaults, type RouteCheck } from './http/route-check.ts'
export type { NamedRow, RouteSubject } from './http/subject.ts'

// Pages, and the console's menu.

export {
  type ConsolePage,
  consolePages,
  type VisibleConsolePage,
  visibleConsolePages,
} from './pages/console-pages.ts'
export type { PageFolder } from './pages/page-folder.ts'

// Errors that routes answer with.

export {
  AppError,
  type AppErrorOptions,
  clipped,
  type ErrorBody,
  type ErrorDetail,
  type ErrorRegistry,
  errorBody,
  fail,
  failWith,
  validationError,
} from './errors.ts'

// Callers and workspaces. The kernel provides these ports; `administration` only to a plugin that lists it in `uses`.

export { type Administration, administration } from './auth/administration.ts'
export type { Caller, QuotaLimits, StoredSettings, Subject, Tenant, Workspace } from './auth/caller.ts'
export { ACCESS_TOKEN_PREFIX, type FindConsent, ROLES, type Role } from './auth/caller.ts'
export { type PasswordConfirmation, passwordConfirmation } from './auth/confirm-password.ts'
export type { KeyRecord } from './auth/control/keys.ts'
export type { WorkspaceRecord } from './auth/control/workspaces.ts'
export type { TenantDirectory } from './auth/directory.ts'
export { PASSWORD_LENGTH_MAX, PASSWORD_LENGTH_MIN } from './auth/password.ts'
export { type PermissionCatalogue, permissionCatalogue } from './auth/permissions.ts'
export { isAtLeast } from './auth/roles.ts'

// Plans: what they include and limit, and the settings that workspaces have.

export { hasFeature, requireFeature } from './auth/features.ts'
export { PLAN_NAMES, type PlanFeature, type PlanLimits } from './auth/plans.ts'
export { defineSetting, type SettingAccess, type WorkspaceSetting } from './auth/settings.ts'
export { type SettingsCatalogue, settingsCatalogue } from './auth/settings-catalogue.ts'
export type { QuotaDefinition, QuotaHolder } from './usage/quota.ts'
export type { QuotaState, Quotas } from './usage/quotas.ts'

// The database, literals that its statements bind, and erasure from responses that are kept for repeated requests.

export {
  type Database,
  type Fragment,
  isContended,
  isUnavailable,
  type Tx,
  violatedConstraint,
  workspaceOf,
} from './db/database.ts'
export { plainArray, textArray, vectorLiteral } from './db/literals.ts'
export { inStatementTime } from './db/statement-time.ts'
export { isBusy } from './db/turns.ts'
export { forgetResponses } from './http/idempotency.ts'
export type { Quarantine, Sweep, SweepOutcome } from './quarantine/quarantine.ts'
export { BoundedCache, type BoundedCacheOptions } from './resources/bounded-cache.ts'
export { type Holding, held } from './resources/holdings.ts'

// Events and jobs.

export {
  type ActorNames,
  actorNames,
  type EventFilter,
  type EventLog,
  eventLog,
  type HourCount,
} from './events/event-log.ts'
export {
  defineEvent,
  type EventDefinition,
  type EventKind,
  type EventOfSchema,
  type EventPublisher,
  type EventRecorder,
  type Events,
  type NewEvent,
  PUBLIC_EVENTS,
  type PublishedEvent,
  type StoredEvent,
  type Subscription,
} from './events/events.ts'
export { type SubscriptionDefinition, subscriptionsOf } from './events/subscribe.ts'
export {
  type Backlog,
  type BacklogRows,
  type BacklogSource,
  backlogOf,
  backlogSources,
  readBacklogs,
} from './jobs/backlog.ts'
export type { Backoff } from './jobs/backoff.ts'
export type { JobClock } from './jobs/clock.ts'
export { type HoldingOptions, holding, LeaseLostError } from './jobs/holding.ts'
export {
  type Claim,
  type LeasedWork,
  type LeasedWorkOptions,
  leasedWork,
  type Postponement,
} from './jobs/leased-work.ts'
export { queueAgain, unqueue } from './jobs/queue-work.ts'
export {
  type CronEntry,
  type JobLimit,
  type JobQueue,
  type NewJob,
  type Snooze,
  snoozeFor,
  type Task,
  type TaskDefinition,
  type TaskInput,
  tasksOf,
} from './jobs/task.ts'
export { TimeLimitError } from './jobs/time-limit.ts'

// Values that only the plugin may read back.

export {
  type SealedColumn,
  type SealedPlace,
  SecretError,
  type SecretErrorCode,
  type Secrets,
} from './secrets/secrets.ts'

// HTTP to addresses that users give.

export { OutgoingError, type OutgoingErrorCode } from './outgoing/outgoing-error.ts'
export type {
  OutgoingHttp,
  OutgoingMethod,
  OutgoingOptions,
  OutgoingResponse,
  OutgoingTimings,
} from './outgoing/outgoing-http.ts'
export { urlRefusal } from './outgoing/target.ts'

// Services that may be away.

export { Circuit, type CircuitOptions } from './fair/circuit.ts'

// Retention: how long rows are kept.

export type { Removal, RemovalInput, Retention } from './retention/retention.ts'

// Persons: what of them is in which tables, and its erasure.

export {
  addCounts,
  type DataSubjects,
  dataSubjects,
  lockSubject,
  type RowCounts,
  type SubjectParts,
  type SubjectRows,
} from './subjects/subjects.ts'

// Long computing that must not hold up requests, and waits that end.

export { letOthersIn, paced } from './background/pace.ts'
export { Portion } from './background/portion.ts'
export type { Background } from './background/precedence.ts'
export { finish, type Steps } from './background/steps.ts'
export { coerced, listOf } from './coercion.ts'
export { DAY_MS, HOUR_MS } from './durations.ts'
export { failureReason, messageOf } from './failure-reason.ts'
export { inTime } from './in-time.ts'
export { inParts, splitList } from './parts.ts'
export { isStorableText, storableFileName, storableText } from './storable-text.ts'

// Ports and extension points, which connect plugins.

export {
  bind,
  type Contribution,
  type ContributionFault,
  defineExtensionPoint,
  definePort,
  type Extension,
  type ExtensionPoint,
  extend,
  type Port,
  type PortBinding,
  type Wiring,
} from './ports.ts'

// Natural language: the one place that reads words and sentences.

export * from 'text-reader'

// Models, and what helps with their input and output.

export type { EmbedderOrigin, EmbedderSource } from './models/embedder.ts'
export {
  type EmbeddedPassage,
  type Embedder,
  type EmbedderInfo,
  EmbedderInputError,
  EmbedderUnavailableError,
  type Embedding,
  type EmbedOptions,
  type OpenEmbedder,
} from './models/embedder.ts'
export { inHalves } from './models/language/halving.ts'
export {
  type GenerateRequest,
  type LanguageModel,
  LanguageModelOutputError,
  LanguageModelUnavailableError,
} from './models/language/language-model.ts'
export { RERANK_TEXT_CHARS_MAX, type Reranker, RerankerUnavailableError } from './models/rerank/reranker.ts'
export { unitVector } from './models/unit-vector.ts'

// Operation: logs, metrics, usage, commands.

export { Counter, Gauge, Histogram, type Registry } from 'prom-client'
export type { Command, CommandInput, StandaloneCommand } from './command.ts'
export type { Logger } from './log.ts'
export type { MonthUsage, UsageMeter } from './usage/usage.ts'
export { type UsageHour, type UsageLog, usageLog, type WorkspaceUse } from './usage/usage-log.ts'

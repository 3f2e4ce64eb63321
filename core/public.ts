/**
 * This is the public entry `mneme/plugin`: all that a plugin may have of the kernel, for the built-in plugins and for third parties alike.
 * Anything else may change in any release. Contracts of the built-in plugins are at `mneme/plugin/<id>`.
 */

// The manifest, and what `setup` gets and hands back.

export {
  type Chore,
  definePlugin,
  type HealthCheck,
  type PermissionGroup,
  PLUGIN_API_VERSION,
  type Plugin,
  type PluginContext,
} from './plugin.ts'

// Settings. `ConfigError`, thrown in `setup`, tells what shows only there, and `checkConfig` all else.

export { ConfigError, type ConfigFault } from './config.ts'

// Schemas: TypeBox's builder, and kinds of values with the service's own messages.

export { type Static, type TObject, type TProperties, type TSchema, Type } from '@sinclair/typebox'
// Uploads and downloads, and files in Postgres.
export { FileMissingError, type FilePieces, filePieces } from './files/file-pieces.ts'
export { contentTypeOf, type Download, download, fileDownload } from './http/download.ts'
export { envelope, type PageWindow, pageOf, pageParameters, pageQuery, windowOf } from './http/paging.ts'
export { MB } from './http/sizes.ts'
export { dateUnit, EARLIEST, parseInstant } from './http/time.ts'
export { type FileRule, type FileRules, type Form, form, formStream, type UploadedFile } from './http/upload.ts'
export { compileValidator, instant, oneOf, text, uuid, type Validator } from './http/validation.ts'
// Routes, their responses, and what they relay to others.

export {
  accepted,
  created,
  multiStatus,
  noContent,
  ok,
  type Relay,
  type RelayedRequest,
  type RelayedResponse,
  type Route,
  type RouteResponse,
  routesOf,
} from './http/route.ts'
export { type RouteCatalogue, type RouteDescription, type RouteField, routeCatalogue } from './http/route-catalogue.ts'
export { type BodyCheck, checkFaults, type RouteCheck } from './http/route-check.ts'
export type { NamedRow } from './http/subject.ts'

// Pages, and the console's menu.

export { type ConsolePage, consolePages, type VisibleConsolePage, visibleConsolePages } from './pages/console-pages.ts'

// Errors that routes answer with.

export {
  AppError,
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
export type { Caller, Subject, Tenant, Workspace } from './auth/caller.ts'
export { ACCESS_TOKEN_PREFIX, type FindConsent, ROLES, type Role } from './auth/caller.ts'
export { passwordConfirmation } from './auth/confirm-password.ts'
export type { KeyRecord } from './auth/control/keys.ts'
export type { WorkspaceRecord } from './auth/control/workspaces.ts'
export type { TenantDirectory } from './auth/directory.ts'
export { PASSWORD_LENGTH_MAX, PASSWORD_LENGTH_MIN } from './auth/password.ts'
export { type PermissionCatalogue, permissionCatalogue } from './auth/permissions.ts'
export { isAtLeast } from './auth/roles.ts'

// Plans: what they include and limit, and the settings that workspaces have.

export { hasFeature, requireFeature } from './auth/features.ts'
export { PLAN_NAMES } from './auth/plans.ts'
export { defineSetting, type WorkspaceSetting } from './auth/settings.ts'
export { settingsCatalogue } from './auth/settings-catalogue.ts'
export type { QuotaDefinition } from './usage/quota.ts'
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
export { insertRows } from './db/insert-rows.ts'
export { plainArray, textArray, vectorLiteral } from './db/literals.ts'
export { inStatementTime } from './db/statement-time.ts'
export { isBusy } from './db/turns.ts'
export { forgetResponses } from './http/idempotency.ts'
export type { Quarantine, Sweep } from './quarantine/quarantine.ts'
export { BoundedCache } from './resources/bounded-cache.ts'
export { type Holding, held } from './resources/holdings.ts'

// Events and jobs.

export { actorNames, type EventFilter, eventLog } from './events/event-log.ts'
export {
  defineEvent,
  type EventDefinition,
  type EventKind,
  type EventPublisher,
  type EventRecorder,
  type Events,
  type NewEvent,
  PUBLIC_EVENTS,
  type PublishedEvent,
  type StoredEvent,
  type Subscription,
} from './events/events.ts'
export { subscriptionsOf } from './events/subscribe.ts'
export { type Backlog, backlogOf, backlogSources, readBacklogs } from './jobs/backlog.ts'
export { holding, LeaseLostError } from './jobs/holding.ts'
export { type Claim, type LeasedWork, type LeasedWorkOptions, leasedWork } from './jobs/leased-work.ts'
export {
  type JobClock,
  type JobQueue,
  type NewJob,
  type Snooze,
  snoozeFor,
  type Task,
  type TaskInput,
  tasksOf,
} from './jobs/task.ts'
export { TimeLimitError } from './jobs/time-limit.ts'
export { queueAgain, unqueue } from './jobs/work-contract.ts'

// Values that only the plugin may read back.

export { type SealedColumn, SecretError, type Secrets } from './secrets/secrets.ts'

// HTTP to addresses that users give.

export { OutgoingError } from './outgoing/outgoing-error.ts'
export type { OutgoingHttp, OutgoingOptions, OutgoingResponse } from './outgoing/outgoing-http.ts'
export { urlRefusal } from './outgoing/target.ts'

// Services that may be away.

export { Circuit } from './fair/circuit.ts'

// Retention: how long rows are kept.

export type { Removal, Retention } from './retention/retention.ts'

// Persons: what of them is in which tables, and its erasure.

export { addCounts, dataSubjects, lockSubject, type RowCounts, type SubjectRows } from './subjects/subjects.ts'

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
  extend,
  type Port,
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
export { type UsageLog, usageLog } from './usage/usage-log.ts'

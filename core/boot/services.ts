import { memoryUsage } from 'node:process'
import { createAuthenticator } from '../auth/authenticate.ts'
import { createClientAddress } from '../auth/client-address.ts'
import { isInvited } from '../auth/control/members.ts'
import { oidcOf } from '../auth/oidc-settings.ts'
import { createPasswordGuard } from '../auth/password-guard.ts'
import { createSessions } from '../auth/sessions.ts'
import { createTenantDirectory } from '../auth/tenant-directory.ts'
import { Precedence } from '../background/precedence.ts'
import { systemClock } from '../clock.ts'
import { basePathOf, type CoreConfig } from '../config.ts'
import type { Database, OpenDatabase } from '../db/database.ts'
import { addDatabaseMetrics } from '../db/database-metrics.ts'
import type { Storage } from '../db/storage.ts'
import { systemTurnsOf, TransactionTurns, turnsOf } from '../db/turns.ts'
import { controlPlane, withTurns } from '../db/with-turns.ts'
import { measureSemaphores } from '../fair/semaphore.ts'
import { createIdempotency } from '../http/idempotency.ts'
import { createRateLimiter } from '../http/rate-limit.ts'
import { createShares, sharesOf } from '../http/shares.ts'
import { measured, Transfers } from '../http/transfers.ts'
import type { Logger } from '../log.ts'
import { createMetrics, type Metrics } from '../metrics.ts'
import type { OpenEmbedder } from '../models/embedder.ts'
import { createLanguageModel, type LanguageModelSettings } from '../models/language/create-language-model.ts'
import { type DailyTokensParts, withDailyTokens } from '../models/language/daily-tokens.ts'
import type { LanguageModelParts, OpenLanguageModel } from '../models/language/language-model.ts'
import { createHttpReranker } from '../models/rerank/http-reranker.ts'
import { noReranker, type Reranker } from '../models/rerank/reranker.ts'
import { createOutgoingClient, type OutgoingClient } from '../outgoing/client.ts'
import type { Network } from '../outgoing/network.ts'
import { splitList } from '../parts.ts'
import { createQuarantine } from '../quarantine/quarantine.ts'
import { memoryLimit } from '../resources/memory-limit.ts'
import { MemoryWatch, type ProcessMemory } from '../resources/memory-watch.ts'
import type { KeyRing } from '../secrets/key-ring.ts'
import { createKeyWatch } from '../secrets/key-watch.ts'
import {
  observedEmbedder,
  observedLanguage,
  observedOutgoing,
  observedReranker,
  type Watch,
} from '../tracing/observed.ts'
import { tracedDatabase } from '../tracing/traced.ts'
import type { Tracing } from '../tracing/tracing.ts'
import { createQuotas } from '../usage/quotas.ts'
import type { UsageMeter } from '../usage/usage.ts'
import { createUsageMeter } from '../usage/usage-meter.ts'
import { createEmbedderSource } from './embedder.ts'
import type { Entitlements } from './entitlements.ts'

export type Services = Awaited<ReturnType<typeof createServices>>

export interface ServiceParts {
  readonly config: CoreConfig
  readonly storage: Storage
  readonly embedder: OpenEmbedder
  readonly keys: KeyRing
  readonly entitlements: Entitlements
  readonly log: Logger
  /** Stands between outgoing HTTP and the world, for tests. */
  readonly network?: Partial<Network>
  /** For tests: the bytes that the process has. */
  readonly memory?: ProcessMemory | undefined
}

/** Everything the kernel keeps beside the plugins, made once per process. */
export async function createServices(parts: ServiceParts) {
  const { config, storage, keys, entitlements, log } = parts
  const metrics = createMetrics()
  const watch = { tracing: await openTracing(config, log), registry: metrics.registry }
  const { database, control, shares } = shareOut(tracedDatabase(watch.tracing, storage.database), parts, metrics)
  const publicUrl = config.PUBLIC_URL
  const clientAddress = createClientAddress(splitList(config.TRUSTED_PROXIES), address =>
    log.warn(
      { address },
      'requests come with X-Forwarded-For from an address that TRUSTED_PROXIES does not list: if it is a proxy, all of its clients count as one',
    ),
  )
  const passwordGuard = createPasswordGuard({ database: control })
  const sessions = openSessions(parts, { database: control, guard: passwordGuard, clientAddress })
  const directory = createTenantDirectory({ database: control, plans: entitlements.plans })
  const quarantine = createQuarantine({ database, log, registry: metrics.registry })
  const usage = createUsageMeter({ database })
  const transfers = measured(new Transfers(), metrics.registry)
  return {
    config,
    memory: watchMemory(parts, metrics, transfers),
    quarantine,
    storage,
    database,
    control,
    tracing: watch.tracing,
    embedder: observedEmbedder(watch, parts.embedder),
    embedders: createEmbedderSource(config, log),
    ...(await openModels(parts, usage, watch, { database, find: directory.find })),
    log,
    keys,
    keyWatch: createKeyWatch(database, keys, log),
    sessions,
    clientAddress,
    passwordGuard,
    directory,
    usage,
    ...createLimiters(config, control),
    metrics,
    outgoing: watchedOutgoing(parts, watch),
    authenticator: createAuthenticator({
      database: control,
      sessions,
      clientAddress,
      ...(publicUrl ? { publicUrl } : {}),
    }),
    idempotency: createIdempotency({ database }),
    quotas: createQuotas({ definitions: entitlements.quotas, plans: entitlements.plans, database, meter: usage }),
    settings: entitlements.settings,
    transfers,
    shares,
    background: new Precedence(),
  }
}

function openSessions(
  { config, storage: { pool }, keys, log }: ServiceParts,
  shared: Pick<Parameters<typeof createSessions>[0], 'database' | 'guard' | 'clientAddress'>,
) {
  // Sessions are of one key: with another one everyone signs in again.
  const secret = keys.current.derive('sessions')
  const publicUrl = config.PUBLIC_URL
  const provider = oidcOf(config, basePathOf(config))
  const oidc = provider && {
    ...provider,
    isInvited: (email: string) => shared.database.system(tx => isInvited(tx, email)),
  }
  const passwordSignIn = config.PASSWORD_SIGN_IN === 'on'
  return createSessions({
    ...shared,
    pool,
    secret,
    log,
    passwordSignIn,
    ...(publicUrl ? { publicUrl } : {}),
    ...(oidc ? { oidc } : {}),
  })
}

async function openModels({ config, log }: ServiceParts, usage: UsageMeter, watch: Watch, limits: DailyTokensParts) {
  const model = await openLanguageModel(config, { usage, log })
  return {
    language: withDailyTokens(observedLanguage(watch, model), limits),
    reranker: observedReranker(watch, createReranker(config, log)),
  }
}

function watchedOutgoing({ config, network = {} }: ServiceParts, watch: Watch): OutgoingClient {
  const { ALLOW_PRIVATE_NETWORKS: allowPrivateNetworks, OUTGOING_PROXY: proxy } = config
  const reached = proxy === undefined ? network : { proxy: new URL(proxy), ...network }
  return observedOutgoing(watch, createOutgoingClient({ allowPrivateNetworks, network: reached }))
}

/** Uploads that lie in a tmpfs count towards the same limit of a container. */
function watchMemory(
  { config, log, memory, storage }: ServiceParts,
  { registry }: Metrics,
  transfers: Transfers,
): MemoryWatch {
  const limit = memoryLimit(config.MEMORY_LIMIT_MB)
  const read = () => memoryUsage.rss() + transfers.filesInMemory
  const collectElsewhere = () => storage.collectGarbage?.()
  return new MemoryWatch({ limit, log, registry, read, collectElsewhere, ...memory })
}

/** The database, in which workspaces take turns, and what requests may have of this process. */
function shareOut(opened: OpenDatabase, { storage, config }: ServiceParts, { registry }: Metrics) {
  const turns = {
    workspaces: new TransactionTurns(turnsOf(storage.kind, config.DATABASE_POOL), systemClock),
    system: new TransactionTurns(systemTurnsOf(config.DATABASE_POOL), systemClock),
  }
  const database = withTurns(opened, turns)
  const shares = createShares(sharesOf(storage.kind), systemClock)
  addDatabaseMetrics(registry, database)
  measureSemaphores(registry, {
    ...shares.permits,
    transaction: turns.workspaces.permits,
    system: turns.system.permits,
  })
  return { database, control: controlPlane(database), shares }
}

/** They count apart, so that a flood from many addresses cannot push out the counts of keys. */
function createLimiters({ RATE_LIMIT, ANONYMOUS_RATE_LIMIT }: CoreConfig, database: Database) {
  if (RATE_LIMIT === 'off') return { limiter: undefined, anonymousLimiter: undefined }
  const limiter = createRateLimiter({ limit: RATE_LIMIT, database })
  if (ANONYMOUS_RATE_LIMIT === 'off') return { limiter, anonymousLimiter: undefined }
  return { limiter, anonymousLimiter: createRateLimiter({ limit: ANONYMOUS_RATE_LIMIT, database }) }
}

/**
 * Makes the reranker that the settings name. Nothing is sent before the first call.
 * @throws Error in a sentence for an operator when a setting cannot work
 */
function createReranker(config: CoreConfig, log: Pick<Logger, 'info' | 'warn'>): Reranker {
  const { RERANK_URL: url, RERANK_MODEL: model, RERANK_API_KEY: apiKey } = config
  if (!url) return noReranker
  return createHttpReranker({ url, ...(model ? { model } : {}), ...(apiKey ? { apiKey } : {}) }, log)
}

/** Opens tracing where a collector is named; without one the SDK is not even loaded. */
async function openTracing(config: CoreConfig, log: Logger): Promise<Tracing | undefined> {
  const endpoint = config.OTEL_EXPORTER_OTLP_ENDPOINT
  if (!endpoint) return undefined
  const tracing = await import('../tracing/tracing.ts')
  return tracing.openTracing({
    endpoint,
    serviceName: config.OTEL_SERVICE_NAME,
    share: config.OTEL_TRACES_SAMPLER_ARG,
    headers: config.OTEL_EXPORTER_OTLP_HEADERS ?? '',
    log,
  })
}

/** Opens the language model that the settings name. Nothing is sent before the first call. */
export function openLanguageModel(config: CoreConfig, parts: LanguageModelParts): Promise<OpenLanguageModel> {
  return createLanguageModel(settingsOf(config), parts)
}

function settingsOf(config: CoreConfig): LanguageModelSettings {
  const { LANGUAGE_MODEL_CONCURRENCY: concurrency } = config
  // A key is often in the environment for another program, so it is no consent to send texts.
  const kind = config.LANGUAGE_MODEL ?? 'none'
  if (kind === 'none') return { kind }
  if (kind === 'claude') {
    const { ANTHROPIC_API_KEY: apiKey = '', ANTHROPIC_BASE_URL: url, ANTHROPIC_MODEL: model } = config
    return { kind, apiKey, model, concurrency, ...(url ? { url } : {}) }
  }
  const { LANGUAGE_MODEL_URL: url = '', LANGUAGE_MODEL_NAME: model = '', LANGUAGE_MODEL_API_KEY: apiKey } = config
  return { kind, url, model, concurrency, ...(apiKey ? { apiKey } : {}) }
}

import { createAuthenticator } from '../auth/authenticate.ts'
import { createClientAddress } from '../auth/client-address.ts'
import { createPasswordGuard } from '../auth/password-guard.ts'
import { createSessions } from '../auth/sessions.ts'
import { createTenantDirectory } from '../auth/tenant-directory.ts'
import { Precedence } from '../background.ts'
import { type CoreConfig, splitList } from '../config.ts'
import type { Storage } from '../db/storage.ts'
import { createIdempotency } from '../http/idempotency.ts'
import { createRateLimiter } from '../http/rate-limit.ts'
import { Transfers } from '../http/transfers.ts'
import type { Logger } from '../log.ts'
import { createMetrics } from '../metrics.ts'
import type { OpenEmbedder } from '../models/embedder.ts'
import { withDailyTokens } from '../models/language/daily-tokens.ts'
import { createOutgoingClient } from '../outgoing/client.ts'
import type { Network } from '../outgoing/network.ts'
import { withMetrics } from '../outgoing/outgoing-metrics.ts'
import { createQuotas } from '../quotas.ts'
import type { KeyRing } from '../secrets/key-ring.ts'
import { createKeyWatch } from '../secrets/key-watch.ts'
import { createUsageMeter } from '../usage-meter.ts'
import { createEmbedderSource } from './embedder.ts'
import type { Entitlements } from './entitlements.ts'
import { openLanguageModel } from './language.ts'

export type Services = Awaited<ReturnType<typeof createServices>>

export interface ServiceParts {
  readonly config: CoreConfig
  readonly storage: Storage
  readonly embedder: OpenEmbedder
  readonly keys: KeyRing
  readonly entitlements: Entitlements
  readonly log: Logger
  /** What lies between outgoing HTTP and the world, for tests. */
  readonly network?: Partial<Network>
}

/** Everything the kernel keeps beside the plugins, made once per process. */
export async function createServices(parts: ServiceParts) {
  const { config, storage, embedder, keys, entitlements, log, network = {} } = parts
  const { database, pool } = storage
  const metrics = createMetrics()
  const outgoing = createOutgoingClient({ allowPrivateNetworks: config.ALLOW_PRIVATE_NETWORKS, network })
  const publicUrl = config.PUBLIC_URL
  const clientAddress = createClientAddress(splitList(config.TRUSTED_PROXIES))
  const passwordGuard = createPasswordGuard({ database })
  const sessions = createSessions({
    database,
    guard: passwordGuard,
    clientAddress,
    pool,
    // Sessions are of one key: with another one everyone signs in again.
    secret: keys.current.derive('sessions'),
    log,
    ...(publicUrl ? { publicUrl } : {}),
  })
  const directory = createTenantDirectory({ database, plans: entitlements.plans })
  const usage = createUsageMeter({ database })
  const limiter = config.RATE_LIMIT === 'off' ? undefined : createRateLimiter({ limit: config.RATE_LIMIT, database })
  return {
    config,
    storage,
    database,
    embedder,
    embedders: createEmbedderSource(config, log),
    language: withDailyTokens(await openLanguageModel(config, { usage, log }), { database, find: directory.find }),
    log,
    keys,
    keyWatch: createKeyWatch(database, keys, log),
    sessions,
    clientAddress,
    passwordGuard,
    directory,
    usage,
    limiter,
    metrics,
    outgoing: withMetrics(outgoing, metrics.registry),
    authenticator: createAuthenticator({ database, sessions, ...(publicUrl ? { publicUrl } : {}) }),
    idempotency: createIdempotency({ database }),
    quotas: createQuotas({ definitions: entitlements.quotas, plans: entitlements.plans, database, meter: usage }),
    settings: entitlements.settings,
    transfers: new Transfers(),
    background: new Precedence(),
  }
}

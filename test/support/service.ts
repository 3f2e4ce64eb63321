import type { Database } from '../../core/db/database.ts'
import type { Kernel } from '../../core/kernel.ts'
import type { Network } from '../../core/outgoing/network.ts'
import type { AnyPlugin } from '../../core/plugin.ts'
import type { ProcessMemory } from '../../core/resources/memory-watch.ts'
import type { AccountOptions, TestAccount } from '../kit/accounts.ts'
import type { Client } from '../kit/client.ts'
import { oncePerRun, onEnd } from './closing.ts'
import { databaseUrl, ownDatabaseUrl } from './database.ts'

export type { KeyOptions, TestAccount } from '../kit/accounts.ts'

/** A running service in this process, on the run's database. */
export interface TestService {
  readonly kernel: Kernel
  readonly database: Database
  /** Sends a request without any credentials. */
  readonly anonymous: Client
  /** Makes an account with a workspace of its own; nothing else is in it. */
  account(options?: AccountOptions): Promise<TestAccount>
}

/** All tests share this service. Use {@link startService} where a test needs other settings. */
export function service(): Promise<TestService> {
  return oncePerRun('service', () => startService())
}

/**
 * Starts a service that runs no jobs, on a database of its own. For tests of jobs that look at every workspace there
 * is, or of what such jobs would change: the shared service runs them each minute, and would come first now and then.
 */
export function idleService(): Promise<TestService> {
  return oncePerRun('idle-service', async () => startService({ WORKERS: 'none' }, { url: await ownDatabaseUrl() }))
}

/** Starts a further service on the run's database, stopped at the end of the run. */
export async function startService(
  environment: Record<string, string> = {},
  options: {
    builtIn?: readonly AnyPlugin[]
    thirdParty?: readonly AnyPlugin[]
    network?: Partial<Network>
    memory?: ProcessMemory
    url?: string
  } = {},
): Promise<TestService> {
  const { url = await databaseUrl(), ...plugins } = options
  const settings = { LOG_LEVEL: process.env.TEST_LOG_LEVEL ?? 'silent', ...environment }
  // Files of one process share the service; only the one that starts it has to load the product.
  const { runService } = await import('../kit/service.ts')
  const { kernel, anonymous, accounts, stop } = await runService(url, settings, plugins)
  onEnd(stop)
  return { kernel: { ...kernel, stop }, anonymous, database: accounts.database, account: accounts.make }
}

import type { Database } from '../../core/db/database.ts'
import { type Kernel, startKernel } from '../../core/kernel.ts'
import type { AnyPlugin } from '../../core/plugin.ts'
import { builtInPlugins } from '../../server/plugins.ts'
import { type AccountOptions, ENCRYPTION_KEY, openAccounts, type TestAccount } from './accounts.ts'
import { Client } from './client.ts'
import { oncePerRun, onEnd } from './closing.ts'
import { databaseUrl, ownDatabaseUrl } from './database.ts'

export type { KeyOptions, TestAccount } from './accounts.ts'

/** A running service in this process, on the run's database. */
export interface TestService {
  readonly kernel: Kernel
  readonly database: Database
  /** Sends a request without any credentials. */
  readonly anonymous: Client
  /** A new account with a workspace of its own; nothing else is in it. */
  account(options?: AccountOptions): Promise<TestAccount>
}

/** The service all tests share. Use {@link startService} where a test needs other settings. */
export function service(): Promise<TestService> {
  return oncePerRun('service', () => startService())
}

/**
 * A service that runs no jobs, on a database of its own. For tests of jobs that look at every workspace there is, or of what such jobs
 * would change: the shared service runs them each minute, and would come first now and then.
 */
export function idleService(): Promise<TestService> {
  return oncePerRun('idle-service', async () => startService({ WORKERS: 'none' }, { url: await ownDatabaseUrl() }))
}

/** Starts a further service on the run's database, stopped at the end of the run. */
export async function startService(
  environment: Record<string, string> = {},
  options: { builtIn?: readonly AnyPlugin[]; thirdParty?: readonly AnyPlugin[]; url?: string } = {},
): Promise<TestService> {
  const url = options.url ?? (await databaseUrl())
  const kernel = await startKernel({
    environment: {
      DATABASE_URL: url,
      ENCRYPTION_KEY,
      RATE_LIMIT: 'off',
      LOG_LEVEL: process.env.TEST_LOG_LEVEL ?? 'silent',
      ...environment,
    },
    builtIn: options.builtIn ?? builtInPlugins,
    loadThirdParty: async () => (options.thirdParty ?? []).map(plugin => ({ plugin, origin: `./${plugin.id}.ts` })),
    role: 'server',
    verifyAnswers: true,
    onFatal(error) {
      throw error
    },
  })
  let stopped: Promise<void> | undefined
  const stop = () => {
    stopped ??= kernel.stop()
    return stopped
  }
  const anonymous = new Client(kernel.fetch, {})
  const accounts = openAccounts(url, anonymous)
  onEnd(async () => {
    await stop()
    await accounts.close()
  })
  return { kernel: { ...kernel, stop }, anonymous, database: accounts.database, account: accounts.make }
}

import { outsideTransaction, refuseNestedTransactions } from '../../core/db/database.ts'
import { createJobQueue } from '../../core/jobs/queue.ts'
import { type Kernel, startKernel } from '../../core/kernel.ts'
import type { Network } from '../../core/outgoing/network.ts'
import { type AnyPlugin, eraseTypes, type Plugin } from '../../core/plugin.ts'
import type { Database, NewJob, Wiring } from '../../core/public.ts'
import type { ProcessMemory } from '../../core/resources/memory-watch.ts'
import { PURGE_TASK } from '../../core/retention/housekeeping.ts'
import { builtInPlugins } from '../../server/plugins.ts'
import {
  type AccountOptions,
  type Accounts,
  CHEAP_HASH,
  ENCRYPTION_KEY,
  openAccounts,
  type TestAccount,
} from './accounts.ts'
import { Client } from './client.ts'
import { makeDatabase } from './database.ts'
import { type JobsDoneOptions, jobsDone } from './jobs.ts'

export interface TestServiceOptions {
  /** Loaded beside the built-in plugins, as if `PLUGINS` named them. */
  readonly plugins?: readonly Plugin[]
  /** Settings as environment variables name them; the process's own environment is not read. */
  readonly settings?: Readonly<Record<string, string>>
  /** Names and addresses that outgoing HTTP meets, instead of those of the world. */
  readonly network?: Partial<Network>
}

/** A service in this process, with its plugins, its jobs and a database of its own. */
export interface TestService extends AsyncDisposable {
  /** Sends requests without a key. */
  readonly anonymous: Client
  /** For looking at rows. */
  readonly database: Database
  /** Makes an account with a workspace, or several, that nothing else is in, and a client with a key that may do everything. */
  account(options?: AccountOptions): Promise<TestAccount>
  /** Ports and contributions of all plugins, e.g. for `visibleConsolePages(service.wiring, …)`. */
  readonly wiring: Wiring
  /** Adds a job, e.g. of a task that runs on a schedule. */
  enqueue(job: NewJob): Promise<void>
  /**
   * Resolves when every job that is due has been done, and those that they added: no test needs to sleep.
   * @throws Error with a task's name and its message when a job failed
   */
  jobsDone(options?: JobsDoneOptions): Promise<void>
  /** Removes the rows that are older than their `retention` keeps them, as the kernel does every hour, and waits for all jobs. */
  purge(): Promise<void>
  /** Stops the service and removes its database. */
  stop(): Promise<void>
}

/**
 * Starts the service as a server does, on an embedded database in a temporary folder, or on a new database of the server that
 * TEST_DATABASE_URL names. Responses that do not fit their route's schema become a 500 with the fault in the log, and so do
 * events against theirs.
 */
export async function startTestService(options: TestServiceOptions = {}): Promise<TestService> {
  const { plugins = [], settings = {}, network = {} } = options
  const database = await makeDatabase(process.env.TEST_DATABASE_URL, process.env.MNEME_TEST_TEMPLATE)
  try {
    const running = await runService(
      database.url,
      { LOG_LEVEL: 'error', ...settings },
      { thirdParty: plugins.map(eraseTypes), network },
    )
    const queue = createJobQueue()
    let stopped: Promise<void> | undefined
    const stop = () => {
      stopped ??= running.stop().finally(database.close)
      return stopped
    }
    const enqueue = (job: NewJob) => running.accounts.database.system(tx => queue.enqueue(tx, [job]))
    const done = (wanted?: JobsDoneOptions) => jobsDone(running.accounts.database, wanted)
    return {
      anonymous: running.anonymous,
      database: running.accounts.database,
      account: running.accounts.make,
      wiring: running.kernel.wiring,
      enqueue,
      jobsDone: done,
      purge: () => enqueue({ task: PURGE_TASK, payload: {} }).then(() => done()),
      stop,
      [Symbol.asyncDispose]: stop,
    }
  } catch (error) {
    await database.close()
    throw error
  }
}

export interface RunningService {
  readonly kernel: Kernel
  readonly anonymous: Client
  readonly accounts: Accounts
  stop(): Promise<void>
}

/** Runs a service with given plugins on a database that is there. */
export async function runService(
  url: string,
  settings: Readonly<Record<string, string>>,
  plugins: {
    readonly builtIn?: readonly AnyPlugin[]
    readonly thirdParty?: readonly AnyPlugin[]
    readonly network?: Partial<Network>
    readonly memory?: ProcessMemory
  } = {},
): Promise<RunningService> {
  const { builtIn = builtInPlugins, thirdParty = [], network = {}, memory } = plugins
  refuseNestedTransactions()
  const started = await startKernel({
    environment: { DATABASE_URL: url, ENCRYPTION_KEY, RATE_LIMIT: 'off', ...settings },
    builtIn,
    loadThirdParty: async () => thirdParty.map(plugin => ({ plugin, origin: `./${plugin.id}.ts` })),
    role: 'server',
    verifyResponses: true,
    hashCost: CHEAP_HASH,
    network,
    ...(memory ? { memory } : {}),
    onFatal(error) {
      throw error
    },
  })
  const kernel: Kernel = { ...started, fetch: request => outsideTransaction(() => started.fetch(request)) }
  const anonymous = new Client(kernel.fetch, {})
  const accounts = openAccounts(url, anonymous)
  let stopped: Promise<void> | undefined
  return {
    kernel,
    anonymous,
    accounts,
    stop() {
      stopped ??= kernel.stop().finally(() => accounts.close())
      return stopped
    },
  }
}

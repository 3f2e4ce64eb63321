import { randomUUID } from 'node:crypto'
import type { Workspace } from '../../core/auth/caller.ts'
import { insertKey } from '../../core/auth/control/keys.ts'
import { insertWorkspace } from '../../core/auth/control/workspaces.ts'
import { createSessions } from '../../core/auth/sessions.ts'
import { type Database, openDatabase } from '../../core/db/database.ts'
import { openPgPool } from '../../core/db/pool.ts'
import { type Kernel, startKernel } from '../../core/kernel.ts'
import { createLog } from '../../core/log.ts'
import type { AnyPlugin } from '../../core/plugin.ts'
import { createSecrets } from '../../core/secrets.ts'
import { builtInPlugins } from '../../server/plugins.ts'
import { Client } from './client.ts'
import { oncePerRun, onEnd } from './closing.ts'
import { databaseUrl } from './database.ts'

const ENCRYPTION_KEY = 'a-key-for-tests-only-0123456789abcdef'

/** A running service in this process, on the run's database. */
export interface TestService {
  readonly kernel: Kernel
  readonly database: Database
  /** Sends a request without any credentials. */
  readonly anonymous: Client
  /** A new account with a workspace of its own; nothing else is in it. */
  account(options?: { plan?: Workspace['plan']; workspaces?: number }): Promise<TestAccount>
}

export interface TestAccount {
  readonly accountId: string
  readonly email: string
  readonly password: string
  readonly workspaceId: string
  readonly workspaceIds: readonly string[]
  /** A client with a key of the first workspace that may do everything. */
  readonly client: Client
  /** A client with a key of its own. */
  key(options?: KeyOptions): Promise<Client>
  /** A client with a console session. */
  signIn(): Promise<Client>
}

export interface KeyOptions {
  readonly permissions?: readonly string[]
  readonly mode?: 'live' | 'test'
  readonly workspaceId?: string
  readonly workspaceIds?: readonly string[]
  readonly expiresAt?: Date
}

/** The service all tests share. Use {@link startService} where a test needs other settings. */
export function service(): Promise<TestService> {
  return oncePerRun('service', () => startService())
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
    loadThirdParty: async () => options.thirdParty ?? [],
    role: 'server',
    verifyAnswers: true,
    onFatal(error) {
      throw error
    },
  })
  const log = createLog('silent')
  const database = openDatabase({ url, poolSize: 2 })
  const pool = openPgPool(url, 2, log)
  const sessions = createSessions({ pool, secret: createSecrets(ENCRYPTION_KEY).derive('sessions'), log })
  onEnd(async () => {
    await kernel.stop()
    await Promise.all([database.close(), pool.end()])
  })
  const anonymous = new Client(kernel.fetch, {})
  return {
    kernel,
    database,
    anonymous,
    async account({ plan = 'unlimited', workspaces = 1 } = {}) {
      const email = `${randomUUID()}@example.com`
      const password = `pass-${randomUUID()}`
      const { accountId } = await sessions.createAccount(email, password)
      const workspaceIds = await database.system(async tx => {
        const made: string[] = []
        for (let n = 0; n < workspaces; n++)
          made.push((await insertWorkspace(tx, { accountId, name: `Test ${n + 1}`, plan })).id)
        return made
      })
      const workspaceId = workspaceIds[0] ?? ''
      const key = async (wanted: KeyOptions = {}) => {
        const made = await database.system(tx =>
          insertKey(tx, {
            accountId,
            workspaceId: wanted.workspaceId ?? workspaceId,
            name: 'test',
            mode: wanted.mode ?? 'live',
            permissions: wanted.permissions ?? [],
            allPermissions: wanted.permissions === undefined,
            workspaceIds: wanted.workspaceIds ?? [],
            expiresAt: wanted.expiresAt ?? null,
          }),
        )
        return anonymous.with({ 'x-api-key': made.key })
      }
      return {
        accountId,
        email,
        password,
        workspaceId,
        workspaceIds,
        client: await key(),
        key,
        signIn: () => anonymous.signIn(email, password),
      }
    },
  }
}

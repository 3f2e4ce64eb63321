import { randomInt, randomUUID } from 'node:crypto'
import { createAuthenticator } from '../../core/auth/authenticate.ts'
import { createClientAddress, setPeer } from '../../core/auth/client-address.ts'
import { insertAccount } from '../../core/auth/control/accounts.ts'
import { insertKey, type NewKey } from '../../core/auth/control/keys.ts'
import { insertWorkspace } from '../../core/auth/control/workspaces.ts'
import { createPasswordGuard } from '../../core/auth/password-guard.ts'
import { createPlans } from '../../core/auth/plans.ts'
import { createSessions, type Sessions } from '../../core/auth/sessions.ts'
import { createTenantDirectory } from '../../core/auth/tenant-directory.ts'
import { migrateAll } from '../../core/boot/migrations.ts'
import { selectPlugins } from '../../core/boot/select.ts'
import { openStorage, type Storage } from '../../core/db/storage.ts'
import { createApp } from '../../core/http/app.ts'
import { authRoutes } from '../../core/http/auth-route.ts'
import { createCors } from '../../core/http/cors.ts'
import { mountRoute } from '../../core/http/mount.ts'
import { createLog } from '../../core/log.ts'
import { PASSWORD, passwordHash } from './accounts.ts'
import { oncePerRun, onEnd } from './closing.ts'
import { databaseUrl } from './database.ts'
import { fakeWorld } from './fake-world.ts'

/** Made-up plugins contribute these. */
const PLANS = createPlans({
  features: [
    { name: 'painting', description: 'Paint things.', plans: ['pro', 'scale'] },
    { name: 'glazing', description: 'Glaze things.', plans: ['scale'] },
  ],
  quotas: [],
})
const SECRET = 'a-session-secret-for-tests-0123456789abcdef'

/** Holds accounts, keys and workspaces on a migrated database, without a service around them. */
export interface ControlPlane {
  readonly storage: Storage
  readonly sessions: Sessions
  /** Makes an account with one workspace. */
  account(): Promise<{ accountId: string; workspaceId: string; twinId: string; email: string; password: string }>
  key(key: Pick<NewKey, 'accountId' | 'workspaceId'> & Partial<NewKey>): Promise<{ id: string; key: string }>
  /** Stands for a further server: caches of its own on the same database. */
  server(options?: { publicUrl?: string; now?: () => number }): {
    authenticator: ReturnType<typeof createAuthenticator>
    directory: ReturnType<typeof createTenantDirectory>
    sessions: Sessions
  }
}

export function controlPlane(): Promise<ControlPlane> {
  return oncePerRun('control-plane', async () => openControlPlane(await databaseUrl()))
}

/** Makes the same on a database of its own. */
export async function openControlPlane(url: string): Promise<ControlPlane> {
  const log = createLog('silent')
  const storage = await openStorage({ databaseUrl: url, dataDir: '', poolSize: 6, log, onFatal: () => undefined })
  onEnd(() => storage.close())
  await migrateAll(storage, selectPlugins([], [], []))
  const { database, pool } = storage
  const clientAddress = createClientAddress([])
  const passwordParts = { pool, secret: SECRET, log, database, clientAddress, guard: createPasswordGuard({ database }) }
  const sessions = createSessions(passwordParts)
  return {
    storage,
    sessions,
    async account() {
      const email = `${randomUUID()}@example.com`
      const hash = await passwordHash()
      const { accountId, workspace } = await database.system(async tx => {
        const id = await insertAccount(tx, email, hash)
        return {
          accountId: id,
          workspace: await insertWorkspace(tx, { accountId: id, name: 'Test', plan: 'unlimited' }),
        }
      })
      return { accountId, workspaceId: workspace.id, twinId: workspace.twinId ?? '', email, password: PASSWORD }
    },
    key: key =>
      database.system(tx => insertKey(tx, { name: 'test', mode: 'live', permissions: ['memory.read'], ...key })),
    server(options = {}) {
      const { now } = options
      const ownSessions = createSessions({ ...passwordParts, guard: createPasswordGuard({ database }), ...options })
      return {
        sessions: ownSessions,
        directory: createTenantDirectory({ database, plans: PLANS, ...(now ? { now } : {}) }),
        authenticator: createAuthenticator({ database, sessions: ownSessions, ...options }),
      }
    },
  }
}

/** Returns the error that a piece of work failed with, or undefined when it did not fail. */
export async function failure(work: Promise<unknown>): Promise<Error | undefined> {
  return work.then(
    () => undefined,
    (error: unknown) => (error instanceof Error ? error : new Error(String(error))),
  )
}

/** Makes a request to an account endpoint, from an address of its own, as wrong sign-ins are counted by address. */
export function authRequest(
  path: string,
  body?: unknown,
  { method = 'POST', headers = {} }: { method?: string; headers?: Record<string, string> } = {},
): Request {
  const json = body !== undefined
  const request = new Request(`http://localhost/v1/auth${path}`, {
    method,
    headers: { ...(json ? { 'content-type': 'application/json' } : {}), ...headers },
    body: json ? JSON.stringify(body) : null,
  })
  setPeer(request, `10.${randomInt(256)}.${randomInt(256)}.${randomInt(256)}`)
  return request
}

/** Sends a request to an account endpoint through its route. Throws its refusal. */
export async function askSessions(sessions: Sessions, request: Request): Promise<Response> {
  const parts = fakeWorld({ steps: [] })
  const routes = authRoutes(sessions).map(route =>
    mountRoute(route, { id: 'core', enabled: true, scope: undefined }, parts.wiring),
  )
  let thrown: unknown
  const log = { ...parts.log, error: ({ err }: { err: unknown }) => (thrown = err) }
  const response = await createApp(routes, { ...parts, log } as typeof parts, createCors([]))(request)
  if (response.ok) return response
  const { message, status_code: status, error_code: code, ...rest } = await response.json()
  if (code === 'INTERNAL_ERROR') throw thrown
  throw Object.assign(new Error(message), {
    status,
    code,
    ...rest,
    retryAfterSeconds: Number(response.headers.get('retry-after') ?? 0),
  })
}

/** Signs in and returns what a browser would send as its `Cookie` header. */
export async function cookieOf(sessions: Sessions, email: string, password: string): Promise<string> {
  const response = await askSessions(sessions, authRequest('/sign-in/email', { email, password }))
  return cookiesIn(response)
}

export function cookiesIn(response: Response): string {
  return response.headers
    .getSetCookie()
    .map(cookie => cookie.split(';')[0])
    .join('; ')
}

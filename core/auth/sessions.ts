import { createHash } from 'node:crypto'
import { type Database, isUnavailable } from '../db/database.ts'
import { fail } from '../errors.ts'
import { createLoadingCache } from '../loading-cache.ts'
import type { createBetterAuth, SessionOptions } from './better-auth.ts'
import type { ClientAddress } from './client-address.ts'
import { endOldestSessions, findAccountId } from './control/accounts.ts'
import type { PasswordTry } from './control/password-attempts.ts'
import { consoleOf, OIDC_PROVIDER } from './oidc-settings.ts'
import type { PasswordGuard } from './password-guard.ts'
import { assertSameOrigin } from './same-origin.ts'
import {
  AUTH_PATH,
  CLIENT_ADDRESS_HEADER,
  type SessionPath,
  SIGN_IN_PATH,
  toAppError,
  withoutOwnToken,
} from './session-endpoints.ts'

/** A session that ended on another server may still count as open for so long. */
const CACHE_MS = 4000
const CACHE_SIZE = 5_000

/** An account may be signed in so often at a time: a program that signs in for each request would fill the disk with sessions of a week. */
const SESSIONS_MAX = 100

/** Console sessions of accounts. */
export interface Sessions {
  /** Has the session library serve one of its endpoints, with a body that was checked. Failures are thrown as AppError. */
  serve(endpoint: SessionPath, request: Request, body: unknown): Promise<Response>
  /** Finds the account whose session cookie the request carries. Throws SERVICE_UNAVAILABLE without a database. */
  accountOf(request: Request): Promise<{ accountId: string } | undefined>
  /** Sends a browser to the provider. Throws NOT_FOUND where there is none. */
  signInByProvider(request: Request): Promise<Response>
  /** Takes a browser that comes back from the provider with a query, and sends it to the console: signed in, or with `?error=`. */
  returnFromProvider(request: Request, query: string): Promise<Response>
  /** Tells how accounts sign in here. */
  readonly methods: { readonly password: boolean; readonly oidc: boolean }
}

interface OpenSession {
  readonly accountId: string
  readonly expiresAt: number
}

export interface SessionsOptions extends SessionOptions {
  readonly database: Database
  readonly guard: PasswordGuard
  readonly clientAddress: ClientAddress
  /** False where accounts sign in by a provider alone. */
  readonly passwordSignIn?: boolean
  /** Milliseconds since 1970; tests replace the system clock with it. */
  readonly now?: () => number
}

export function createSessions(options: SessionsOptions): Sessions {
  // The session library takes a quarter of the time of a start to load, and many processes see no session.
  let loading: Promise<ReturnType<typeof createBetterAuth>> | undefined
  const library = () => {
    loading ??= import('./better-auth.ts')
      .then(({ createBetterAuth }) => createBetterAuth(options))
      .catch(error => {
        // A process that is short of memory or open files may load it later.
        loading = undefined
        throw error
      })
    return loading
  }
  const { publicUrl, now, guard, clientAddress, database } = options
  // Cookies are signed, so one without a valid signature is refused without a query, and only signed ones fill the
  // cache.
  const open = createLoadingCache<OpenSession>({
    name: 'auth.sessions',
    max: CACHE_SIZE,
    ttlMs: CACHE_MS,
    ...(now ? { now } : {}),
    load: async cookie => {
      const auth = await library()
      const found = await available(() =>
        auth.api.getSession({ headers: new Headers({ cookie }), query: { disableRefresh: true } }),
      )
      return found ? { accountId: found.user.id, expiresAt: found.session.expiresAt.getTime() } : undefined
    },
  })

  async function cookieOf(
    request: Request,
    kind: 'sessionToken' | 'dontRememberToken' = 'sessionToken',
  ): Promise<string | undefined> {
    const cookies = request.headers.get('cookie')
    if (!cookies) return undefined
    return findCookie(cookies, (await (await library()).$context).authCookies[kind].name)
  }

  async function accountOf(request: Request): Promise<{ accountId: string } | undefined> {
    const cookie = await cookieOf(request)
    const session = cookie && (await open.get(cookie))
    return session && session.expiresAt > (now?.() ?? Date.now()) ? { accountId: session.accountId } : undefined
  }

  /** Returns the account and password that a request tries, or undefined when it tries none. */
  async function passwordTryOf(
    endpoint: SessionPath,
    request: Request,
    body: unknown,
  ): Promise<PasswordTry | undefined> {
    const place = `address ${clientAddress(request)}`
    if (endpoint === SIGN_IN_PATH) {
      const email = String(Reflect.get(Object(body), 'email')).toLowerCase()
      const accountId = await database.system(tx => findAccountId(tx, email))
      // An unknown address is counted as well, so that a lock does not tell which addresses are known.
      return { subject: accountId ?? `no account ${createHash('sha256').update(email).digest('hex')}`, place }
    }
    if (endpoint !== CHANGE_PASSWORD_PATH) return undefined
    const account = await accountOf(request)
    if (!account) throw fail('UNAUTHORIZED', { message: 'Sign in first.' })
    return { subject: account.accountId, place }
  }

  function keepNewest({ subject: accountId, place }: PasswordTry): Promise<void> {
    return database.system(tx => endOldestSessions(tx, accountId, SESSIONS_MAX), { holder: place })
  }

  async function handled(endpoint: SessionPath, request: Request, body: unknown): Promise<Response> {
    const auth = await library()
    // The library reads names of cookies more loosely, so it is handed no cookie that is not read here.
    const cookies = await Promise.all([cookieOf(request), cookieOf(request, 'dontRememberToken')])
    const json = request.method === 'GET' ? undefined : JSON.stringify(body ?? {})
    const given = { cookie: cookies.filter(Boolean).join('; '), body: json, address: clientAddress(request) }
    const answering = () => available(() => auth.handler(inner(request, given, endpoint)))
    const tried = await passwordTryOf(endpoint, request, body)
    if (!tried) return answering()
    const { promise: response, resolve } = Promise.withResolvers<Response>()
    const attempt = guard.attempt(tried, async () => {
      const answered = await answering()
      resolve(answered)
      if (answered.ok || answered.status === WRONG_PASSWORD_STATUS[endpoint]) return answered.ok
      throw new UncheckedError('the password was not checked')
    })
    await attempt.catch(error => {
      if (!(error instanceof UncheckedError)) throw error
    })
    const answered = await response
    if (answered.ok && endpoint === SIGN_IN_PATH) await keepNewest(tried)
    return answered
  }

  const { oidc, passwordSignIn = true } = options

  /** Has the session library serve what a browser asks for by its address bar; only a redirect may come of it. */
  async function redirected(request: Request, path: string, body?: object): Promise<Response> {
    if (!oidc) throw fail('NOT_FOUND')
    const auth = await library()
    const { createAuthCookie } = await auth.$context
    const cookie = findCookie(request.headers.get('cookie') ?? '', createAuthCookie('state').name)
    const given = { cookie: cookie ?? '', body: body && JSON.stringify(body), address: clientAddress(request) }
    const answered = await available(() => auth.handler(inner(request, given, path)))
    if (answered.status >= 400) throw await toAppError(answered)
    const url = answered.headers.get('location') ?? Reflect.get(await answered.json(), 'url')
    const response = new Response(null, {
      status: 302,
      headers: { location: String(url), 'cache-control': 'no-store' },
    })
    for (const set of answered.headers.getSetCookie()) response.headers.append('set-cookie', set)
    return response
  }

  return {
    accountOf,
    methods: { password: passwordSignIn, oidc: oidc !== undefined },
    async signInByProvider(request) {
      if (!oidc) throw fail('NOT_FOUND')
      const place = consoleOf(oidc)
      const body = { provider: OIDC_PROVIDER, callbackURL: place, errorCallbackURL: place }
      return redirected(request, '/sign-in/social', body)
    },
    returnFromProvider: (request, query) => redirected(request, `/callback/${OIDC_PROVIDER}?${query}`),
    async serve(endpoint, request, body) {
      if (!passwordSignIn && endpoint === SIGN_IN_PATH) {
        throw fail('FORBIDDEN', { message: 'Accounts of this service sign in by its provider, not with a password.' })
      }
      assertSameOrigin(request, publicUrl)
      // A sign-out succeeds without a session as well, and strangers must not empty the cache with it.
      const mayChange =
        request.method !== 'GET' && (endpoint === SIGN_IN_PATH || (await accountOf(request)) !== undefined)
      const response = await handled(endpoint, request, body)
      // The library turns some failures of the database into responses of its own and drops their cause.
      if (response.status >= 500) await available(() => options.pool.query('select 1'))
      if (!response.ok) throw await toAppError(response)
      // Changes hold here at once, and on other servers when their caches have expired.
      if (mayChange) open.forgetAll()
      response.headers.set('cache-control', 'no-store')
      return withoutOwnToken(response, endpoint, tokenOf(await cookieOf(request)))
    },
  }
}

/** The session library responded with another failure, which says nothing of the password. */
class UncheckedError extends Error {}

const CHANGE_PASSWORD_PATH = '/change-password'

/** The session library responds so to a wrong password. */
const WRONG_PASSWORD_STATUS: Readonly<Record<string, number>> = { [SIGN_IN_PATH]: 401, [CHANGE_PASSWORD_PATH]: 400 }

/** The session library requires an address; there, clients without a known address count as one. */
const UNKNOWN_ADDRESS = '0.0.0.0'

/** The session library sees path, its cookies, browser, address and the checked body, and nothing else of the client. */
function inner(
  request: Request,
  { cookie, body, address }: { cookie: string; body: string | undefined; address: string },
  path: string,
): Request {
  const headers = new Headers({ 'content-type': 'application/json' })
  const browser = request.headers.get('user-agent')
  if (browser) headers.set('user-agent', browser)
  if (cookie) headers.set('cookie', cookie)
  headers.set(CLIENT_ADDRESS_HEADER, address === 'unknown' ? UNKNOWN_ADDRESS : address.replace('/64', ''))
  return new Request(`http://localhost${AUTH_PATH}${path}`, {
    method: body === undefined ? request.method : 'POST',
    headers,
    ...(body === undefined ? {} : { body }),
  })
}

/** Picks a cookie, as `name=value`, from all cookies. */
function findCookie(header: string, name: string): string | undefined {
  return header
    .split(';')
    .map(cookie => cookie.trim())
    .find(cookie => cookie.startsWith(`${name}=`))
}

/** A cookie is `name=token.signature`; percent-encoding changes nothing before the dot. */
function tokenOf(cookie: string | undefined): string | undefined {
  return cookie?.slice(cookie.indexOf('=') + 1).split('.')[0]
}

/** node-postgres has no codes for these errors. */
const LOST_CONNECTION = /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered)/

/** Turns "the database is away" into the contract's 503, and passes everything else on. */
async function available<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (isUnavailable(error) || saysLost(error))
      throw fail('SERVICE_UNAVAILABLE', { cause: error, retryAfterSeconds: 2 })
    throw error
  }
}

function saysLost(error: unknown): boolean {
  for (let current = error, depth = 0; current instanceof Error && depth < 5; current = current.cause, depth++) {
    if (LOST_CONNECTION.test(current.message)) return true
  }
  return false
}

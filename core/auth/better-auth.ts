import { betterAuth } from 'better-auth'
import { Kysely, PostgresDialect } from 'kysely'
import type pg from 'pg'
import type { Logger } from '../log.ts'
import { hashPassword, matchesHash, PASSWORD_LENGTH_MAX, PASSWORD_LENGTH_MIN } from './password.ts'
import { AUTH_PATH, CLIENT_ADDRESS_HEADER, SIGN_IN_PATH } from './session-endpoints.ts'
import { signIn } from './sign-in.ts'

const DAY_SECONDS = 24 * 60 * 60

export interface SessionOptions {
  pool: pg.Pool
  /** Signs the cookies, and must be the same on every server. */
  secret: string
  /** Users reach the service at this address when a proxy stands before it. With https the cookie is Secure. */
  publicUrl?: string
  log: Logger
}

/**
 * Sets Better Auth up on our tables, for console sessions with e-mail and password and nothing else. Our own handler
 * stands before its endpoints, so its checks of origins and redirects are off: the requests they look at never get
 * here.
 */
export function createBetterAuth({ pool, secret, publicUrl, log }: SessionOptions) {
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) })
  return betterAuth({
    appName: 'Mneme',
    // The URL is set even where it is not known, or the library would take it from the environment or the request.
    baseURL: publicUrl ? new URL(publicUrl).origin : 'http://localhost',
    basePath: AUTH_PATH,
    secret,
    // We name a schema instead of a search_path, because session settings leak between the clients of the embedded
    // database.
    database: { db, type: 'postgres', schemaName: 'core' },
    telemetry: { enabled: false },
    logger: { level: 'warn', log: (level, message) => log[level === 'error' ? 'warn' : 'debug']({ auth: message }) },
    emailAndPassword: {
      enabled: true,
      disableSignUp: true,
      minPasswordLength: PASSWORD_LENGTH_MIN,
      maxPasswordLength: PASSWORD_LENGTH_MAX,
      password: {
        hash: password => hashPassword(password),
        verify: ({ hash, password }) => matchesHash(password, hash),
      },
    },
    plugins: [signIn],
    // Otherwise the library would respond to a lost database with a 500 of its own.
    onAPIError: { throw: true },
    rateLimit: {
      enabled: true,
      storage: 'database',
      ...rateLimitTable,
      window: 60,
      max: 300,
      customRules: {
        // The password guard limits these instead, by counting wrong passwords.
        [SIGN_IN_PATH]: false,
        '/change-password': false,
        // A console reads these all the time, and the signed cookie keeps strangers from their cost.
        '/get-session': false,
        '/list-sessions': false,
      },
    },
    advanced: {
      cookiePrefix: 'mneme',
      useSecureCookies: publicUrl?.startsWith('https:') ?? false,
      defaultCookieAttributes: { httpOnly: true, sameSite: 'strict' },
      disableCSRFCheck: true,
      disableOriginCheck: true,
      ipAddress: { ipAddressHeaders: [CLIENT_ADDRESS_HEADER] },
      database: { generateId: 'uuid', validateSchema: false },
    },
    ...tables,
  })
}

const rateLimitTable = { modelName: 'account_rate_limit', fields: { lastRequest: 'last_request' } }

const times = { createdAt: 'created_at', updatedAt: 'updated_at' }

/** The library's "user" is our account, and its "account" is our account's credential. */
const tables = {
  user: { modelName: 'account', fields: { ...times, emailVerified: 'email_verified' } },
  account: {
    modelName: 'account_credential',
    fields: {
      ...times,
      userId: 'account_id',
      providerId: 'provider_id',
      accountId: 'provider_account_id',
      accessToken: 'access_token',
      refreshToken: 'refresh_token',
      idToken: 'id_token',
      accessTokenExpiresAt: 'access_token_expires_at',
      refreshTokenExpiresAt: 'refresh_token_expires_at',
    },
  },
  session: {
    modelName: 'account_session',
    expiresIn: 7 * DAY_SECONDS,
    updateAge: DAY_SECONDS,
    fields: {
      ...times,
      userId: 'account_id',
      expiresAt: 'expires_at',
      ipAddress: 'ip_address',
      userAgent: 'user_agent',
    },
  },
  verification: { modelName: 'account_verification', fields: { ...times, expiresAt: 'expires_at' } },
}

import type { Static } from '@sinclair/typebox'
import { Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import type { BetterAuthPlugin } from 'better-auth'
import { betterAuth } from 'better-auth'
import { APIError, createAuthEndpoint } from 'better-auth/api'
import { setSessionCookie } from 'better-auth/cookies'
import { genericOAuth } from 'better-auth/plugins/generic-oauth'
import { Kysely, PostgresDialect } from 'kysely'
import type pg from 'pg'
import type { Logger } from '../log.ts'
import { consoleOf, OIDC_PROVIDER, type OidcOptions, oidcCallback } from './oidc-settings.ts'
import { hashPassword, matchesHash, PASSWORD_LENGTH_MAX, PASSWORD_LENGTH_MIN } from './password.ts'
import { AUTH_PATH, CLIENT_ADDRESS_HEADER, SIGN_IN_PATH } from './session-endpoints.ts'

const DAY_SECONDS = 24 * 60 * 60

export interface SessionOptions {
  pool: pg.Pool
  /** Signs the cookies, and must be the same on every server. */
  secret: string
  /** Users reach the service at this address when a proxy stands before it. With https the cookie is Secure. */
  publicUrl?: string
  log: Logger
  /** Sign-in by a provider, beside the one by passwords. */
  oidc?: OidcOptions
}

/**
 * Sets Better Auth up on our tables, for console sessions: with e-mail and password, and by a provider where there is one. Our own handler
 * stands before its endpoints, so its checks of origins and redirects are off: the requests they look at never get
 * here.
 */
export function createBetterAuth({ pool, secret, publicUrl, log, oidc }: SessionOptions) {
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
    plugins: oidc ? [signIn, oidcPlugin(oidc)] : [signIn],
    ...(oidc ? { databaseHooks: { user: { create: { before: newAccountsFor(oidc) } } } } : {}),
    // Otherwise the library would respond to a lost database with a 500 of its own.
    onAPIError: { throw: true, ...(oidc ? { errorURL: consoleOf(oidc) } : {}) },
    rateLimit,
    advanced: {
      cookiePrefix: 'mneme',
      useSecureCookies: publicUrl?.startsWith('https:') ?? false,
      defaultCookieAttributes: { httpOnly: true, sameSite: 'strict' },
      // The provider sends the browser back from another site, and this cookie has to come along.
      cookies: { state: { attributes: { sameSite: 'lax' } } },
      disableCSRFCheck: true,
      disableOriginCheck: true,
      ipAddress: { ipAddressHeaders: [CLIENT_ADDRESS_HEADER] },
      database: { generateId: 'uuid', validateSchema: false },
    },
    ...tables,
  })
}

/** Sets up sign-in by the provider of the settings; its ID tokens are verified by the keys that it publishes. */
function oidcPlugin({ issuer, clientId, clientSecret, address }: OidcOptions) {
  return genericOAuth({
    config: [
      {
        providerId: OIDC_PROVIDER,
        discoveryUrl: `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`,
        clientId,
        clientSecret,
        redirectURI: oidcCallback(address),
        scopes: ['openid', 'email', 'profile'],
        pkce: true,
        requireIdTokenVerification: true,
      },
    ],
  })
}

/** Refuses an account to whoever has none: the domain is not listed, or the provider does not vouch for the address. */
function newAccountsFor({ domains, isInvited }: OidcOptions) {
  return async ({ email, emailVerified }: { email: string; emailVerified: boolean }) => {
    const address = email.toLowerCase()
    const isListed = domains.includes(address.slice(address.lastIndexOf('@') + 1))
    if (emailVerified && (isListed || (await isInvited(address)))) return
    throw new APIError('FORBIDDEN', { code: 'no_account', message: 'Nobody has invited this address.' })
  }
}

const rateLimitTable = { modelName: 'account_rate_limit', fields: { lastRequest: 'last_request' } }

const rateLimit = {
  enabled: true,
  storage: 'database' as const,
  ...rateLimitTable,
  window: 60,
  max: 300,
  customRules: {
    // The password guard limits these instead, by counting wrong passwords.
    [SIGN_IN_PATH]: false as const,
    '/change-password': false as const,
    // Each begins with a row that stays for ten minutes.
    '/sign-in/social': { window: 60, max: 60 },
    // A console reads these all the time, and the signed cookie keeps strangers from their cost.
    '/get-session': false as const,
    '/list-sessions': false as const,
  },
}

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

const signInBody = Type.Object({
  email: Type.String(),
  password: Type.String(),
  rememberMe: Type.Optional(Type.Boolean()),
})

/**
 * Sign-in in place of Better Auth's own, which refuses addresses without a top-level domain: on a private network
 * `admin@localhost` is a fair one. The response leaves the session's token out; it is in the cookie, where scripts cannot
 * read it.
 */
const signIn = {
  id: 'sign-in',
  endpoints: {
    signInEmail: createAuthEndpoint(SIGN_IN_PATH, { method: 'POST' }, async ctx => {
      const { email, password, rememberMe } = parse(ctx.body)
      const found = await ctx.context.internalAdapter.findUserByEmail(email.toLowerCase(), { includeAccounts: true })
      const hash = found?.accounts.find(account => account.providerId === 'credential')?.password
      if (!found || !hash) {
        // This costs as much work as for a known address, so that the time does not tell which ones are known.
        await hashPassword(password)
        throw wrong()
      }
      if (!(await ctx.context.password.verify({ hash, password }))) throw wrong()
      const brief = rememberMe === false
      const session = await ctx.context.internalAdapter.createSession(found.user.id, brief)
      await setSessionCookie(ctx, { session, user: found.user }, brief)
      const { id, name } = found.user
      return ctx.json({ user: { id, email: found.user.email, name }, expires_at: session.expiresAt })
    }),
  },
} satisfies BetterAuthPlugin

function parse(body: unknown): Static<typeof signInBody> {
  // The handler before it has refused bad bodies in detail.
  if (!Value.Check(signInBody, body)) throw new APIError('BAD_REQUEST', { message: 'e-mail and password are required' })
  return body
}

function wrong(): APIError {
  return new APIError('UNAUTHORIZED', { message: 'The e-mail address or the password is wrong.' })
}

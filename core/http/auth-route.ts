import { type TObject, type TSchema, Type } from '@sinclair/typebox'
import { PASSWORD_LENGTH_MAX, PASSWORD_LENGTH_MIN } from '../auth/password.ts'
import { AUTH_PATH, type SessionPath } from '../auth/session-endpoints.ts'
import type { Sessions } from '../auth/sessions.ts'
import { targetOf } from './request.ts'
import { ok, type Route } from './route.ts'
import { KB } from './sizes.ts'
import { instant, text, uuid } from './validation.ts'

/** Anyone may send these bodies, so their limits are low. */
const BODY_MAX = { bodyMaxBytes: 16 * KB, bodyValuesMax: 100 }

/** Describes an endpoint of the session library. */
interface Description extends Pick<Route, 'operationId' | 'summary' | 'description' | 'errors' | 'setsCookie'> {
  /** POST where left out. */
  readonly method?: 'GET' | 'POST'
  readonly body?: TObject
  readonly response: TSchema
  readonly examples: { body?: unknown; response: unknown }
  /** It requires the session cookie. */
  readonly session: boolean
}

/**
 * Mounts the account endpoints, each as a route of its own. No other endpoint of the session library is open: not sign-up, since accounts come
 * from the first start, nor anything that sends mail or takes a redirect.
 */
export function authRoutes(sessions: Sessions): Route[] {
  const ofLibrary = Object.entries(descriptions).map(
    ([path, { method = 'POST', response, session, errors = [], ...description }]): Route => ({
      ...description,
      ...BODY_MAX,
      method,
      path: `${AUTH_PATH}${path}`,
      access: 'public',
      tag: 'Sessions',
      ...(session ? { readsSession: true } : {}),
      responses: { 200: response },
      errors: ['FORBIDDEN', 'RATE_LIMITED', ...errors],
      handle: ({ request, body }) => sessions.serve(path as SessionPath, request, body),
    }),
  )
  return [...ofLibrary, ...providerRoutes(sessions)]
}

/** Sign-in by a provider of OpenID Connect, which browsers go through by their address bar. */
function providerRoutes(sessions: Sessions): Route[] {
  const given = { method: 'GET', access: 'public', tag: 'Sessions' } as const
  const redirect = { ...given, raw: true, responses: { 302: null }, errors: ['NOT_FOUND', 'RATE_LIMITED'] }
  return [
    {
      ...given,
      path: `${AUTH_PATH}/methods`,
      operationId: 'listSignInMethods',
      summary: 'Tell how accounts sign in',
      responses: {
        200: Type.Object({
          password: Type.Boolean({ description: 'With e-mail address and password.' }),
          oidc: Type.Boolean({ description: 'By a provider: send the browser to `/v1/auth/sign-in/oidc`.' }),
        }),
      },
      examples: { response: { password: true, oidc: false } },
      handle: () => ok(sessions.methods),
    },
    {
      ...redirect,
      path: `${AUTH_PATH}/sign-in/oidc`,
      operationId: 'signInByProvider',
      summary: 'Sign in by the provider',
      description: 'Redirects a browser to the provider of `OIDC_ISSUER`, which sends it back to the console.',
      handle: ({ request }) => sessions.signInByProvider(request),
    },
    {
      ...redirect,
      path: `${AUTH_PATH}/callback/oidc`,
      operationId: 'returnFromProvider',
      summary: 'Come back from the provider',
      description:
        'The provider sends browsers to here. It redirects to the console, signed in, or with the reason in `?error=`.',
      ignoresUnknownQuery: true,
      setsCookie: true,
      handle: ({ request }) => sessions.returnFromProvider(request, targetOf(request).query),
    },
  ]
}

const ACCOUNT_ID = '6f1c9a52-8f0e-4b57-9f6e-3d1f3c1e7a10'
const EMAIL = 'ada@example.com'
const NOW = '2026-03-01T09:30:00.000Z'
const LATER = '2026-03-08T09:30:00.000Z'
const OTHER_ID = '5f0c0e0b-6f0c-4f4e-8a53-9d1a5f0f2d11'
const TOKEN = 'yAsnikCAtdiwtzhs8tnhEK3qjRzRPkFG'

const account = Type.Object(
  {
    id: uuid({ description: 'Id of the account.' }),
    email: Type.String({ description: 'Its e-mail address.' }),
    name: Type.String({ description: 'Its name.' }),
    emailVerified: Type.Boolean({ description: 'Always true: no mail is sent.' }),
    image: Type.Union([Type.String(), Type.Null()], { description: 'Always null.' }),
    createdAt: instant({ description: 'When it was made.' }),
    updatedAt: instant({ description: 'When it was last changed.' }),
  },
  { title: 'Account', description: 'The account.' },
)
const accountExample = {
  id: ACCOUNT_ID,
  email: EMAIL,
  name: 'ada',
  emailVerified: true,
  image: null,
  createdAt: NOW,
  updatedAt: NOW,
}

const session = Type.Object(
  {
    id: uuid({ description: 'Id of the session.' }),
    userId: uuid({ description: 'Id of the account.' }),
    ipAddress: Type.Union([Type.String(), Type.Null()], { description: 'Where it was opened from.' }),
    userAgent: Type.Union([Type.String(), Type.Null()], { description: 'The browser it was opened with.' }),
    expiresAt: instant({ description: 'When it ends, unless `get-session` prolongs it.' }),
    createdAt: instant({ description: 'When it was opened.' }),
    updatedAt: instant({ description: 'When it was last prolonged.' }),
  },
  { title: 'Session', description: 'The session.' },
)
const sessionExample = {
  id: '0009c2d2-d868-4d91-8c67-7654b18278ef',
  userId: ACCOUNT_ID,
  ipAddress: '203.0.113.7',
  userAgent: 'Mozilla/5.0',
  expiresAt: LATER,
  createdAt: NOW,
  updatedAt: NOW,
}

const listed = Type.Object(
  {
    ...session.properties,
    token: Type.Optional(
      Type.String({
        description:
          'Names the session to `revoke-session`; only the own session, which `sign-out` ends, has none. It alone opens nothing: the cookie is signed.',
      }),
    ),
  },
  { title: 'ListedSession', description: 'A session.' },
)

const done = Type.Object({ status: Type.Boolean({ description: 'true: it is done.' }) }, { title: 'Done' })
const doneExample = { response: { status: true } }

/** A password that is checked may have any length, whatever was required when it was set. */
const password = (description: string) => text({ minLength: 1, maxLength: PASSWORD_LENGTH_MAX, description })

const descriptions: Record<SessionPath, Description> = {
  '/sign-in/email': {
    operationId: 'signIn',
    summary: 'Sign in to the console',
    description:
      'Sets the HttpOnly cookie of a session of seven days. An account has at most 100 sessions: the oldest ends with the next. Five wrong passwords for one account from one address within 15 minutes lock that account for that address, for the rest of that time: 429. Fifty from one address over all accounts lock the address for accounts that were not signed in to from it within 30 days.',
    session: false,
    setsCookie: true,
    body: Type.Object({
      email: text({
        minLength: 3,
        maxLength: 320,
        description: 'The e-mail address of the account, in any letter case.',
      }),
      password: password('Its password.'),
      rememberMe: Type.Optional(
        Type.Boolean({
          description: 'false makes the session end with the browser and after a day; true is the default.',
        }),
      ),
    }),
    response: Type.Object({
      user: Type.Pick(account, ['id', 'email', 'name'], { title: 'AccountSummary', description: 'The account.' }),
      expires_at: instant({ description: 'When the session ends, unless `get-session` prolongs it.' }),
    }),
    examples: {
      body: { email: EMAIL, password: 'tea without sugar' },
      response: { user: { id: ACCOUNT_ID, email: EMAIL, name: 'ada' }, expires_at: LATER },
    },
    errors: ['UNAUTHORIZED'],
  },
  '/sign-out': {
    operationId: 'signOut',
    summary: 'Sign out',
    description: 'Ends the session of the cookie and takes the cookie back. Without a session nothing happens.',
    session: false,
    setsCookie: true,
    response: Type.Object({ success: Type.Boolean({ description: '`true`: the session has ended.' }) }),
    examples: { response: { success: true } },
  },
  '/get-session': {
    method: 'GET',
    operationId: 'getSession',
    summary: 'Read the own session',
    description:
      'null without a session. One of seven days that is more than a day old is extended to seven days again, and the cookie with it; no other request prolongs a session.',
    session: false,
    setsCookie: true,
    response: Type.Union([Type.Object({ session, user: account }), Type.Null()]),
    examples: { response: { session: sessionExample, user: accountExample } },
  },
  '/list-sessions': {
    method: 'GET',
    operationId: 'listSessions',
    summary: 'List the open sessions of the account',
    session: true,
    response: Type.Array(listed),
    examples: { response: [sessionExample, { ...sessionExample, id: OTHER_ID, token: TOKEN }] },
    errors: ['UNAUTHORIZED'],
  },
  '/revoke-session': {
    operationId: 'revokeSession',
    summary: 'End a session of the account',
    description: 'A token that is not of a session of the account is ignored.',
    session: true,
    body: Type.Object({
      token: text({ minLength: 1, maxLength: 255, description: 'Of the session to end, as `list-sessions` shows it.' }),
    }),
    response: done,
    examples: { body: { token: TOKEN }, ...doneExample },
    errors: ['UNAUTHORIZED'],
  },
  '/revoke-sessions': {
    operationId: 'revokeAllSessions',
    summary: 'End all sessions of the account',
    session: true,
    setsCookie: true,
    response: done,
    examples: doneExample,
    errors: ['UNAUTHORIZED'],
  },
  '/revoke-other-sessions': {
    operationId: 'revokeOtherSessions',
    summary: 'End all sessions of the account but this one',
    session: true,
    response: done,
    examples: doneExample,
    errors: ['UNAUTHORIZED'],
  },
  '/change-password': {
    operationId: 'changePassword',
    summary: "Change the account's password",
    description:
      'A wrong `currentPassword` is 400. With `revokeOtherSessions` a new session replaces this one, in the cookie.',
    session: true,
    setsCookie: true,
    body: Type.Object({
      currentPassword: password('The password so far.'),
      newPassword: text({
        minLength: PASSWORD_LENGTH_MIN,
        maxLength: PASSWORD_LENGTH_MAX,
        description: 'The password from now on.',
      }),
      revokeOtherSessions: Type.Optional(
        Type.Boolean({ description: "true ends all of the account's sessions but this one, which gets a new cookie." }),
      ),
    }),
    response: Type.Object({ user: account }),
    examples: {
      body: { currentPassword: 'tea without sugar', newPassword: 'tea with a little milk', revokeOtherSessions: true },
      response: { user: accountExample },
    },
    errors: ['UNAUTHORIZED'],
  },
}

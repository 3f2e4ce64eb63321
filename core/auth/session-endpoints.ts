import { type TObject, Type } from '@sinclair/typebox'
import { type AppError, type ErrorDetail, fail, validationError } from '../errors.ts'
import { AUTH_BODY_VALUES_MAX, parseJson, requireJson, unwantedFaults } from '../http/body.ts'
import { targetOf } from '../http/request.ts'
import { compileValidator, text, type Validator } from '../http/validation.ts'
import { PASSWORD_LENGTH_MAX, PASSWORD_LENGTH_MIN } from './password.ts'

/** The account endpoints are mounted here. */
export const AUTH_PATH = '/v1/auth'

export const SIGN_IN_PATH = '/sign-in/email'

/**
 * Tells the session library which address a request comes from. We set it on the request handed to it, and never take
 * it from a client.
 */
export const CLIENT_ADDRESS_HEADER = 'x-mneme-client-address'

/** An endpoint under {@link AUTH_PATH}, by its path there. */
export interface SessionEndpoint {
  readonly method: 'GET' | 'POST'
  readonly body?: TObject
}

/** A password that is checked may have any length, whatever was required when it was set. */
const password = (description: string) => text({ minLength: 1, maxLength: PASSWORD_LENGTH_MAX, description })

/**
 * No other endpoint of the session library is open. Sign-up is not among them, since accounts come from the first
 * start; nor is anything that sends mail or takes a redirect.
 */
export const sessionEndpoints = {
  '/sign-in/email': post({
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
  '/sign-out': { method: 'POST' },
  '/get-session': { method: 'GET' },
  '/list-sessions': { method: 'GET' },
  '/revoke-session': post({
    token: text({ minLength: 1, maxLength: 255, description: 'Of the session to end, as `list-sessions` shows it.' }),
  }),
  '/revoke-sessions': { method: 'POST' },
  '/revoke-other-sessions': { method: 'POST' },
  '/change-password': post({
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
} as const satisfies Readonly<Record<string, SessionEndpoint>>

export type SessionPath = keyof typeof sessionEndpoints

interface Checked {
  readonly method: 'GET' | 'POST'
  readonly body?: Validator<unknown>
}

const checked = new Map<string, Checked>(
  Object.entries<SessionEndpoint>(sessionEndpoints).map(([path, { method, body }]) => [
    path,
    body ? { method, body: compileValidator(body) } : { method },
  ]),
)

/**
 * Names the account endpoint that a request is for, as `/sign-out`; a slash at the end changes nothing, as on every
 * other path.
 */
export function endpointOf(request: Request): string {
  return targetOf(request).path.slice(AUTH_PATH.length).replace(/\/$/, '')
}

/**
 * Checks a request to an account endpoint and returns its JSON body, or undefined for a GET.
 * Throws NOT_FOUND, METHOD_NOT_ALLOWED, UNSUPPORTED_MEDIA_TYPE, PAYLOAD_TOO_LARGE or VALIDATION_ERROR.
 */
export async function readEndpointBody(request: Request): Promise<string | undefined> {
  const endpoint = checked.get(endpointOf(request))
  if (!endpoint) throw fail('NOT_FOUND')
  if (endpoint.method !== request.method) {
    throw fail('METHOD_NOT_ALLOWED', { message: `This path answers ${endpoint.method}.` })
  }
  if (endpoint.method === 'GET') return undefined
  const { body } = endpoint
  if (body) requireJson(request.headers)
  const bytes = new Uint8Array(await request.arrayBuffer())
  const value = body ? parseJson(bytes, AUTH_BODY_VALUES_MAX) : {}
  const faults = body ? body.faults(value) : await unwantedFaults(bytes)
  if (faults.length > 0) throw validationError(faults)
  return JSON.stringify(value)
}

/** These show tokens of other sessions, so that `revoke-session` can end one. */
const LIST_PATH: SessionPath = '/list-sessions'

/**
 * Leaves the token of the caller's own session out of a successful response: it is the value of the cookie, which scripts
 * cannot read, but for its signature.
 * @param ownToken the token of the cookie, if there is one
 */
export async function withoutOwnToken(
  response: Response,
  endpoint: string,
  ownToken: string | undefined,
): Promise<Response> {
  const body = JSON.parse(await response.text(), (name, value) => {
    const isOwn = name === 'token' && (endpoint !== LIST_PATH || value === ownToken)
    return isOwn ? undefined : value
  })
  const headers = new Headers(response.headers)
  headers.delete('content-length')
  return new Response(JSON.stringify(body), { status: response.status, headers })
}

/** Turns a failed response of the session library into the contract's shape. Throws for faults of our own. */
export async function toAppError(response: Response): Promise<AppError> {
  const body: unknown = await response.json().catch(() => undefined)
  const told = messageOf(body)
  switch (response.status) {
    case 401:
      return fail('UNAUTHORIZED', { message: told ?? 'Sign in first.' })
    case 403:
      return fail('FORBIDDEN', { message: told ?? 'This is not allowed.' })
    case 404:
      return fail('NOT_FOUND')
    case 429:
      return fail('RATE_LIMITED', { retryAfterSeconds: Number(response.headers.get('x-retry-after')) || 1 })
    default:
      if (response.status >= 500) throw new Error(`the session library failed: ${told ?? response.status}`)
      return validationError([refusedField(body)])
  }
}

function post(properties: TObject['properties']) {
  return { method: 'POST', body: Type.Object(properties) } as const
}

function refusedField(body: unknown): ErrorDetail {
  const code = typeof body === 'object' && body !== null && Reflect.get(body, 'code')
  if (code === 'INVALID_PASSWORD') return { path: 'currentPassword', message: 'is wrong' }
  return { path: 'body', message: messageOf(body) ?? 'is not valid' }
}

function messageOf(body: unknown): string | undefined {
  if (typeof body !== 'object' || body === null || !('message' in body)) return undefined
  return typeof body.message === 'string' && body.message ? body.message : undefined
}

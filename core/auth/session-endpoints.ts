import { type AppError, type ErrorDetail, fail, validationError } from '../errors.ts'

/** The account endpoints are mounted here. */
export const AUTH_PATH = '/v1/auth'

export const SIGN_IN_PATH = '/sign-in/email'

/**
 * Tells the session library which address a request comes from. We set it on the request handed to it, and never take
 * it from a client.
 */
export const CLIENT_ADDRESS_HEADER = 'x-mneme-client-address'

/** The endpoints of the session library that are open, as `core/http/auth-route.ts` mounts them. */
export type SessionPath =
  | typeof SIGN_IN_PATH
  | '/sign-out'
  | '/get-session'
  | '/list-sessions'
  | '/revoke-session'
  | '/revoke-sessions'
  | '/revoke-other-sessions'
  | '/change-password'

/** These show tokens of other sessions, so that `revoke-session` can end one. */
const LIST_PATH: SessionPath = '/list-sessions'

/**
 * Leaves the token of the caller's own session out of a successful response: it is the value of the cookie, which scripts
 * cannot read, but for its signature.
 * @param ownToken the token of the cookie, if there is one
 */
export async function withoutOwnToken(
  response: Response,
  endpoint: SessionPath,
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

function refusedField(body: unknown): ErrorDetail {
  const code = typeof body === 'object' && body !== null && Reflect.get(body, 'code')
  if (code === 'INVALID_PASSWORD') return { path: 'currentPassword', message: 'is wrong' }
  return { path: 'body', message: messageOf(body) ?? 'is not valid' }
}

function messageOf(body: unknown): string | undefined {
  if (typeof body !== 'object' || body === null || !('message' in body)) return undefined
  return typeof body.message === 'string' && body.message ? body.message : undefined
}

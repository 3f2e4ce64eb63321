import { randomUUID } from 'node:crypto'
import { AppError, errorBody, fail } from '../errors.ts'
import type { Logger } from '../log.ts'

const SANE_ID = /^[\w.:-]{1,128}$/

/** The caller's `X-Request-Id` when it is a sane one, else a new id. */
export function requestIdOf(request: Request): string {
  const given = request.headers.get('x-request-id')
  return given && SANE_ID.test(given) ? given : randomUUID()
}

export function jsonResponse(status: number, body: unknown, headers: Record<string, string>): Response {
  if (body === undefined) return new Response(null, { status, headers })
  return new Response(JSON.stringify(body), { status, headers: { ...headers, 'content-type': 'application/json' } })
}

/** Any failure in the contract's shape. What is not an AppError is logged whole and answered as a bare 500. */
export function errorResponse(error: unknown, headers: Record<string, string>, log: Logger): Response {
  const known = error instanceof AppError ? error : fail('INTERNAL_ERROR', { cause: error })
  if (known.status >= 500) log.error({ err: error, req: headers['x-request-id'] }, 'request failed')
  const retryAfter = known.retryAfterSeconds
  return jsonResponse(known.status, errorBody(known), {
    ...headers,
    ...(retryAfter === undefined ? {} : { 'retry-after': String(Math.max(1, Math.ceil(retryAfter))) }),
  })
}

import { AppError, errorBody, fail } from '../errors.ts'
import { blamedFor } from '../faults/attribution.ts'
import type { Logger } from '../log.ts'
import { JSON_BODY_MAX_BYTES } from './body.ts'
import type { IncomingBody } from './incoming-body.ts'
import type { MountedRoute } from './mount.ts'
import { inPlaceOf } from './request.ts'
import type { Route } from './route.ts'

/**
 * The JSON of a response has at most this size, unless its route says otherwise. A page of a hundred texts of the
 * longest kind takes 40 MB.
 */
const RESPONSE_MAX_BYTES = 64_000_000

/** @param text JSON; undefined for a response without a body */
export function jsonResponse(status: number, text: string | undefined, headers: Record<string, string>): Response {
  if (text === undefined) return new Response(null, { status, headers })
  return new Response(text, { status, headers: { ...headers, 'content-type': 'application/json' } })
}

/**
 * Turns any failure into the contract's shape, or that of the route. An error that is no AppError is logged whole and becomes a bare 500.
 */
export function errorResponse(
  error: unknown,
  headers: Record<string, string>,
  log: Logger,
  { failureBody = body => body }: Pick<Route, 'failureBody'> = {},
): Response {
  const known = error instanceof AppError ? error : fail('INTERNAL_ERROR', { cause: error })
  // Nothing went wrong where a route says that it does not do what was asked for.
  if (known.status >= 500 && known.status !== 501) {
    // A database that is away is no plugin's fault, whoever asked it.
    const plugin = known.status === 500 ? blamedFor(error) : undefined
    const level = known.status === 503 ? 'warn' : 'error'
    log[level]({ err: error, req: headers['x-request-id'] }, `${plugin ? `plugin ${plugin}: ` : ''}request failed`)
  }
  const retryAfter = known.retryAfterSeconds
  return jsonResponse(known.status, JSON.stringify(failureBody(errorBody(known))), {
    ...headers,
    ...(retryAfter === undefined ? {} : { 'retry-after': String(Math.max(1, Math.ceil(retryAfter))) }),
  })
}

/**
 * Writes the JSON of a handler's body. Throws RESPONSE_TOO_LARGE, whose cause says what the plugin's author can do.
 * @param mostBytes narrows the bound of the route
 */
export function jsonOf(body: unknown, { owner, route }: MountedRoute, mostBytes = Number.POSITIVE_INFINITY): string {
  const maxBytes = Math.min(mostBytes, route.responseMaxBytes ?? RESPONSE_MAX_BYTES)
  const named = `plugin ${owner}: the response of ${route.method} ${route.path}`
  let text: string | undefined
  try {
    text = JSON.stringify(body)
  } catch (cause) {
    throw new Error(`${named} cannot be written as JSON: ${String(cause).split('\n', 1)[0]}`, { cause })
  }
  if (text === undefined) throw new Error(`${named} cannot be written as JSON: it is a ${typeof body}`)
  // A character takes up to three bytes.
  if (text.length * 3 <= maxBytes || Buffer.byteLength(text) <= maxBytes) return text
  const advice = "answer in pages or with a download, or raise the route's responseMaxBytes"
  throw fail('RESPONSE_TOO_LARGE', { cause: new Error(`${named} is larger than ${maxBytes} bytes; ${advice}`) })
}

/** Makes the response to HEAD: that to GET without its body, whose length is told. A server would say 0 otherwise. */
export async function withoutBody(response: Response, { raw }: Pick<Route, 'raw'>): Promise<Response> {
  const { status, headers } = response
  // The stream of a raw route may have no end.
  if (headers.has('content-length') || (raw && !isJson(response))) {
    void response.body?.cancel().catch(() => undefined)
    return new Response(null, { status, headers })
  }
  const length = (await response.arrayBuffer()).byteLength
  if (length > 0) headers.set('content-length', String(length))
  return new Response(null, { status, headers })
}

export function isJson({ headers }: Response): boolean {
  return /^application\/json\b/i.test(headers.get('content-type') ?? '')
}

/**
 * Makes the request that a handler sees, so that no handler can read more than its route allows. A body that the kernel
 * reads is not there a second time.
 */
export function handlersRequest({ route, upload }: MountedRoute, request: Request, incoming: IncomingBody): Request {
  if (request.body === null || incoming.isEmpty || !(upload || route.raw)) return request
  const { method, headers, signal } = request
  if (upload) return inPlaceOf(request, { method, headers, signal })
  const body = incoming.bounded(route.bodyMaxBytes ?? JSON_BODY_MAX_BYTES)
  return inPlaceOf(request, { method, headers, signal, body, duplex: 'half' })
}

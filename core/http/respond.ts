import { randomUUID } from 'node:crypto'
import { copyPeer } from '../auth/client-address.ts'
import { AppError, errorBody, fail } from '../errors.ts'
import { blamedFor } from '../faults/attribution.ts'
import type { Logger } from '../log.ts'
import { JSON_BODY_MAX_BYTES } from './body.ts'
import { goneSignal } from './gone.ts'
import { ARRIVAL_MS_MAX, type IncomingBody } from './incoming-body.ts'
import type { MountedRoute } from './mount.ts'
import type { Route } from './route.ts'
import { targetOf } from './target.ts'

const SANE_ID = /^[\w.:-]{1,128}$/

/** Returns the caller's `X-Request-Id` when it is a sane one, else a new id. */
export function requestIdOf(request: Request): string {
  const given = request.headers.get('x-request-id')
  return given && SANE_ID.test(given) ? given : randomUUID()
}

/** @param text JSON; undefined for a response without a body */
export function jsonResponse(status: number, text: string | undefined, headers: Record<string, string>): Response {
  if (text === undefined) return new Response(null, { status, headers })
  return new Response(text, { status, headers: { ...headers, 'content-type': 'application/json' } })
}

/** Turns any failure into the contract's shape. An error that is no AppError is logged whole and becomes a bare 500. */
export function errorResponse(error: unknown, headers: Record<string, string>, log: Logger): Response {
  const known = error instanceof AppError ? error : fail('INTERNAL_ERROR', { cause: error })
  if (known.status >= 500) {
    // A database that is away is no plugin's fault, whoever asked it.
    const plugin = known.status === 500 ? blamedFor(error) : undefined
    const level = known.status === 503 ? 'warn' : 'error'
    log[level]({ err: error, req: headers['x-request-id'] }, `${plugin ? `plugin ${plugin}: ` : ''}request failed`)
  }
  const retryAfter = known.retryAfterSeconds
  return jsonResponse(known.status, JSON.stringify(errorBody(known)), {
    ...headers,
    ...(retryAfter === undefined ? {} : { 'retry-after': String(Math.max(1, Math.ceil(retryAfter))) }),
  })
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
  if (request.body === null || incoming.isEmpty) return request
  if (upload) return sameRequest(request, {})
  return route.raw ? boundedRequest(request, incoming, route.bodyMaxBytes ?? JSON_BODY_MAX_BYTES) : request
}

/**
 * Makes a request whose body ends with PAYLOAD_TOO_LARGE beyond `maxBytes`, and whose waits have an end: one that is no larger than other
 * bodies has to arrive as fast as they do.
 */
function boundedRequest(request: Request, incoming: IncomingBody, maxBytes: number): Request {
  const pace = maxBytes > JSON_BODY_MAX_BYTES ? {} : { maxMs: ARRIVAL_MS_MAX }
  const bytes = incoming.chunks({ maxBytes, tooLarge: 'PAYLOAD_TOO_LARGE' }, pace)[Symbol.asyncIterator]()
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await bytes.next()
        if (done) controller.close()
        else controller.enqueue(value)
      },
    },
    { highWaterMark: 0 },
  )
  return sameRequest(request, { body, duplex: 'half' })
}

function sameRequest(request: Request, body: { readonly body?: ReadableStream; readonly duplex?: 'half' }): Request {
  const { method, headers } = request
  const same = new Request(addressOf(request), { method, headers, signal: goneSignal(request), ...body })
  copyPeer(request, same)
  return same
}

/** A client's Host header can make the address as a whole unreadable. */
function addressOf(request: Request): string {
  if (URL.canParse(request.url)) return request.url
  const { path, query } = targetOf(request)
  return `http://localhost${path}${query && `?${query}`}`
}

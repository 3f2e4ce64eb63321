import type { Caller } from '../auth/caller.ts'
import { copyPeer } from '../auth/client-address.ts'
import type { MountedRoute } from './mount.ts'
import { goneSignal } from './request.ts'
import type { Relay, RelayedRequest, Route } from './route.ts'
import { MB } from './sizes.ts'

/** A relayed response is held whole, beside what its relay makes of it. */
export const RELAYED_MAX_BYTES = MB

interface Relayed {
  readonly caller: Caller
  /** The request that the caller was recognised by. */
  readonly credentials: Request
  /** False for the first one, which counts with the request that it came with. */
  readonly isCounted: boolean
  readonly isConfirmed: boolean
}

const relayed = new WeakMap<Request, Relayed>()

/** Tells for whom a request was relayed; undefined for one that came over the network. */
export function relayedFor(request: Request): Relayed | undefined {
  return relayed.get(request)
}

/** Tells whether other routes may relay to a route. */
export function givesJson({ raw, download, contentType }: Pick<Route, 'raw' | 'download' | 'contentType'>): boolean {
  return !raw && !download && contentType === undefined
}

interface Origin {
  readonly route: Route
  readonly request: Request
  readonly requestId: string
  readonly caller: Caller
}

interface Routes {
  find(method: string, path: string): MountedRoute | undefined
  serve(mounted: MountedRoute, request: Request, params: Record<string, string>): Promise<Response>
}

/**
 * Makes the relay of one request. What it carries out passes all checks of its route but those of the key and of the rate, which the request
 * that it came with has passed. An `Idempotency-Key` goes along with a POST, so that the routes which change something keep their responses.
 */
export function relayOf(origin: Origin, routes: Routes): Relay {
  let count = 0
  return async sent => {
    const { method, path } = origin.route
    if (!origin.route.relays) throw new Error(`${method} ${path} relays a request, which it does not say: relays: true`)
    const target = routes.find(sent.method, sent.path)
    if (!target || !givesJson(target.route)) throw new Error(`there is no ${sent.method} ${sent.path} that gives JSON`)
    const request = toRequest(sent, origin)
    const credentials = relayedFor(origin.request)?.credentials ?? origin.request
    relayed.set(request, {
      caller: origin.caller,
      credentials,
      isCounted: count++ > 0,
      isConfirmed: sent.confirmed === true,
    })
    const response = await routes.serve(target, request, { ...sent.params })
    const text = await response.text()
    const retryAfter = response.headers.get('retry-after')
    return {
      status: response.status,
      body: text === '' ? undefined : JSON.parse(text),
      ...(retryAfter === null ? {} : { retryAfterSeconds: Number(retryAfter) }),
    }
  }
}

function toRequest({ method, path, params = {}, query, body }: RelayedRequest, origin: Origin): Request {
  const headers = new Headers({ 'x-request-id': origin.requestId })
  const key = origin.request.headers.get('idempotency-key')
  if (key !== null && method === 'POST') headers.set('idempotency-key', key)
  const isForm = body instanceof FormData
  if (body !== undefined && !isForm) headers.set('content-type', 'application/json')
  // The address tells requests apart under one Idempotency-Key; the route is found already, and has its parameters beside it.
  const address = path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent((params[name] ?? '').toWellFormed()))
  const request = new Request(`http://localhost${address}?${query ?? ''}`, {
    method,
    headers,
    signal: goneSignal(origin.request),
    ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
  })
  copyPeer(origin.request, request)
  return request
}

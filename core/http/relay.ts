import type { Caller } from '../auth/caller.ts'
import { copyPeer } from '../auth/client-address.ts'
import { goneSignal } from './gone.ts'
import type { Relay, RelayedRequest } from './relay-contract.ts'
import type { Route } from './route.ts'

interface Relayed {
  readonly caller: Caller
  /** The first one counts with the request that it came with, each further one by itself. */
  readonly isCounted: boolean
}

const relayed = new WeakMap<Request, Relayed>()

/** Tells for whom a request was relayed; undefined for one that came over the network. */
export function relayedFor(request: Request): Relayed | undefined {
  return relayed.get(request)
}

interface Origin {
  readonly request: Request
  readonly requestId: string
  readonly caller: Caller
}

/**
 * Makes the relay of one request. What it carries out passes all checks of its route but those of the key and of the rate, which the request
 * that it came with has passed. An `Idempotency-Key` goes along, so that the routes which change something keep their responses.
 */
export function relayOf(route: Route, origin: Origin, dispatch: (request: Request) => Promise<Response>): Relay {
  let count = 0
  return async sent => {
    if (!route.relays)
      throw new Error(`${route.method} ${route.path} relays a request, which it does not say: relays: true`)
    const request = toRequest(sent, origin)
    relayed.set(request, { caller: origin.caller, isCounted: count++ > 0 })
    const response = await dispatch(request)
    const text = await response.text()
    return { status: response.status, body: text === '' ? undefined : bodyOf(response, text) }
  }
}

function toRequest({ method, path, body }: RelayedRequest, { request: from, requestId }: Origin): Request {
  const headers = new Headers({ 'x-request-id': requestId })
  const key = from.headers.get('idempotency-key')
  if (key !== null && method === 'POST') headers.set('idempotency-key', key)
  const isJson = body !== undefined && !(body instanceof FormData)
  if (isJson) headers.set('content-type', 'application/json')
  const request = new Request(`http://localhost${path}`, {
    method,
    headers,
    signal: goneSignal(from),
    ...(body === undefined ? {} : { body: isJson ? JSON.stringify(body) : (body as FormData) }),
  })
  copyPeer(from, request)
  return request
}

function bodyOf({ headers }: Response, text: string): unknown {
  return /^application\/json\b/i.test(headers.get('content-type') ?? '') ? JSON.parse(text) : text
}

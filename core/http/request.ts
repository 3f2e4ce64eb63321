import { randomUUID } from 'node:crypto'
import { copyPeer } from '../auth/client-address.ts'

const SANE_ID = /^[\w.:-]{1,128}$/

/** Returns the caller's `X-Request-Id` when it is a sane one, else a new id. */
export function requestIdOf(request: Request): string {
  const given = request.headers.get('x-request-id')
  return given && SANE_ID.test(given) ? given : randomUUID()
}

/**
 * Returns path and query of a request as sent. They are cut from the text, since a client's Host header can make the
 * address as a whole unreadable.
 */
export function targetOf({ url }: Request): { path: string; query: string } {
  const start = /^[a-z]+:\/\/[^/?#]*/i.exec(url)?.[0].length ?? 0
  const hash = url.indexOf('#', start)
  const end = hash < 0 ? url.length : hash
  const mark = url.indexOf('?', start)
  if (mark < 0 || mark > end) return { path: url.slice(start, end), query: '' }
  return { path: url.slice(start, mark), query: url.slice(mark + 1, end) }
}

type SignalOf = () => AbortSignal

const signals = new WeakMap<Request, SignalOf>()

/** Notes how to learn that a request's client went away, where `request.signal` does not say just that. */
export function setGoneSignal(request: Request, signalOf: SignalOf): void {
  signals.set(request, signalOf)
}

/** Aborts when the client goes away before it has the whole response. */
export function goneSignal(request: Request): AbortSignal {
  return signals.get(request)?.() ?? request.signal
}

/** Makes a request in another's place, of the same client. @param at path and query; as sent where left out */
export function inPlaceOf(request: Request, init: RequestInit & { readonly duplex?: 'half' }, at?: string): Request {
  const { path, query } = targetOf(request)
  // A client's Host header can make the address as a whole unreadable.
  const origin = URL.canParse(request.url) ? new URL(request.url).origin : 'http://localhost'
  const address = `${origin}${at ?? `${path}${query && `?${query}`}`}`
  const same = new Request(at === undefined && URL.canParse(request.url) ? request.url : address, init)
  copyPeer(request, same)
  setGoneSignal(same, () => goneSignal(request))
  return same
}

const heads = new WeakSet<Request>()

/** A HEAD request for the router, which measures the body of GET itself where it is asked for HEAD. */
export function asGet(request: Request): Request {
  const get = inPlaceOf(request, { method: 'GET', headers: request.headers })
  heads.add(get)
  return get
}

/** Returns the method that the client sent. */
export function methodOf(request: Request): string {
  return heads.has(request) ? 'HEAD' : request.method
}

import { copyPeer } from '../auth/client-address.ts'
import { goneSignal, setGoneSignal } from './gone.ts'
import { targetOf } from './target.ts'

const heads = new WeakSet<Request>()

/** A HEAD request for the router, which measures the body of GET itself where it is asked for HEAD. */
export function asGet(request: Request): Request {
  const { path, query } = targetOf(request)
  // The address as a whole may be unreadable, for what a client says in its Host header.
  const address = `http://localhost${path}${query && `?${query}`}`
  const get = new Request(address, { method: 'GET', headers: request.headers })
  heads.add(get)
  copyPeer(request, get)
  setGoneSignal(get, () => goneSignal(request))
  return get
}

/** The method that the client sent. */
export function methodOf(request: Request): string {
  return heads.has(request) ? 'HEAD' : request.method
}

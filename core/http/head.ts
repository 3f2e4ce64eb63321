import { copyPeer } from '../auth/client-address.ts'
import { goneSignal, setGoneSignal } from './gone.ts'
import { targetOf } from './target.ts'

const heads = new WeakSet<Request>()

/** A HEAD request for the router, which measures the body of GET itself where it is asked for HEAD. */
export function asGet(request: Request): Request {
  const { path, query } = targetOf(request)
  // A client's Host header can make the address as a whole unreadable.
  const address = `http://localhost${path}${query && `?${query}`}`
  const get = new Request(address, { method: 'GET', headers: request.headers })
  heads.add(get)
  copyPeer(request, get)
  setGoneSignal(get, () => goneSignal(request))
  return get
}

/** Returns the method that the client sent. */
export function methodOf(request: Request): string {
  return heads.has(request) ? 'HEAD' : request.method
}

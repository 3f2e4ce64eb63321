import { setPeer } from '../core/auth/peer.ts'
import { type Listener, type ListenOptions, urlOf } from './listen.ts'

/** The part of Deno's API used here; its own types would clash with Bun's. */
interface DenoServe {
  serve(
    options: { hostname: string; port: number; onListen(address: { port: number }): void },
    handler: (request: Request, info: { remoteAddr: { hostname?: string } }) => Promise<Response>,
  ): { shutdown(): Promise<void>; addr: { port: number } }
}

declare const Deno: DenoServe

export async function listen({ host, port, fetch }: ListenOptions): Promise<Listener> {
  const server = Deno.serve({ hostname: host, port, onListen: () => undefined }, (request, { remoteAddr }) => {
    if (remoteAddr.hostname) setPeer(request, remoteAddr.hostname)
    return fetch(request)
  })
  return {
    url: urlOf(host, server.addr.port),
    close: () => server.shutdown(),
  }
}

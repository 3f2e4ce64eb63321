import { setPeer } from '../core/auth/client-address.ts'
import { type Listener, type ListenOptions, urlOf } from './listen.ts'

export { collectGarbage } from './bun-garbage.ts'

/** Threads load this, since each has garbage of its own. */
export const collector: URL | undefined = new URL('./bun-garbage.ts', import.meta.url)

export async function listen({ host, port, fetch }: ListenOptions): Promise<Listener> {
  const server = Bun.serve({
    hostname: host,
    port,
    // Bun sets no bound here: every route has one, and refuses in the contract's shape where Bun's own 413 says
    // nothing.
    maxRequestBodySize: Number.MAX_SAFE_INTEGER,
    idleTimeout: 120,
    fetch(request, self) {
      const peer = self.requestIP(request)
      if (peer) setPeer(request, peer.address)
      return fetch(request)
    },
  })
  return {
    url: urlOf(host, server.port ?? port),
    close: () => server.stop(),
  }
}

/**
 * Gives back compiled code that is not running, and heap blocks without objects: 30 to 60 MB of 400 after many searches. It
 * holds up the thread as a full collection does, as soon as that is idle.
 */
export function trimMemory(): void {
  Bun.shrink()
}

/**
 * Leads imports of Mneme's public entries, by whatever module, to the modules of this process: a plugin has the same ones
 * wherever it lies, and whichever copy of Mneme is among its own packages.
 */
export function provideEntries(entries: ReadonlyMap<string, URL>): void {
  Bun.plugin({
    name: 'mneme',
    setup(build) {
      for (const [specifier, { href }] of entries) {
        build.module(specifier, async () => ({ exports: { ...(await import(href)) }, loader: 'object' }))
      }
    },
  })
}

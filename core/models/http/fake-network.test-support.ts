/**
 * Catches a test's requests to one address at the level of `fetch`, without a socket. msw's `setupServer` hooks Node's
 * sockets, which Bun's own `fetch` does not use; its network with the interceptor of `fetch` itself works on Bun. To be
 * replaced by `setupServer` once that supports Bun.
 */
import type { HttpRequestEventMap, Interceptor } from '@mswjs/interceptors'
import { FetchInterceptor } from '@mswjs/interceptors/fetch/web'
import { defineNetwork, InterceptorSource } from 'msw/experimental'
import { http } from 'msw/http'

export interface FakeNetwork {
  enable(): void | Promise<void>
  disable(): void | Promise<void>
}

/** Hands each `POST` to the address to `handle` while it is enabled. */
export function fakeNetwork(url: string, handle: (request: Request) => Promise<Response>): FakeNetwork {
  return defineNetwork({
    sources: [new InterceptorSource({ interceptors: [fetchInterceptor()] })],
    handlers: [http.post(url, ({ request }) => handle(request))],
    // The tests of one process share its fetch: this fake neither refuses nor complains of other tests' requests.
    onUnhandledFrame: 'bypass',
    context: { quiet: true },
  })
}

/** The package types its web build apart from its Node build, though the classes are the same; `Object` drops that. */
function fetchInterceptor(): Interceptor<HttpRequestEventMap> {
  return Object(new FetchInterceptor())
}

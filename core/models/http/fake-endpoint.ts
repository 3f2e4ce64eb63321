/**
 * An OpenAI-compatible embeddings endpoint for tests, at the level of `fetch` and without a socket.
 * msw's `setupServer` hooks Node's sockets, which Bun's own `fetch` does not use; its network with the interceptor of
 * `fetch` itself works on Bun. To be replaced by `setupServer` once that supports Bun.
 */
import type { HttpRequestEventMap, Interceptor } from '@mswjs/interceptors'
import { FetchInterceptor } from '@mswjs/interceptors/fetch/web'
import { defineNetwork, InterceptorSource } from 'msw/experimental'
import { HttpResponse, http } from 'msw/http'

export const FAKE_URL = 'http://embeddings.test/v1'

export interface FakeRequest {
  readonly headers: Headers
  readonly body: { readonly model: string; readonly input: readonly string[]; readonly dimensions?: number }
}

export type Responder = (request: FakeRequest, attempt: number) => Response | Promise<Response>

export class FakeEndpoint {
  readonly requests: FakeRequest[] = []
  /** The most requests that were unanswered at once. */
  concurrencySeen = 0
  #responder: Responder = request => answer(request.body.input.map(() => [1, 0, 0]))
  #open = 0
  readonly #network = defineNetwork({
    sources: [new InterceptorSource({ interceptors: [fetchInterceptor()] })],
    handlers: [http.post(`${FAKE_URL}/embeddings`, ({ request }) => this.#handle(request))],
    // The tests of one process share its fetch: what others ask for is not this fake's to refuse, nor to complain of.
    onUnhandledFrame: 'bypass',
    context: { quiet: true },
  })

  async start(): Promise<void> {
    await this.#network.enable()
  }

  async stop(): Promise<void> {
    await this.#network.disable()
  }

  /** Forgets what came and answers with `responder` from now on. */
  respond(responder: Responder): void {
    this.#responder = responder
    this.requests.length = 0
    this.concurrencySeen = 0
  }

  async #handle(incoming: Request): Promise<Response> {
    const request: FakeRequest = { headers: incoming.headers, body: await incoming.json() }
    this.requests.push(request)
    this.#open++
    this.concurrencySeen = Math.max(this.concurrencySeen, this.#open)
    try {
      return await this.#responder(request, this.requests.length)
    } finally {
      this.#open--
    }
  }
}

/** The package types its web build apart from its Node build, though the classes are the same; `Object` drops that. */
function fetchInterceptor(): Interceptor<HttpRequestEventMap> {
  return Object(new FetchInterceptor())
}

/** A complete answer; vectors in the order of the inputs. */
export function answer(vectors: readonly (readonly number[])[], promptTokens?: number): Response {
  const data = vectors.map((embedding, index) => ({ object: 'embedding', index, embedding }))
  const usage = promptTokens === undefined ? {} : { usage: { prompt_tokens: promptTokens, total_tokens: promptTokens } }
  return HttpResponse.json({ object: 'list', data, ...usage })
}

/** A failure as endpoints send it, quoting the request as some of them do. */
export function failure(status: number, request: FakeRequest, headers: Record<string, string> = {}): Response {
  const message = `bad: ${request.body.input.join()} ${request.headers.get('authorization')}`
  return HttpResponse.json({ error: { message, type: message } }, { status, headers })
}

export { HttpResponse }

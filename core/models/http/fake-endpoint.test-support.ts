/** Fakes an OpenAI-compatible embeddings endpoint for tests. */
import { HttpResponse } from 'msw/http'
import { fakeNetwork } from './fake-network.test-support.ts'

export const FAKE_URL = 'http://embeddings.test/v1'

export interface FakeRequest {
  readonly headers: Headers
  readonly body: { readonly model: string; readonly input: readonly string[]; readonly dimensions?: number }
}

export type Responder = (request: FakeRequest, attempt: number) => Response | Promise<Response>

export class FakeEndpoint {
  readonly requests: FakeRequest[] = []
  /** The most requests that were under way at once. */
  concurrencySeen = 0
  #responder: Responder = request => vectorsResponse(request.body.input.map(() => [1, 0, 0]))
  #open = 0
  readonly #network = fakeNetwork(`${FAKE_URL}/embeddings`, request => this.#handle(request))

  async start(): Promise<void> {
    await this.#network.enable()
  }

  async stop(): Promise<void> {
    await this.#network.disable()
  }

  /** Forgets all requests and responds with `responder` from now on. */
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

/** Makes a complete response; vectors in the order of the inputs. */
export function vectorsResponse(vectors: readonly (readonly number[])[], promptTokens?: number): Response {
  const data = vectors.map((embedding, index) => ({ object: 'embedding', index, embedding }))
  const usage = promptTokens === undefined ? {} : { usage: { prompt_tokens: promptTokens, total_tokens: promptTokens } }
  return HttpResponse.json({ object: 'list', data, ...usage })
}

/** Makes a failure as endpoints send it, quoting the request as some of them do. */
export function failure(status: number, request: FakeRequest, headers: Record<string, string> = {}): Response {
  const message = `bad: ${request.body.input.join()} ${request.headers.get('authorization')}`
  return HttpResponse.json({ error: { message, type: message } }, { status, headers })
}

export { HttpResponse }

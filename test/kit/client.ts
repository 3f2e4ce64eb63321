import type { ErrorBody } from '../../core/errors.ts'
import type { FetchHandler } from '../../core/http/app.ts'
import { type CallArguments, type CallResponse, call, type Endpoint, refusal } from './call.ts'
import type { ClientResponse, RequestOptions } from './request.ts'

export type { ClientResponse, Json, RequestOptions } from './request.ts'

/** Speaks to a service as a user would, over its HTTP interface. */
export class Client {
  constructor(
    readonly fetch: FetchHandler,
    readonly headers: Readonly<Record<string, string>>,
    readonly base = 'http://localhost',
  ) {}

  with(headers: Readonly<Record<string, string>>): Client {
    return new Client(this.fetch, { ...this.headers, ...headers }, this.base)
  }

  async request(method: string, path: string, options: RequestOptions = {}): Promise<ClientResponse> {
    const url = new URL(path, this.base)
    for (const [name, value] of Object.entries(options.query ?? {})) {
      for (const item of Array.isArray(value) ? value : [value]) url.searchParams.append(name, String(item))
    }
    const json = options.body !== undefined
    const response = await this.fetch(
      new Request(url, {
        method,
        headers: { ...(json ? { 'content-type': 'application/json' } : {}), ...this.headers, ...options.headers },
        body: options.raw ?? (json ? JSON.stringify(options.body) : null),
        signal: options.signal ?? null,
      }),
    )
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.includes('json') ?? false
    return { status: response.status, headers: response.headers, body: isJson && text ? JSON.parse(text) : text }
  }

  /**
   * Calls a route whose success the test expects. Input and response have the types of its schemas, and the response is held to them:
   * `const { body } = await client.call(addNoteRoute, { body: { text: 'Milk' } })`.
   * @throws Error with what was answered, for any other status or body
   */
  call<E extends Endpoint>(endpoint: E, ...[input]: CallArguments<E>): Promise<CallResponse<E>> {
    return call(this, endpoint, input)
  }

  /** Calls a route that is to refuse: `(await client.refusal(addNoteRoute, …)).error_code`. @throws Error when it succeeds */
  refusal<E extends Endpoint>(endpoint: E, ...[input]: CallArguments<E>): Promise<ErrorBody> {
    return refusal(this, endpoint, input)
  }

  get(path: string, options?: RequestOptions): Promise<ClientResponse> {
    return this.request('GET', path, options)
  }

  post(path: string, body?: unknown, options: RequestOptions = {}): Promise<ClientResponse> {
    return this.request('POST', path, { ...options, body })
  }

  put(path: string, body?: unknown, options: RequestOptions = {}): Promise<ClientResponse> {
    return this.request('PUT', path, { ...options, body })
  }

  patch(path: string, body?: unknown, options: RequestOptions = {}): Promise<ClientResponse> {
    return this.request('PATCH', path, { ...options, body })
  }

  delete(path: string, options?: RequestOptions): Promise<ClientResponse> {
    return this.request('DELETE', path, options)
  }

  /** A client with the session cookie that a sign-in set. */
  async signIn(email: string, password: string): Promise<Client> {
    const response = await this.post('/v1/auth/sign-in/email', { email, password })
    if (response.status !== 200) throw new Error(`sign-in failed with ${response.status}`)
    const cookies = response.headers.getSetCookie().map(cookie => cookie.split(';')[0] ?? '')
    return this.with({ cookie: cookies.join('; ') })
  }
}

import type { FetchHandler } from '../../core/http/app.ts'

/** Bodies are looked at freely in tests; `expect` does the checking. */
// biome-ignore lint/suspicious/noExplicitAny: a test names the fields it expects, and the answers are verified against their schemas anyway.
export type Json = any

export interface Answer {
  readonly status: number
  readonly body: Json
  readonly headers: Headers
}

export interface RequestOptions {
  readonly body?: unknown
  /** Sent as it is, in place of `body`. */
  readonly raw?: BodyInit
  readonly headers?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string | number | boolean | readonly string[]>>
}

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

  async request(method: string, path: string, options: RequestOptions = {}): Promise<Answer> {
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
      }),
    )
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.includes('json') ?? false
    return { status: response.status, headers: response.headers, body: isJson && text ? JSON.parse(text) : text }
  }

  get(path: string, options?: RequestOptions): Promise<Answer> {
    return this.request('GET', path, options)
  }

  post(path: string, body?: unknown, options: RequestOptions = {}): Promise<Answer> {
    return this.request('POST', path, { ...options, body })
  }

  put(path: string, body?: unknown, options: RequestOptions = {}): Promise<Answer> {
    return this.request('PUT', path, { ...options, body })
  }

  patch(path: string, body?: unknown, options: RequestOptions = {}): Promise<Answer> {
    return this.request('PATCH', path, { ...options, body })
  }

  delete(path: string, options?: RequestOptions): Promise<Answer> {
    return this.request('DELETE', path, options)
  }

  /** A client with the session cookie that a sign-in set. */
  async signIn(email: string, password: string): Promise<Client> {
    const answer = await this.post('/v1/auth/sign-in/email', { email, password })
    if (answer.status !== 200) throw new Error(`sign-in failed with ${answer.status}`)
    const cookies = answer.headers.getSetCookie().map(cookie => cookie.split(';')[0] ?? '')
    return this.with({ cookie: cookies.join('; ') })
  }
}

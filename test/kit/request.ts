/** Bodies are looked at freely in tests; `expect` does the checking. */
// biome-ignore lint/suspicious/noExplicitAny: a test names the fields it expects, and the responses are verified against their schemas anyway.
export type Json = any

export interface ClientResponse {
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
  /** Aborts when the client shall go away. */
  readonly signal?: AbortSignal
}

/** Sends requests; a {@link Client} does. */
export interface Requester {
  request(method: string, path: string, options?: RequestOptions): Promise<ClientResponse>
}

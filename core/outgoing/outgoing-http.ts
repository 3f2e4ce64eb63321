import type { OutgoingError } from './outgoing-error.ts'

/**
 * Requests URLs that users give: receivers of deliveries, pages to read. It connects to public addresses only, which
 * are checked on the very connection that is used, at each redirect again; time, size and number of connections are
 * bounded. Failures are an {@link OutgoingError}, whose message may be shown to the user who gave the URL.
 */
export interface OutgoingHttp {
  /**
   * Sends a request and resolves with the head of the response; its body is read from there.
   * @throws OutgoingError; the reason of `signal` when that was aborted; TypeError for options that cannot be sent
   */
  request(url: string | URL, options?: OutgoingOptions): Promise<OutgoingResponse>
  /**
   * Returns the error with which a request to the URL would be refused now, before anything is sent: not a URL for
   * HTTP, or a host that is, or resolves to, an address that is not public, or that does not resolve at all
   * (`DNS_FAILED`). It connects to nothing. The result holds for this moment, and each request checks again.
   */
  refusalOf(url: string | URL, options?: Pick<OutgoingOptions, 'holder'>): Promise<OutgoingError | undefined>
}

export type OutgoingMethod = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

export interface OutgoingOptions {
  /** Default GET. */
  readonly method?: OutgoingMethod
  /**
   * The client sets headers that describe the connection (`host`, `content-length` and the like) and refuses them here.
   */
  readonly headers?: ConstructorParameters<typeof Headers>[0]
  readonly body?: string | Uint8Array
  /**
   * Follows so many redirects at the most; default 0, which hands out the redirect itself. Across origins only headers
   * that say nothing about the caller go along, and 301 to 303 turn into GET as browsers do it.
   */
  readonly redirectsMax?: number
  /**
   * Bounds the whole, from the name look-up to the last byte of the body; default 30,000, at most 600,000. Before that a
   * request waits at most 10 s for its turn among others, and fails with `BUSY` without one.
   */
  readonly timeoutMs?: number
  /** Bounds look-up, connection and TLS of each hop; default 10,000. */
  readonly connectTimeoutMs?: number
  /** Bounds the bytes of the body, as sent and as decompressed; default 10,485,760. */
  readonly bodyBytesMax?: number
  readonly signal?: AbortSignal
  /**
   * Names the workspace that gave the URL: with it, look-ups of its hosts that do not end leave room for those of others. Without it the
   * request has no such bound.
   */
  readonly holder?: string
  /** Called when the request has its turn, from when on its time runs. Not called for one that never has. */
  onTurn?(): void
}

export interface OutgoingResponse {
  readonly status: number
  readonly headers: Headers
  /** The URL that responded, after redirects. */
  readonly url: string
  /**
   * Holds the decompressed body. One of these consumes it once; what is not consumed ends with `timeoutMs`. Errors as
   * `bytes`.
   */
  readonly body: ReadableStream<Uint8Array>
  /**
   * Reads the whole body.
   * @throws OutgoingError TOO_LARGE beyond `bodyBytesMax`, TIMED_OUT, CONNECTION_FAILED, INVALID_RESPONSE
   */
  bytes(): Promise<Uint8Array>
  /** Reads the whole body as UTF-8; invalid bytes become U+FFFD. Errors as `bytes`. */
  text(): Promise<string>
  /**
   * Reads the first bytes of the body, however long that is, and closes the connection. For bodies that are shown and
   * not used.
   */
  beginning(bytesMax: number): Promise<Uint8Array>
  /** Closes the connection without reading further. */
  discard(): Promise<void>
  /** Milliseconds since the request had its turn. */
  timings(): OutgoingTimings
}

export interface OutgoingTimings {
  /** The connection that responded was open, TLS included. */
  readonly connectedMs: number
  /** Its status and headers had arrived. */
  readonly firstByteMs: number
  /** The last byte was read, or reading ended; undefined before that. */
  readonly totalMs: number | undefined
}

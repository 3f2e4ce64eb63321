import type { Method } from './method.ts'

/** A request that a handler has another route of this service carry out for its own caller. */
export interface RelayedRequest {
  readonly method: Method
  /** As the route declares it, e.g. `/v1/things/:id`; it gives JSON. */
  readonly path: string
  /** Parts of the path by their names, not encoded. */
  readonly params?: Readonly<Record<string, string>>
  readonly query?: URLSearchParams
  /** Sent as JSON; a `FormData` as a form. */
  readonly body?: unknown
}

export interface RelayedResponse {
  readonly status: number
  /** Parsed JSON; undefined where there is no body. */
  readonly body: unknown
  /** Given by refusals for now. */
  readonly retryAfterSeconds?: number
}

/**
 * Resolves to the response of the other route, failures included; one of over 1 MB is RESPONSE_TOO_LARGE. The first request that is relayed counts
 * with the one that it came with, each further one by itself.
 */
export type Relay = (request: RelayedRequest) => Promise<RelayedResponse>

import type { Method } from './method.ts'

/** A request that a handler has another route of this service carry out for its own caller. */
export interface RelayedRequest {
  readonly method: Method
  /** With its query, as `/v1/things?colour=red`. */
  readonly path: string
  /** Sent as JSON; a `FormData` as a form. */
  readonly body?: unknown
}

export interface RelayedResponse {
  readonly status: number
  /** Parsed JSON, the text of anything else, and undefined where there is no body. */
  readonly body: unknown
}

/** Resolves to the response of the other route, failures included. */
export type Relay = (request: RelayedRequest) => Promise<RelayedResponse>

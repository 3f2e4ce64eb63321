/** A request that did not succeed. Each code of the service has a class of its own, as `MemoryNotFoundError`. */
export class MnemeError extends Error {
  /** The service's `error_code`, or `UNREACHABLE`, `TIMED_OUT`, `REDIRECTED` or `NOT_COMPLETED`. */
  readonly code: string
  /** The HTTP status; 0 where there was no response. */
  readonly status: number
  /** The service's log shows it beside this request. */
  readonly requestId: string | undefined
  /** Every field at fault, where a request did not fit. */
  readonly details: readonly { readonly path: string; readonly message: string }[]
  /** The service asked to come back after so long. */
  readonly retryAfterMs: number | undefined

  constructor(message: string, { code, status = 0, requestId, details = [], retryAfterMs, cause }: ErrorParts) {
    super(message, cause === undefined ? undefined : { cause })
    this.name = new.target.name
    this.code = code
    this.status = status
    this.requestId = requestId
    this.details = details
    this.retryAfterMs = retryAfterMs
  }
}

export interface ErrorParts {
  readonly code: string
  readonly status?: number
  readonly requestId?: string | undefined
  readonly details?: MnemeError['details']
  readonly retryAfterMs?: number | undefined
  readonly cause?: unknown
}

/** The service, or a way to it, is not there. */
export class UnreachableError extends MnemeError {}

/** A request took longer than `timeoutMs`. */
export class TimedOutError extends MnemeError {}

/** Work in the background ended otherwise than as `COMPLETED`. */
export class NotCompletedError extends MnemeError {}

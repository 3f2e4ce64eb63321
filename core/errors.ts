import { STATUS_CODES } from 'node:http'

/** One field at fault in a request: `path` is dotted (`items.0.name`, `page`), `message` says what would be right. */
export interface ErrorDetail {
  path: string
  message: string
}

/** Defines what an error code means on the wire. `message` is the default sentence; a thrown error may say more. */
export interface ErrorDefinition {
  status: number
  message: string
}

/**
 * Maps each UPPER_SNAKE code to its definition. A plugin lists its own in its manifest; codes are unique across
 * plugins.
 */
export type ErrorRegistry = Readonly<Record<string, ErrorDefinition>>

/** The kernel itself responds with these codes. */
export const coreErrors = {
  VALIDATION_ERROR: { status: 400, message: 'The request failed validation.' },
  PASSWORD_CONFIRMATION_REQUIRED: {
    status: 400,
    message: "The X-Confirm-Password header is missing, or is not the account's password.",
  },
  UNAUTHORIZED: {
    status: 401,
    message: 'A valid API key in the X-Api-Key header, or the session of a signed-in account, is required.',
  },
  FORBIDDEN: { status: 403, message: 'This key lacks the permission for this operation.' },
  FEATURE_NOT_ENABLED: { status: 403, message: 'This feature is not enabled for the workspace.' },
  WORKSPACE_ACCESS_DENIED: { status: 403, message: 'This key has no access to the workspace.' },
  NOT_FOUND: { status: 404, message: 'There is nothing at this path.' },
  WORKSPACE_NOT_FOUND: { status: 404, message: 'No workspace has this id.' },
  METHOD_NOT_ALLOWED: { status: 405, message: 'This path does not answer this method.' },
  REQUEST_TIMEOUT: { status: 408, message: 'The request body did not arrive in time.' },
  IDEMPOTENCY_CONFLICT: {
    status: 409,
    message: 'This Idempotency-Key was used with another request.',
  },
  PRECONDITION_FAILED: { status: 412, message: 'The content has changed since it was last read; download it again.' },
  PAYLOAD_TOO_LARGE: { status: 413, message: 'The request body is too large.' },
  FILE_TOO_LARGE: { status: 413, message: 'The upload is too large.' },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, message: 'Send the body as application/json.' },
  RANGE_NOT_SATISFIABLE: { status: 416, message: 'The range lies beyond the end.' },
  RATE_LIMITED: { status: 429, message: 'Too many requests; retry after the time in Retry-After.' },
  QUOTA_EXCEEDED: { status: 429, message: 'The quota of the plan is used up.' },
  INTERNAL_ERROR: {
    status: 500,
    message: 'Something went wrong on our side; report the X-Request-Id of this response to the operator.',
  },
  RESPONSE_TOO_LARGE: { status: 500, message: 'The response is too large to be sent; ask for less at a time.' },
  SERVICE_UNAVAILABLE: { status: 503, message: 'The service is temporarily unavailable; retry shortly.' },
} as const satisfies ErrorRegistry

export interface AppErrorOptions {
  message?: string
  details?: ErrorDetail[]
  /** Sent as `Retry-After`, whole seconds, at least 1. */
  retryAfterSeconds?: number
  cause?: unknown
}

/** A handler throws no other failure; the kernel turns it into the error body of the contract. */
export class AppError extends Error {
  readonly code: string
  readonly status: number
  readonly details: ErrorDetail[] | undefined
  readonly retryAfterSeconds: number | undefined

  constructor(code: string, definition: ErrorDefinition, options: AppErrorOptions = {}) {
    super(options.message ?? definition.message, { cause: options.cause })
    this.name = 'AppError'
    this.code = code
    this.status = definition.status
    this.details = options.details
    this.retryAfterSeconds = options.retryAfterSeconds
  }
}

/**
 * Makes a thrower for the codes of a registry: `const fail = failWith(memoryErrors); throw fail('MEMORY_NOT_FOUND')`.
 * Only listed codes compile.
 */
export function failWith<R extends ErrorRegistry>(registry: R) {
  return (code: keyof R & string, options?: AppErrorOptions): AppError => {
    const definition = registry[code]
    if (!definition) throw new Error(`unknown error code ${code}`)
    return new AppError(code, definition, options)
  }
}

/** Throws the kernel's own failures. */
export const fail = failWith(coreErrors)

/** Makes a 400 whose details name each field at fault, up to {@link DETAILS_MAX}. */
export function validationError(found: readonly ErrorDetail[]): AppError {
  const details = found.slice(0, DETAILS_MAX).map(({ path, message }) => ({
    path: clipped(path, PATH_MAX),
    message: clipped(message, MESSAGE_MAX),
  }))
  const first = details[0]
  const message = first ? `${first.path}: ${first.message}` : coreErrors.VALIDATION_ERROR.message
  return fail('VALIDATION_ERROR', { message, details })
}

/** A client with a hundred faults to mend needs no more. */
export const DETAILS_MAX = 100

/** Names of fields are the caller's: a response shows their beginning and does not send back what may be megabytes. */
const PATH_MAX = 300
const MESSAGE_MAX = 1000
/** A message may quote what the caller sent, whoever wrote it. */
const WHOLE_MESSAGE_MAX = 2000

/** Returns a text with at most `max` UTF-16 units and a mark where more of it was left out. */
export function clipped(text: string, max: number): string {
  return text.length > max ? `${text.slice(0, max).toWellFormed()}…` : text
}

/** Returns the standard HTTP status text, e.g. `Not Found` for 404. */
export function statusText(status: number): string {
  return STATUS_CODES[status] ?? 'Error'
}

/** The JSON body of every failed request. */
export interface ErrorBody {
  status_code: number
  error: string
  message: string
  error_code: string
  details?: ErrorDetail[]
}

export function errorBody(error: AppError): ErrorBody {
  return {
    status_code: error.status,
    error: statusText(error.status),
    message: clipped(error.message, WHOLE_MESSAGE_MAX),
    error_code: error.code,
    ...(error.details ? { details: error.details } : {}),
  }
}

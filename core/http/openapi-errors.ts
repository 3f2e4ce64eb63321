import { type ErrorRegistry, statusText } from '../errors.ts'
import { keepsResponses, type Route } from './route.ts'
import { isUpload } from './upload.ts'

type Json = Record<string, unknown>

/** Describes the body of every failure of a server with these errors. */
export function errorSchema(errors: ErrorRegistry): Json {
  return {
    title: 'ApiError',
    type: 'object',
    required: ['status_code', 'error', 'message', 'error_code'],
    properties: {
      status_code: { type: 'integer', description: 'The HTTP status.', examples: [404] },
      error: { type: 'string', description: 'The standard HTTP status text.', examples: ['Not Found'] },
      message: { type: 'string', description: 'A sentence for people.' },
      error_code: { type: 'string', description: 'A word for programs.', enum: Object.keys(errors).toSorted() },
      details: {
        type: 'array',
        description: 'On validation errors: every field at fault.',
        items: {
          type: 'object',
          required: ['path', 'message'],
          properties: {
            path: { type: 'string', description: 'Where the field is, dotted.', examples: ['items.0.name'] },
            message: { type: 'string', description: 'What would be right.', examples: ['is required'] },
          },
        },
      },
    },
  }
}

/** Narrows the body of failures to the codes of one status, which generated clients tell apart as the cases of a union. */
export function errorSchemaOf(codes: readonly string[]): Json {
  const code = { type: 'string', enum: codes, description: 'Why, for programs.' }
  const own = { type: 'object', properties: { error_code: code } }
  return { allOf: [{ $ref: '#/components/schemas/ApiError' }, own] }
}

/** Groups the codes that a route may respond with by their statuses. */
export function codesByStatus(route: Route, hasFeature: boolean, errors: ErrorRegistry): Map<number, string[]> {
  const byStatus = new Map<number, string[]>()
  for (const code of codesOf(route, hasFeature)) {
    const status = errors[code]?.status ?? 500
    byStatus.set(status, [...(byStatus.get(status) ?? []), code])
  }
  return byStatus
}

function codesOf(route: Route, hasFeature: boolean): ReadonlySet<string> {
  const codes = new Set(route.errors ?? [])
  if (route.access !== 'public') {
    for (const code of ['UNAUTHORIZED', 'RATE_LIMITED', 'WORKSPACE_ACCESS_DENIED', 'WORKSPACE_NOT_FOUND'])
      codes.add(code)
    if (!route.beyondQuota) codes.add('QUOTA_EXCEEDED')
    // A session that changes something from another origin is forbidden everywhere.
    if (route.access !== 'anyKey' || route.method !== 'GET') codes.add('FORBIDDEN')
    if (hasFeature) codes.add('FEATURE_NOT_ENABLED')
  }
  // A probe has no other failure that is up to the caller, and readers of the document look for one in each operation.
  codes.add(route.probe ? 'METHOD_NOT_ALLOWED' : 'RATE_LIMITED')
  if (!route.ignoresUnknownQuery || route.query) codes.add('VALIDATION_ERROR')
  if (route.body) codes.add('UNSUPPORTED_MEDIA_TYPE')
  if (readsBody(route)) for (const code of ['PAYLOAD_TOO_LARGE', 'REQUEST_TIMEOUT']) codes.add(code)
  if (isUpload(route.body)) codes.add('FILE_TOO_LARGE')
  if (route.download) for (const code of ['PRECONDITION_FAILED', 'RANGE_NOT_SATISFIABLE']) codes.add(code)
  if (keepsResponses(route)) codes.add('IDEMPOTENCY_CONFLICT')
  for (const code of ['INTERNAL_ERROR', 'SERVICE_UNAVAILABLE']) codes.add(code)
  if (Object.values(route.responses).some(schema => schema !== null)) codes.add('RESPONSE_TOO_LARGE')
  return codes
}

/** Where no body is expected, one that is sent is read all the same, to say that its fields are unknown. */
function readsBody({ body, method, raw }: Route): boolean {
  return body !== undefined || (method !== 'GET' && !raw)
}

export function exampleError(code: string, errors: ErrorRegistry): Json {
  const definition = errors[code] ?? { status: 500, message: '' }
  return {
    status_code: definition.status,
    error: statusText(definition.status),
    message: definition.message,
    error_code: code,
  }
}

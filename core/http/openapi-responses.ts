import { type ErrorRegistry, statusText } from '../errors.ts'
import type { MountedRoute } from './mount.ts'
import { downloadResponses, responseContent } from './openapi-content.ts'
import type { PublishedSchemas, SharedParts } from './openapi-parts.ts'
import { keepsResponses, type Route } from './route.ts'
import { isUpload } from './upload.ts'

type Json = Record<string, unknown>
type HeaderName = keyof typeof HEADERS

/** Responses are described from these codes and into these collections. */
export interface ResponseParts {
  readonly errors: ErrorRegistry
  readonly schemas: PublishedSchemas
  readonly responses: SharedParts
  readonly examples: SharedParts
}

/** Describes all responses of a route, by their statuses; those of failures are shared with other routes. */
export function responsesOf({ route, feature }: MountedRoute, parts: ResponseParts): Json {
  const described = successes(route, parts.schemas)
  const failed = [...codesByStatus(route, feature !== undefined, parts.errors)]
    // A documented response wins over the shared error of its status, e.g. the 503 of /ready.
    .filter(([status]) => !(status in described))
    .map(([status, codes]) => [status, failure(route, String(status), codes, parts)])
  const succeeded = Object.entries(described).map(([status, response]) => [
    status,
    { ...response, headers: headers(headerNames(route, status)) },
  ])
  return Object.fromEntries([...failed, ...succeeded])
}

function successes(route: Route, schemas: PublishedSchemas): Record<string, Json> {
  const responses = Object.entries(route.responses).map(([status, schema]) => [
    status,
    { description: statusText(Number(status)), ...responseContent(route, Number(status), schema, schemas) },
  ])
  return { ...Object.fromEntries(responses), ...downloadResponses(route, schemas) }
}

function failure(route: Route, status: string, codes: readonly string[], parts: ResponseParts): Json {
  const { errors, responses, examples } = parts
  const names = headerNames(route, status)
  return responses.share(failureName(codes, names, status), {
    description: codes.map(code => `\`${code}\`: ${errors[code]?.message ?? ''}`).join('\n\n'),
    content: {
      'application/json': {
        schema: errorSchemaOf(codes),
        examples: Object.fromEntries(
          codes.map(code => [code, examples.share(code, { value: exampleError(code, errors) })]),
        ),
      },
    },
    headers: headers(names),
  })
}

/** Names a failure by its codes, as `MemoryNotFoundOrWorkspaceNotFound`, and tells apart those with other headers. */
function failureName(codes: readonly string[], names: readonly HeaderName[], status: string): string {
  const words = codes.map(code => code.toLowerCase().replace(/(?:^|_)([a-z0-9])/g, (_, first) => first.toUpperCase()))
  const name = words.join('Or')
  if (names.includes('Idempotent-Replayed')) return `Replayable${name}`
  return names.includes('RateLimit-Limit') || status === '401' ? name : `Public${name}`
}

function headers(names: readonly HeaderName[]): Json {
  return Object.fromEntries(names.map(name => [name, { $ref: `#/components/headers/${name}` }]))
}

function headerNames(route: Route, status: string): HeaderName[] {
  const names: HeaderName[] = ['X-Request-Id']
  if (route.access !== 'public' && status !== '401') names.push(...RATE_HEADERS)
  if (RETRIABLE.has(status)) names.push('Retry-After')
  const isSecret = route.secretResponse === true && status.startsWith('2')
  if (keepsResponses(route) && !isSecret && !NEVER_KEPT.test(status)) names.push('Idempotent-Replayed')
  if (route.setsCookie && status === '200') names.push('Set-Cookie')
  if (route.download) names.push(...(DOWNLOAD_HEADERS[status] ?? []))
  return names
}

const RATE_HEADERS = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'] as const

/** Responses with these statuses say when to come back. */
const RETRIABLE = new Set(['409', '429', '503'])

/** A repetition never gets a kept response with these statuses. */
const NEVER_KEPT = /^(401|403|429|5\d\d)$/

const OF_CONTENT = ['ETag', 'Last-Modified', 'Accept-Ranges', 'Content-Disposition'] as const

/** Lists the headers of a download's responses, by status. */
const DOWNLOAD_HEADERS: Readonly<Record<string, readonly HeaderName[]>> = {
  200: OF_CONTENT,
  206: [...OF_CONTENT, 'Content-Range'],
  304: OF_CONTENT,
  416: ['Content-Range'],
}

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

/** Describes the headers of responses, by their names in `components`. */
export const HEADERS = {
  'X-Request-Id': header(
    "The request's id, for questions about it: the caller's own `X-Request-Id`, if it sent a sane one.",
    '5b0c2f6e-6d0f-4f0a-9a51-0c6b6d1f5a11',
  ),
  'RateLimit-Limit': header('Requests that the key may send in a minute. Absent where rate limits are off.', 6000, 1),
  'RateLimit-Remaining': header('How many of them are left.', 5999, 0),
  'RateLimit-Reset': header('Seconds until the next window begins.', 42, 1),
  'Retry-After': header('Seconds after which the request may be sent again.', 2, 1),
  'Idempotent-Replayed': words(
    '`true` when this is the kept response to an earlier request with the same `Idempotency-Key`.',
    'true',
  ),
  'Set-Cookie': header(
    'The console session: HttpOnly, SameSite=Strict, and Secure behind https.',
    'mneme.session_token=…; Max-Age=604800; Path=/; HttpOnly; SameSite=Strict',
  ),
  ETag: header(
    'Names this content, for `If-None-Match` and `If-Range`. Absent where the content has no name.',
    '"3b5d5c3712955042212316173ccf37be"',
  ),
  'Last-Modified': header('When the content was made. Absent where nobody knows.', 'Sun, 22 Nov 2026 10:30:00 GMT'),
  'Accept-Ranges': words('`bytes` where a part can be asked for with `Range`, else `none`.', 'bytes', 'none'),
  'Content-Range': header('Which part of the whole this is, or how long the whole is (416).', 'bytes 0-1023/146515'),
  'Content-Disposition': header(
    'The name to save it as (RFC 6266). Absent where it has none.',
    'attachment; filename="notes.csv"',
  ),
} as const

function header(description: string, example: string | number, minimum?: number): Json {
  return { description, schema: minimum === undefined ? { type: 'string' } : { type: 'integer', minimum }, example }
}

function words(description: string, ...all: readonly string[]): Json {
  return { description, schema: { type: 'string', enum: all }, example: all[0] }
}

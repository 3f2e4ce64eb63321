import { type ErrorRegistry, statusText } from '../errors.ts'
import type { MountedRoute } from './mount.ts'
import { downloadResponses, responseContent } from './openapi-content.ts'
import { codesByStatus, errorSchemaOf, exampleError } from './openapi-errors.ts'
import type { HEADERS } from './openapi-headers.ts'
import type { PublishedSchemas } from './openapi-schemas.ts'
import type { SharedParts } from './openapi-shared.ts'
import { keepsResponses, type Route } from './route.ts'

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

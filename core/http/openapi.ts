import type { TObject, TSchema } from '@sinclair/typebox'
import { coreErrors, type ErrorRegistry, statusText } from '../errors.ts'
import type { AnyPlugin } from '../plugin.ts'
import type { MountedRoute } from './mount.ts'
import { downloadResponses, requestBodyOf, responseContent } from './openapi-content.ts'
import { HEADERS } from './openapi-headers.ts'
import { type PublishedSchemas, publishedSchemas } from './openapi-schemas.ts'
import { keepsResponses, type Route, takesIdempotencyKey } from './route.ts'
import { isUpload } from './upload.ts'

type Json = Record<string, unknown>

const ERROR_SCHEMA = {
  title: 'ApiError',
  type: 'object',
  required: ['status_code', 'error', 'message', 'error_code'],
  properties: {
    status_code: { type: 'integer', description: 'The HTTP status.', examples: [404] },
    error: { type: 'string', description: 'The standard HTTP status text.', examples: ['Not Found'] },
    message: { type: 'string', description: 'A sentence for people.' },
    error_code: { type: 'string', description: 'A word for programs.', examples: ['MEMORY_NOT_FOUND'] },
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

/** Responses with these statuses say when to come back. */
const RETRIABLE = new Set(['409', '429', '503'])

const WILDCARD = {
  name: 'path',
  in: 'path',
  required: true,
  description: 'The rest of the path.',
  schema: { type: 'string' },
}

/** Makes the OpenAPI 3.1 document of the mounted routes from the same schemas that validate. */
export function openApiDocument(routes: readonly MountedRoute[], plugins: readonly AnyPlugin[], version: string): Json {
  const errors: ErrorRegistry = Object.assign({}, coreErrors, ...plugins.map(plugin => plugin.errors ?? {}))
  const schemas = publishedSchemas()
  // The first of a name keeps it, so no plugin's schema can take this one's place.
  schemas.publish(ERROR_SCHEMA)
  const paths: Record<string, Json> = {}
  for (const mounted of routes) {
    const path = mounted.route.path.replace(/:([^/]+)/g, '{$1}').replace('*', '{path}')
    paths[path] = { ...paths[path], [mounted.route.method.toLowerCase()]: operation(mounted, errors, schemas) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Mneme',
      version,
      description:
        'Persistent memory for AI agents: store texts, find them by meaning and by words, and build on them.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    security: [{ apiKey: [] }, { bearer: [] }, { session: [] }],
    tags: tagsOf(routes),
    paths,
    components: {
      securitySchemes: {
        apiKey: { type: 'apiKey', in: 'header', name: 'X-Api-Key' },
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description: 'The same key, where a client sends bearer tokens only.',
        },
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: 'mneme.session_token',
          description: 'Set by signing in. Where users reach the service by https, `__Secure-` stands before its name.',
        },
      },
      headers: HEADERS,
      schemas: schemas.named,
    },
  }
}

/** Describes each tag once, by the plugin that has the first route of it. */
function tagsOf(routes: readonly MountedRoute[]): Json[] {
  const owners = new Map(routes.toReversed().map(mounted => [tagOf(mounted), mounted.owner]))
  return [...new Set(routes.map(tagOf))].map(name => ({ name, description: `Served by \`${owners.get(name)}\`.` }))
}

function tagOf({ route, owner }: MountedRoute): string {
  return route.tag ?? capitalised(owner)
}

/** Makes the name of an operation that declares none: `getV1ThingsId`. */
function placeName({ method, path }: Route): string {
  return `${method.toLowerCase()}${path.replace(/[^a-zA-Z0-9]+(.)?/g, (_, next: string | undefined) => (next ?? '').toUpperCase())}`
}

function operation(mounted: MountedRoute, errors: ErrorRegistry, schemas: PublishedSchemas): Json {
  const { route, feature, query } = mounted
  const requestBody = requestBodyOf(mounted, schemas)
  const notes = [route.description, accessNote(route), feature && `Needs the plan feature \`${feature}\`.`]
  return {
    operationId: route.operationId ?? placeName(route),
    tags: [tagOf(mounted)],
    summary: route.summary,
    description: notes.filter(Boolean).join('\n\n'),
    ...(route.access === 'public' ? { security: route.readsSession ? [{ session: [] }] : [] } : {}),
    ...(route.access === 'account' ? { security: [{ session: [] }] } : {}),
    ...(typeof route.access === 'object' ? { 'x-permission': route.access.permission } : {}),
    parameters: [
      ...parameters(route.params, 'path', schemas),
      ...(route.path.endsWith('*') ? [WILDCARD] : []),
      ...parameters(query.schema, 'query', schemas),
      ...headerParameters(route),
    ],
    ...(requestBody ? { requestBody } : {}),
    // A documented response wins over the shared error of its status, e.g. the 503 of /ready.
    responses: withHeaders(route, { ...failures(route, feature !== undefined, errors), ...successes(route, schemas) }),
  }
}

function withHeaders(route: Route, responses: Record<string, Json>): Json {
  const isKept = keepsResponses(route)
  const entries = Object.entries(responses).map(([status, response]) => {
    const names: (keyof typeof HEADERS)[] = ['X-Request-Id']
    if (route.access !== 'public' && status !== '401') names.push(...RATE_HEADERS)
    if (RETRIABLE.has(status)) names.push('Retry-After')
    const isSecret = route.secretResponse === true && status.startsWith('2')
    if (isKept && !isSecret && !NEVER_KEPT.test(status)) names.push('Idempotent-Replayed')
    if (route.setsCookie && status === '200') names.push('Set-Cookie')
    if (route.download) names.push(...(DOWNLOAD_HEADERS[status] ?? []))
    const headers = Object.fromEntries(names.map(name => [name, { $ref: `#/components/headers/${name}` }]))
    return [status, { ...response, headers }]
  })
  return Object.fromEntries(entries)
}

/** A repetition never gets a kept response with these statuses. */
const NEVER_KEPT = /^(401|403|429|5\d\d)$/

const OF_CONTENT = ['ETag', 'Last-Modified', 'Accept-Ranges', 'Content-Disposition'] as const

/** Lists the headers of a download's responses, by status. */
const DOWNLOAD_HEADERS: Readonly<Record<string, readonly (keyof typeof HEADERS)[]>> = {
  200: OF_CONTENT,
  206: [...OF_CONTENT, 'Content-Range'],
  304: OF_CONTENT,
  416: ['Content-Range'],
}

const RATE_HEADERS = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'] as const

function accessNote({ access, readsSession }: Route): string {
  if (access === 'public') return readsSession ? 'For a signed-in account only.' : 'Open to anyone.'
  if (access === 'anyKey') return 'Any valid key or session.'
  if (access === 'account') return 'For a signed-in account only, never for a key.'
  return `Permission: \`${access.permission}\`.`
}

function parameters(schema: TObject | undefined, place: 'path' | 'query', schemas: PublishedSchemas): Json[] {
  return Object.entries<TSchema>(schema?.properties ?? {}).map(([name, property]) => ({
    name,
    in: place,
    // A parameter with a default may be left out, though it is always there once the query is read.
    required: place === 'path' || ((schema?.required ?? []).includes(name) && property.default === undefined),
    ...(property.description ? { description: property.description } : {}),
    ...(property.type === 'array' ? { style: 'form', explode: false } : {}),
    schema: schemas.publish(property),
  }))
}

function headerParameters(route: Route): Json[] {
  const headers: Json[] = []
  if (takesIdempotencyKey(route)) {
    headers.push({
      name: 'Idempotency-Key',
      in: 'header',
      required: false,
      description: idempotencyNote(route),
      schema: { type: 'string', minLength: 1, maxLength: 255 },
    })
  }
  if (route.errors?.includes('PASSWORD_CONFIRMATION_REQUIRED')) {
    headers.push({
      name: 'X-Confirm-Password',
      in: 'header',
      required: true,
      description: "The account's password.",
      schema: { type: 'string' },
    })
  }
  return headers
}

function idempotencyNote(route: Route): string {
  if (route.relays) return 'Goes along to an operation that is a POST, which keeps its response.'
  if (!keepsResponses(route)) return 'Accepted, and not needed: the request only reads, so a repetition is carried out.'
  const notKept = 'Responses with 401, 403, 429 or 5xx are not kept: after them a repetition is carried out.'
  return route.secretResponse
    ? `Repeating a request with the same key within 24 hours does not carry it out again. Its response holds a secret and is not kept, so the repetition gets 409 \`IDEMPOTENCY_CONFLICT\`. ${notKept}`
    : `Repeating a request with the same key within 24 hours replays the first response. ${notKept}`
}

function successes(route: Route, schemas: PublishedSchemas): Record<string, Json> {
  const responses = Object.entries(route.responses).map(([status, schema]) => [
    status,
    { description: statusText(Number(status)), ...responseContent(route, Number(status), schema, schemas) },
  ])
  return { ...Object.fromEntries(responses), ...downloadResponses(route, schemas) }
}

function failures(route: Route, hasFeature: boolean, errors: ErrorRegistry): Record<string, Json> {
  const codes = new Set(route.errors ?? [])
  if (route.access !== 'public') {
    for (const code of ['UNAUTHORIZED', 'RATE_LIMITED', 'WORKSPACE_ACCESS_DENIED', 'WORKSPACE_NOT_FOUND'])
      codes.add(code)
    if (!route.beyondQuota) codes.add('QUOTA_EXCEEDED')
    // A session that changes something from another origin is forbidden everywhere.
    if (route.access !== 'anyKey' || route.method !== 'GET') codes.add('FORBIDDEN')
    if (hasFeature) codes.add('FEATURE_NOT_ENABLED')
  }
  if (!route.probe) codes.add('RATE_LIMITED')
  if (!route.ignoresUnknownQuery) codes.add('VALIDATION_ERROR')
  if (route.body) codes.add('UNSUPPORTED_MEDIA_TYPE')
  if (readsBody(route)) for (const code of ['PAYLOAD_TOO_LARGE', 'REQUEST_TIMEOUT']) codes.add(code)
  if (isUpload(route.body)) codes.add('FILE_TOO_LARGE')
  if (route.download) for (const code of ['PRECONDITION_FAILED', 'RANGE_NOT_SATISFIABLE']) codes.add(code)
  if (keepsResponses(route)) codes.add('IDEMPOTENCY_CONFLICT')
  for (const code of ['INTERNAL_ERROR', 'SERVICE_UNAVAILABLE']) codes.add(code)
  if (Object.values(route.responses).some(schema => schema !== null)) codes.add('RESPONSE_TOO_LARGE')
  const byStatus = new Map<number, string[]>()
  for (const code of codes) {
    const status = errors[code]?.status ?? 500
    byStatus.set(status, [...(byStatus.get(status) ?? []), code])
  }
  return Object.fromEntries(
    [...byStatus].map(([status, names]) => [
      String(status),
      {
        description: names.map(name => `\`${name}\`: ${errors[name]?.message ?? ''}`).join('\n\n'),
        content: {
          'application/json': {
            schema: { $ref: '#/components/schemas/ApiError' },
            examples: Object.fromEntries(names.map(name => [name, { value: exampleError(name, errors) }])),
          },
        },
      },
    ]),
  )
}

/** Where no body is expected, one that is sent is read all the same, to say that its fields are unknown. */
function readsBody({ body, method, raw }: Route): boolean {
  return body !== undefined || (method !== 'GET' && !raw)
}

function exampleError(code: string, errors: ErrorRegistry): Json {
  const definition = errors[code] ?? { status: 500, message: '' }
  return {
    status_code: definition.status,
    error: statusText(definition.status),
    message: definition.message,
    error_code: code,
  }
}

function capitalised(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1)
}

import type { TObject, TSchema } from '@sinclair/typebox'
import { coreErrors } from '../errors.ts'
import type { AnyPlugin } from '../plugin.ts'
import type { MountedRoute } from './mount.ts'
import { requestBodyOf } from './openapi-content.ts'
import { type PublishedSchemas, publishedSchemas, sharedParts, shareParameters } from './openapi-parts.ts'
import { errorSchema, HEADERS, type ResponseParts, responsesOf } from './openapi-responses.ts'
import { isForPeople, keepsResponses, type Route, takesIdempotencyKey } from './route.ts'

type Json = Record<string, unknown>

const WILDCARD = {
  name: 'path',
  in: 'path',
  required: true,
  description: 'The rest of the path.',
  schema: { type: 'string' },
}

const INFO = {
  title: 'Mneme',
  description: 'Persistent memory for AI agents: store texts, find them by meaning and by words, and build on them.',
  contact: { name: 'The operator of this server' },
  license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
}

/** Makes the OpenAPI 3.1 document of the mounted routes from the same schemas that validate. */
export function openApiDocument(
  mounted: readonly MountedRoute[],
  plugins: readonly AnyPlugin[],
  version: string,
  basePath = '',
): Json {
  const routes = mounted.filter(({ route }) => !route.failureBody)
  const parts = {
    errors: Object.assign({}, coreErrors, ...plugins.map(plugin => plugin.errors ?? {})),
    schemas: publishedSchemas(),
    responses: sharedParts('responses'),
    examples: sharedParts('examples'),
  }
  // The first of a name keeps it, so no plugin's schema can take this one's place.
  parts.schemas.publish(errorSchema(parts.errors))
  const operations = routes.map(mounted => operation(mounted, parts))
  const parameters = shareParameters(operations)
  const paths: Record<string, Json> = {}
  for (const [n, { route }] of routes.entries()) {
    const path = route.path.replace(/:([^/]+)/g, '{$1}').replace('*', '{path}')
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operations[n] }
  }
  return {
    openapi: '3.1.0',
    info: { ...INFO, version },
    servers: [{ url: basePath || '/' }],
    security: [{ apiKey: [] }, { bearer: [] }, { session: [] }],
    tags: tagsOf(routes),
    paths,
    components: {
      securitySchemes: {
        apiKey: { type: 'apiKey', in: 'header', name: 'X-Api-Key' },
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description:
            'The same key, where a client sends bearer tokens only. The schemes `Token` and `Api-Key` are read, too.',
        },
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: 'mneme.session_token',
          description: 'Set by signing in. Where users reach the service by https, `__Secure-` stands before its name.',
        },
      },
      parameters,
      headers: HEADERS,
      responses: parts.responses.named,
      examples: parts.examples.named,
      schemas: parts.schemas.named,
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

function operation(mounted: MountedRoute, parts: ResponseParts): Json & { parameters: Json[] } {
  const { route, feature, query } = mounted
  const { schemas } = parts
  const requestBody = requestBodyOf(mounted, schemas)
  const notes = [route.description, accessNote(route), feature && `Needs the plan feature \`${feature}\`.`]
  return {
    operationId: route.operationId ?? placeName(route),
    tags: [tagOf(mounted)],
    summary: route.summary,
    description: notes.filter(Boolean).join('\n\n'),
    ...(route.access === 'public' ? { security: PUBLIC[`${route.readsSession ?? false}`] } : {}),
    ...(isForPeople(route.access) ? { security: [{ session: [] }] } : {}),
    ...(typeof route.access === 'object' ? { 'x-permission': route.access.permission } : {}),
    parameters: [
      ...parameters(route.params, 'path', schemas),
      ...(route.path.endsWith('*') ? [WILDCARD] : []),
      ...parameters(query.schema, 'query', schemas),
      ...headerParameters(route),
    ],
    ...(requestBody ? { requestBody } : {}),
    responses: responsesOf(mounted, parts),
  }
}

/** An empty object stands for nobody in particular. */
const PUBLIC = { false: [], true: [{ session: [] }], optional: [{ session: [] }, {}] }

function accessNote({ access, readsSession }: Route): string {
  if (access === 'public') return readsSession === true ? 'For a signed-in account only.' : 'Open to anyone.'
  if (access === 'anyKey') return 'Any valid key or session.'
  if (isForPeople(access)) return 'For a signed-in account only, never for a key.'
  return `Permission: \`${access.permission}\`.`
}

function parameters(schema: TObject | undefined, place: 'path' | 'query', schemas: PublishedSchemas): Json[] {
  return Object.entries<TSchema>(schema?.properties ?? {}).map(([name, property]) => {
    const { description: _, ...published } = schemas.publish(property)
    return {
      name,
      in: place,
      // A parameter with a default may be left out, though it is always there once the query is read.
      required: place === 'path' || ((schema?.required ?? []).includes(name) && property.default === undefined),
      ...(property.description ? { description: property.description } : {}),
      ...(property.type === 'array' ? { style: 'form', explode: false } : {}),
      schema: published,
    }
  })
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

function capitalised(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1)
}

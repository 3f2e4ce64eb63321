import { describe, expect, test } from 'bun:test'
import { Type } from '@sinclair/typebox'
import type { Json } from '../../test/support/client.ts'
import { inlined } from '../../test/support/inlined.ts'
import { eraseTypes } from '../plugin.ts'
import { Switchboard } from '../ports.ts'
import { mountRoute } from './mount.ts'
import { openApiDocument } from './openapi.ts'
import { noContent, ok, type Route, routesOf } from './route.ts'
import { oneOf, text, uuid } from './validation.ts'

const route = routesOf<undefined>()

const things = eraseTypes({
  id: 'things',
  version: '1',
  apiVersion: 1,
  feature: 'hasThings',
  errors: { THING_NOT_FOUND: { status: 404, message: 'No thing has this id.' } },
  permissions: [{ name: 'Thing', permissions: { 'thing.write': 'Change things.' } }],
  routes: [
    route({
      method: 'POST',
      path: '/v1/things/:id',
      operationId: 'changeThing',
      access: { permission: 'thing.write' },
      summary: 'Change a thing',
      params: Type.Object({ id: uuid() }),
      query: Type.Object({
        kinds: Type.Optional(Type.Array(oneOf(['A', 'B']), { description: 'Which kinds.' })),
        page: Type.Integer({ minimum: 1, default: 1 }),
        word: Type.String(),
      }),
      body: Type.Object({ name: text({ maxLength: 5, notBlank: true }) }),
      responses: { 200: Type.Object({ name: Type.String() }), 204: null },
      examples: { body: { name: 'cup' } },
      errors: ['THING_NOT_FOUND', 'PASSWORD_CONFIRMATION_REQUIRED'],
      handle: () => ok({ name: 'x' }),
    }),
    route({
      method: 'POST',
      path: '/v1/things/keys',
      access: { permission: 'thing.write' },
      summary: 'Make a key',
      secretResponse: true,
      responses: { 201: Type.Object({ key: Type.String() }, { title: 'ApiError' }) },
      examples: { responses: { 201: { key: 'k' } } },
      handle: () => ok({ key: 'k' }),
    }),
    route({
      method: 'GET',
      path: '/v1/things/files/*',
      access: 'public',
      summary: 'Files',
      responses: { 200: null, 503: Type.Object({ reason: Type.String() }) },
      handle: () => noContent,
    }),
  ],
  setup: () => ({ scope: undefined }),
})

const served: Json = JSON.parse(
  JSON.stringify(
    openApiDocument(
      (things.routes ?? []).map(item =>
        mountRoute(
          item as Route,
          { id: 'things', feature: 'hasThings', enabled: true, scope: undefined },
          new Switchboard(),
        ),
      ),
      [things],
      '1.2.3',
    ),
  ),
)
const document = inlined(served, ['responses', 'parameters', 'examples'])
const change = document.paths['/v1/things/{id}'].post

describe('the reference', () => {
  test('is an OpenAPI 3.1 document of this version', () => {
    expect(document).toMatchObject({ openapi: '3.1.0', info: { title: 'Mneme', version: '1.2.3' } })
    expect(document.security).toEqual([{ apiKey: [] }, { bearer: [] }, { session: [] }])
  })

  test('names each operation as its route does, else by its place, and describes the tags', () => {
    expect(change.operationId).toBe('changeThing')
    expect(document.paths['/v1/things/keys'].post.operationId).toBe('postV1ThingsKeys')
    expect(document.tags).toEqual([{ name: 'Things', description: 'Served by `things`.' }])
  })

  test('has the shape of errors under its name, which no plugin can give to another one', () => {
    expect(document.components.schemas.ApiError.required).toContain('error_code')
    const made = document.paths['/v1/things/keys'].post.responses
    expect(made['201'].content['application/json'].schema.properties).toEqual({ key: { type: 'string' } })
    const own = { properties: { error_code: { enum: ['VALIDATION_ERROR'] } } }
    const schema = { allOf: [{ $ref: '#/components/schemas/ApiError' }, own] }
    expect(made['400'].content['application/json'].schema).toMatchObject(schema)
    expect(document.components.schemas.ApiError.properties.error_code.enum).toContain('THING_NOT_FOUND')
  })

  test('shows path, query and header parameters, the selection of a workspace included', () => {
    const parameters = change.parameters.map((item: Record<string, unknown>) => [item.in, item.name, item.required])
    expect(parameters).toEqual([
      ['path', 'id', true],
      ['query', 'kinds', false],
      ['query', 'page', false],
      ['query', 'word', true],
      ['query', 'workspace_id', false],
      ['header', 'Idempotency-Key', false],
      ['header', 'X-Confirm-Password', true],
    ])
    expect(change.parameters[1]).toMatchObject({ description: 'Which kinds.', style: 'form', explode: false })
  })

  test('says what a repetition gets: the first response, or 409 where that held a secret', () => {
    const secret = document.paths['/v1/things/keys'].post
    const note = ({ parameters }: Json) =>
      parameters.find(({ name }: Json) => name === 'Idempotency-Key').description as string
    expect(note(change)).toContain('replays the first response')
    expect(note(secret)).toContain('409 `IDEMPOTENCY_CONFLICT`')
    for (const operation of [change, secret]) expect(note(operation)).toContain('401, 403, 429 or 5xx are not kept')
    expect(Object.keys(secret.responses['201'].headers)).not.toContain('Idempotent-Replayed')
  })

  test('shows the body as it is checked, with its example', () => {
    const content = change.requestBody.content['application/json']
    expect(content.example).toEqual({ name: 'cup' })
    expect(content.schema).toMatchObject({ type: 'object', required: ['name'], additionalProperties: false })
    expect(Object.keys(content.schema.properties)).toEqual(['name', 'workspace_id'])
  })

  test('shows every response, those that every route shares included', () => {
    expect(Object.keys(change.responses).toSorted()).toEqual(
      ['200', '204', '400', '401', '403', '404', '408', '409', '413', '415', '429', '500', '503'].toSorted(),
    )
    expect(change.responses['204'].content).toBeUndefined()
    const codes = (status: string) => Object.keys(change.responses[status].content['application/json'].examples)
    expect(codes('404')).toEqual(['THING_NOT_FOUND', 'WORKSPACE_NOT_FOUND'])
    expect(codes('403')).toEqual(['WORKSPACE_ACCESS_DENIED', 'FORBIDDEN', 'FEATURE_NOT_ENABLED'])
    expect(codes('400')).toEqual(['PASSWORD_CONFIRMATION_REQUIRED', 'VALIDATION_ERROR'])
    expect(change.responses['404'].content['application/json'].examples.THING_NOT_FOUND.value).toEqual({
      status_code: 404,
      error: 'Not Found',
      message: 'No thing has this id.',
      error_code: 'THING_NOT_FOUND',
    })
  })

  test('has what operations share once, in its components', () => {
    const failures = served.paths['/v1/things/keys'].post.responses
    expect(failures['401']).toEqual({ $ref: '#/components/responses/Unauthorized' })
    expect(served.components.responses.Unauthorized.content['application/json'].examples).toEqual({
      UNAUTHORIZED: { $ref: '#/components/examples/UNAUTHORIZED' },
    })
  })

  test('tells apart failures of one code that have other headers', () => {
    const nameOf = (path: string, method: string) => served.paths[path][method].responses['400'].$ref.split('/').at(-1)
    expect(nameOf('/v1/things/keys', 'post')).toBe('ReplayableValidationError')
    expect(nameOf('/v1/things/files/{path}', 'get')).toBe('PublicValidationError')
  })

  test('shows what a body gets that is sent where none is expected', () => {
    const statuses = Object.keys(document.paths['/v1/things/keys'].post.responses)
    expect(statuses).toEqual(expect.arrayContaining(['400', '408', '413']))
    expect(statuses).not.toContain('415')
  })

  test('names the headers of each response', () => {
    const names = (status: string) => Object.keys(change.responses[status].headers)
    const limits = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset']
    expect(names('200')).toEqual(['X-Request-Id', ...limits, 'Idempotent-Replayed'])
    expect(names('401')).toEqual(['X-Request-Id'])
    expect(names('429')).toEqual(['X-Request-Id', ...limits, 'Retry-After'])
    expect(names('503')).toEqual(['X-Request-Id', ...limits, 'Retry-After'])
    for (const name of names('429')) expect(document.components.headers[name].description).toBeString()
  })

  test('says which permission and feature a route wants', () => {
    expect(change['x-permission']).toBe('thing.write')
    expect(change.description).toContain('Permission: `thing.write`.')
    expect(change.description).toContain('`hasThings`')
  })

  test('keeps a documented response apart from the shared error of the same status', () => {
    const files = document.paths['/v1/things/files/{path}'].get
    expect(files.security).toEqual([])
    expect(files.parameters).toMatchObject([{ name: 'path', in: 'path', required: true, schema: { type: 'string' } }])
    expect(files.responses['503'].content['application/json'].schema.properties).toHaveProperty('reason')
  })
})

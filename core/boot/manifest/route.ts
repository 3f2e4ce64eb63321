import { Type } from '@sinclair/typebox'
import type { Route } from '../../http/route.ts'
import { SHARE_CLASSES } from '../../http/shares.ts'
import type { NamedRow, RouteSubject } from '../../http/subject.ts'
import {
  anything,
  expected,
  flag,
  keyed,
  listOf,
  matching,
  method,
  objectOf,
  objectSchema,
  oneWord,
  optional,
  routeBody,
  schema,
  sentence,
} from './fields.ts'

export const errorCode = '^[A-Z][A-Z0-9]*(_[A-Z0-9]+)*$'

const text = () => Type.String(expected('a text'))

const access = Type.Union(
  [
    Type.Object({ permission: Type.String({ minLength: 1 }) }, { additionalProperties: false }),
    ...['anyKey', 'account', 'public'].map(word => Type.Literal(word)),
  ],
  expected("{ permission: '…' }, 'anyKey', 'account' or 'public'"),
)

const responses = Type.Record(
  Type.String({ pattern: '^[2-5][0-9]{2}$' }),
  Type.Union([schema(), Type.Null()], expected('a TypeBox schema, or null for a response without a body')),
  {
    minProperties: 1,
    ...keyed('a status from 200 to 599'),
    ...expected('an object of at least one status with its schema, e.g. { 200: Type.Object({ … }) }'),
  },
)

const heldTo = objectOf<RouteSubject>({
  user: optional(text()),
  agent: optional(text()),
  each: optional(text()),
  rows: optional(
    listOf(
      'row',
      objectOf<NamedRow>({
        table: matching('^[a-z0-9_]+[.][a-z0-9_]+$', 'a table as <schema>.<table>'),
        field: optional(text()),
        hasAgent: optional(flag()),
        missing: method('that makes the failure for an id that there is nothing of'),
      }),
    ),
  ),
  handler: optional(oneWord('user', 'agent')),
})

/** A route as `core/http/route.ts` types it. */
export const route = objectOf<Route>({
  method: oneWord('GET', 'POST', 'PUT', 'PATCH', 'DELETE'),
  path: matching('^/', 'a path that begins with /'),
  access,
  subject: optional(
    Type.Union(
      [Type.Literal('nobody'), heldTo],
      expected("'nobody', or an object of user, agent, each, rows and handler"),
    ),
  ),
  operationId: optional(matching('^[a-z][A-Za-z0-9_]*$', 'a name in camelCase, as createThing')),
  summary: sentence('a short sentence for the reference'),
  description: optional(text()),
  tag: optional(text()),
  params: optional(objectSchema()),
  query: optional(objectSchema()),
  ignoresUnknownQuery: optional(flag()),
  body: optional(routeBody()),
  bodyMaxBytes: optional(Type.Integer({ minimum: 1, ...expected('a whole number of bytes above 0') })),
  bodyValuesMax: optional(Type.Integer({ minimum: 1, ...expected('a whole number above 0') })),
  responses,
  responseMaxBytes: optional(Type.Integer({ minimum: 1, ...expected('a whole number of bytes above 0') })),
  contentType: optional(
    Type.Union([text(), Type.Array(text(), { minItems: 1 })], expected('a content type, or a list of them')),
  ),
  download: optional(flag()),
  examples: optional(
    objectOf<NonNullable<Route['examples']>>(
      { body: optional(anything()), response: optional(anything()), responses: optional(anything()) },
      expected('an object'),
    ),
  ),
  errors: optional(listOf('error code', matching(errorCode, 'an UPPER_SNAKE word'))),
  checks: optional(
    listOf(
      'check',
      objectOf<NonNullable<Route['checks']>[number]>(
        { fields: listOf('field', text()), faults: method('that finds faults') },
        expected('an object of fields and faults'),
      ),
    ),
  ),
  additions: optional(method('that says what contributions of other plugins add')),
  workspace: optional(
    Type.Union(
      [
        ...['select', 'none'].map(word => Type.Literal(word)),
        Type.Object({ param: Type.String({ minLength: 1 }) }, { additionalProperties: false }),
      ],
      expected("'select', 'none' or { param: '…' }"),
    ),
  ),
  beyondQuota: optional(flag()),
  raw: optional(flag()),
  reads: optional(flag()),
  relays: optional(flag()),
  readsHeaders: optional(listOf('header', matching('^[A-Za-z][A-Za-z0-9-]*$', 'the name of a header'))),
  probe: optional(flag()),
  share: optional(oneWord(...SHARE_CLASSES)),
  readsSession: optional(flag()),
  setsCookie: optional(flag()),
  secretResponse: optional(flag()),
  head: optional(method('that answers HEAD')),
  handle: method('that answers a request'),
})

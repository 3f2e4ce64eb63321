import { beforeAll, describe, expect, test } from 'bun:test'
import { randomUUID } from 'node:crypto'
import { Type } from '@sinclair/typebox'
import { Client } from '../../test/support/client.ts'
import { controlPlane } from '../../test/support/control-plane.ts'
import { fakeWorld } from '../../test/support/fake-world.ts'
import { gate } from '../../test/support/gate.ts'
import type { Database } from '../db/database.ts'
import { fail } from '../errors.ts'
import { createApp } from './app.ts'
import { createCors } from './cors.ts'
import { createIdempotency } from './idempotency.ts'
import { mountRoute } from './mount.ts'
import { created, type Route, routesOf } from './route.ts'
import { form, formStream } from './upload.ts'

let database: Database

beforeAll(async () => {
  database = (await controlPlane()).storage.database
})

interface Scope {
  runs: number
  /** While it is shut, a handler waits at its end. */
  opened: Promise<void>
  failure?: 'early' | 'outage'
}

const route = routesOf<Scope>()
const files = { file: { description: 'A file.', maxBytes: 1000 } }
const fields = Type.Object({ title: Type.String() })

async function count(scope: Scope) {
  const run = ++scope.runs
  await scope.opened
  if (scope.failure === 'outage') throw fail('SERVICE_UNAVAILABLE')
  return created({ run })
}

const shared = { method: 'POST', access: 'anyKey', summary: 'Take it', responses: { 201: Type.Any() } } as const
const routes = [
  route({ ...shared, path: '/v1/form', body: form({ fields, files }), handle: ({ scope }) => count(scope) }),
  route({
    ...shared,
    path: '/v1/stream',
    body: formStream({ fields, files }),
    async handle({ body, scope }) {
      if (scope.failure === 'early') throw fail('UNSUPPORTED_MEDIA_TYPE')
      for await (const file of body) for await (const _ of file);
      await body.fields()
      return count(scope)
    },
  }),
]

function world() {
  const scope: Scope = { runs: 0, opened: Promise.resolve() }
  const parts = { ...fakeWorld({ steps: [] }), idempotency: createIdempotency({ database }) }
  const app = createApp(
    routes.map(each => mountRoute(each as Route, { id: 'things', enabled: true, scope }, parts.wiring)),
    parts,
    createCors([]),
  )
  const client = new Client(app, { 'x-api-key': randomUUID() })
  const send = (path: string, content: string, key: string, title = 'x') => {
    const raw = new FormData()
    raw.append('title', title)
    raw.append('file', new Blob([content]), 'a.txt')
    return client.request('POST', path, { raw, headers: { 'idempotency-key': key } })
  }
  return { scope, send }
}

for (const path of ['/v1/form', '/v1/stream']) {
  describe(`an Idempotency-Key on POST ${path}`, () => {
    test('replays the first response to the same content, whatever boundary a client chose', async () => {
      const { scope, send } = world()
      const first = await send(path, 'abc', 'k')
      const again = await send(path, 'abc', 'k')
      expect([first.status, again.status, again.body, scope.runs]).toEqual([201, 201, { run: 1 }, 1])
      expect([first, again].map(({ headers }) => headers.get('idempotent-replayed'))).toEqual([null, 'true'])
    })

    test('is a conflict with other content', async () => {
      const { scope, send } = world()
      await send(path, 'abc', 'k')
      const other = await send(path, 'abd', 'k')
      expect([other.status, other.body.error_code, scope.runs]).toEqual([409, 'IDEMPOTENCY_CONFLICT', 1])
      expect((await send(path, 'abc', 'k', 'other title')).status).toBe(409)
      expect((await send(path, 'abc', 'k')).body).toEqual({ run: 1 })
    })

    test('runs one of two at once, and gives both its response', async () => {
      const { scope, send } = world()
      const { open, opened } = gate()
      scope.opened = opened
      const both = [send(path, 'abc', 'k'), send(path, 'abc', 'k')]
      open()
      const responses = await Promise.all(both)
      expect([responses.map(({ body }) => body), scope.runs]).toEqual([[{ run: 1 }, { run: 1 }], 1])
    })

    test('stays free after a failure of ours, so that a repetition runs', async () => {
      const { scope, send } = world()
      scope.failure = 'outage'
      expect((await send(path, 'abc', 'k')).status).toBe(503)
      delete scope.failure
      expect((await send(path, 'other', 'k')).body).toEqual({ run: 2 })
    })

    test('is not spent on content over the limit', async () => {
      const { scope, send } = world()
      expect((await send(path, 'x'.repeat(1_100_000), 'k')).status).toBe(413)
      scope.runs = 0
      expect((await send(path, 'abc', 'k')).body).toEqual({ run: 1 })
    })
  })
}

test('a refusal by the first bytes is not kept, since nobody read what it would be told apart by', async () => {
  const { scope, send } = world()
  scope.failure = 'early'
  expect((await send('/v1/stream', 'abc', 'k')).status).toBe(415)
  delete scope.failure
  expect((await send('/v1/stream', 'abd', 'k')).body).toEqual({ run: 1 })
})

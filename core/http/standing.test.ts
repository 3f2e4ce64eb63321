import { expect, test } from 'bun:test'
import { Type } from '@sinclair/typebox'
import { Client } from '../../test/support/client.ts'
import { fakeWorld } from '../../test/support/fake-world.ts'
import { ManualClock } from '../../test/support/manual-clock.ts'
import type { Tenant } from '../auth/caller.ts'
import { fail } from '../errors.ts'
import { createApp } from './app.ts'
import { createCors } from './cors.ts'
import { mountRoute } from './mount.ts'
import { ok, type Route, routesOf } from './route.ts'

const route = routesOf<undefined>()

/** A service whose handler stores something, lets `meanwhile` happen, stores more, and takes back both where that fails. */
function world(meanwhile: (world: World) => void) {
  const clock = new ManualClock()
  const given = fakeWorld({ steps: [], clock })
  const own: World = { clock, failure: undefined, permissions: 'all', isDeleted: false, looks: 0 }
  const stored: string[] = []
  const authenticator = {
    ...given.authenticator,
    async authenticate(request: Request) {
      own.looks++
      if (own.failure) throw own.failure
      return { ...(await given.authenticator.authenticate(request)), permissions: own.permissions }
    },
  }
  const directory = {
    ...given.directory,
    async select(...asked: Parameters<typeof given.directory.select>) {
      if (own.isDeleted) throw fail('WORKSPACE_NOT_FOUND')
      const found = await given.directory.select(...asked)
      return { ...found, transaction: (work: () => Promise<void>) => work() } as unknown as Tenant
    },
  }
  const store = (what: string) => async () => void stored.push(what)
  const storing = route({
    method: 'POST',
    path: '/v1/things',
    access: { permission: 'thing.write' },
    summary: 'Store',
    body: Type.Object({}),
    responses: { 200: Type.Any() },
    async handle({ tenant }) {
      try {
        await tenant.transaction(store('first'))
        meanwhile(own)
        await tenant.transaction(store('second'))
      } catch (error) {
        await tenant.transaction(store('taken back'), { undoes: true })
        throw error
      }
      return ok({})
    },
  })
  const relaying = route({
    method: 'POST',
    path: '/v1/relay',
    access: 'anyKey',
    relays: true,
    summary: 'Relay',
    body: Type.Object({}),
    responses: { 200: Type.Any() },
    handle: async ({ relay }) => ok(await relay({ method: 'POST', path: '/v1/things', body: {} })),
  })
  const parts = { ...given, authenticator, directory } as typeof given
  const mounted = [storing, relaying].map(item =>
    mountRoute(item as Route, { id: 'things', enabled: true, scope: undefined }, parts.wiring),
  )
  const client = new Client(createApp(mounted, parts, createCors([])), { 'x-api-key': 'owner' })
  return { own, stored, client }
}

interface World {
  readonly clock: ManualClock
  failure: Error | undefined
  permissions: 'all' | ReadonlySet<string>
  isDeleted: boolean
  looks: number
}

const LATE_MS = 500

test.each([
  ['its key was revoked', (own: World) => (own.failure = fail('UNAUTHORIZED')), 401],
  ['its key lost the permission', (own: World) => (own.permissions = new Set(['thing.read'])), 403],
  ['its workspace was deleted', (own: World) => (own.isDeleted = true), 404],
])('a request stores nothing more once %s, and takes back what it stored', async (_, change, status) => {
  const { client, stored } = world(own => {
    change(own)
    own.clock.advance(LATE_MS)
  })
  expect((await client.post('/v1/things', {})).status).toBe(status)
  expect(stored).toEqual(['first', 'taken back'])
})

test('a short request is looked at once', async () => {
  const { client, own, stored } = world(({ clock }) => clock.advance(LATE_MS - 1))
  expect((await client.post('/v1/things', {})).status).toBe(200)
  expect([own.looks, stored]).toEqual([1, ['first', 'second']])
})

test('a request that was relayed is judged by the key that its relay came with', async () => {
  const { client, stored } = world(own => {
    own.failure = fail('UNAUTHORIZED')
    own.clock.advance(LATE_MS)
  })
  const { status, body } = await client.post('/v1/relay', {})
  expect([status, body.status]).toEqual([200, 401])
  expect(stored).toEqual(['first', 'taken back'])
})

import { expect, test } from 'bun:test'
import { fakeWorld } from '../../test/support/fake-world.ts'
import { createApp } from './app.ts'
import { createCors } from './cors.ts'
import { mountRoute } from './mount.ts'
import { ok, type Route, routesOf } from './route.ts'

const route = routesOf<undefined>()({
  method: 'DELETE',
  path: '/v1/things',
  access: 'anyKey',
  summary: 'Delete',
  responses: { 200: null },
  handle: () => ok({}),
})

test('a method that nobody knows is refused in the shape of the contract, where the runtime lets it through', async () => {
  const parts = fakeWorld({ steps: [] })
  const mounted = mountRoute(route as Route, { id: 'things', enabled: true, scope: undefined }, parts.wiring)
  const fetch = createApp([mounted], parts, createCors([]))
  const outcome = async (path: string) => {
    const request = new Request(`http://localhost${path}`)
    // A request of Bun's own making would have GET in its place.
    Object.defineProperty(request, 'method', { value: 'FOO' })
    const response = await fetch(request)
    return [response.status, (await response.json()).error_code, response.headers.has('x-request-id')]
  }
  expect(await outcome('/v1/things')).toEqual([405, 'METHOD_NOT_ALLOWED', true])
  expect(await outcome('/v1/nothing')).toEqual([404, 'NOT_FOUND', true])
})

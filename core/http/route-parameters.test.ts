import { expect, test } from 'bun:test'
import { Client } from '../../test/support/client.ts'
import { fakeWorld } from '../../test/support/fake-world.ts'
import { createApp } from './app.ts'
import { createCors } from './cors.ts'
import { mountRoute } from './mount.ts'
import { ok, type Route, routesOf } from './route.ts'

const route = routesOf<undefined>()

test('each route has its own names for the parameters of a place, and other methods are refused there', async () => {
  const parts = fakeWorld({ steps: [] })
  const echo = (method: 'GET' | 'POST', path: string) =>
    route({
      method,
      path,
      access: 'anyKey',
      summary: 'x',
      responses: { 200: null },
      handle: ({ params }) => ok(params),
    })
  const named = [
    echo('GET', '/v1/boxes/:id'),
    echo('POST', '/v1/boxes/:name'),
    echo('POST', '/v1/boxes/:box_id/parts'),
    echo('GET', '/v1/boxes/:box/parts/:part'),
  ].map(item => mountRoute(item as Route, { id: 'boxes', enabled: true, scope: undefined }, parts.wiring))
  const own = new Client(createApp(named, parts, createCors([])), { 'x-api-key': 'owner' })
  expect((await own.get('/v1/boxes/a%2Fb')).body).toEqual({ id: 'a/b' })
  expect((await own.post('/v1/boxes/b', {})).body).toEqual({ name: 'b' })
  expect((await own.post('/v1/boxes/c/parts', {})).body).toEqual({ box_id: 'c' })
  expect((await own.get('/v1/boxes/d/parts/e')).body).toEqual({ box: 'd', part: 'e' })
  const refused = await own.delete('/v1/boxes/f')
  expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'GET, POST, HEAD'])
})

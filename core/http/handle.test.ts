import { expect, test } from 'bun:test'
import { Client } from '../../test/support/client.ts'
import { fakeWorld } from '../../test/support/fake-world.ts'
import { until } from '../../test/support/wait.ts'
import { createApp } from './app.ts'
import { createCors } from './cors.ts'
import { mountRoute } from './mount.ts'
import { pageQuery } from './paging.ts'
import { noContent, type Route, routesOf } from './route.ts'
import { sharesOf } from './shares.ts'
import { MB } from './sizes.ts'

const route = routesOf<undefined>()

test('requests beyond the share of their workspace wait behind their own, and those beyond the queue are to retry', async () => {
  const one = { running: 1, waiting: 1, waitMs: 1000, statementMs: 1 }
  const parts = fakeWorld({ steps: [], shares: { ...sharesOf('server'), light: one, bulk: one } })
  const ends: (() => void)[] = []
  const slow = (path: string, share?: 'bulk'): Route<undefined> =>
    route({
      method: 'POST',
      path,
      access: { permission: 'thing.write' },
      summary: 'Slow',
      responses: { 204: null },
      ...(share ? { share } : {}),
      handle: () => new Promise(resolve => ends.push(() => resolve(noContent))),
    })
  const mounted = [slow('/v1/slow'), slow('/v1/slow/bulk', 'bulk')].map(item =>
    mountRoute(item as Route, { id: 'things', enabled: true, scope: undefined }, parts.wiring),
  )
  const caller = new Client(createApp(mounted, parts, createCors([])), { 'x-api-key': 'owner' })
  const running = [caller.post('/v1/slow'), caller.post('/v1/slow')]
  await until('the second one waits', async () => parts.shares.permits.light.waiting === 1)
  const refused = await caller.post('/v1/slow')
  expect(refused).toMatchObject({ status: 429, body: { error_code: 'RATE_LIMITED' } })
  expect(refused.headers.get('retry-after')).toBe('1')
  const bulk = caller.post('/v1/slow/bulk')
  await until('the bulk write runs beside them', async () => ends.length === 2)
  ends[1]?.()
  expect((await bulk).status).toBe(204)
  ends[0]?.()
  await until('the second one runs', async () => ends.length === 3)
  ends[2]?.()
  expect((await Promise.all(running)).map(({ status }) => status)).toEqual([204, 204])
})

test('much memory is needed by classes of work, and by quick work on a body that may be long', async () => {
  const admitted: string[] = []
  const parts = { ...fakeWorld({ steps: [] }), memory: { admit: (kind: string) => void admitted.push(kind) } }
  const given = [
    {},
    { query: pageQuery },
    { share: 'heavy' },
    { bodyMaxBytes: 16 * MB },
    { share: 'heavy', bodyMaxBytes: 16 * MB },
  ] as const
  const mounted = given.map((more, n) =>
    mountRoute(
      route({
        method: 'POST',
        path: `/v1/things/${n}`,
        access: { permission: 'thing.write' },
        summary: 'Quick',
        responses: { 204: null },
        ...more,
        handle: () => noContent,
      }) as Route,
      { id: 'things', enabled: true, scope: undefined },
      parts.wiring,
    ),
  )
  const caller = new Client(createApp(mounted, parts, createCors([])), { 'x-api-key': 'owner' })
  for (const n of given.keys()) expect((await caller.post(`/v1/things/${n}`)).status).toBe(204)
  expect(admitted).toEqual(['light', 'heavy', 'heavy', 'bulk', 'heavy'])
})

import { expect, test } from 'bun:test'
import { fakeWorld } from '../../test/support/fake-world.ts'
import { ManualClock } from '../../test/support/manual-clock.ts'
import { until } from '../../test/support/wait.ts'
import { createApp } from './app.ts'
import { createCors } from './cors.ts'
import { mountRoute } from './mount.ts'
import { ok, type Route, routesOf } from './route.ts'
import { MB } from './sizes.ts'
import { Transfers } from './transfers.ts'

const route = routesOf<undefined>()
const take = route({
  method: 'POST',
  path: '/v1/things',
  access: 'anyKey',
  summary: 'Take',
  // The kernel does not read the body of such a route, which never arrives here.
  raw: true,
  responses: { 200: null },
  handle: () => ok({}),
})

/** A world in which keys that begin with `new` are looked up until `found` is called, and all others are known. */
function world() {
  const [clock, transfers] = [new ManualClock(), new Transfers()]
  const looking = Promise.withResolvers<void>()
  const parts = fakeWorld({ steps: [], clock, transfers })
  const isKnown = ({ headers }: Request) => headers.get('x-api-key')?.startsWith('new') !== true
  const authenticate = async (request: Request) => {
    if (!isKnown(request)) await looking.promise
    return parts.authenticator.authenticate(request)
  }
  const clientAddress = ({ headers }: Request) => headers.get('x-from') ?? ''
  const mounted = mountRoute(take as Route, { id: 'things', enabled: true, scope: undefined }, parts.wiring)
  const app = createApp(
    [mounted],
    { ...parts, clientAddress, authenticator: { isKnown, authenticate } },
    createCors([]),
  )
  const half = (headers: Record<string, string>, path = '/v1/things') => {
    const body = new ReadableStream<Uint8Array>({ pull: () => new Promise(() => undefined) }, { highWaterMark: 0 })
    return app(new Request(`http://localhost${path}`, { method: 'POST', body, headers }))
  }
  return { clock, transfers, half, found: looking.resolve }
}

for (const path of ['/v1/things', '/nowhere']) {
  test(`long bodies for ${path} whose keys are looked up have the share of their address`, async () => {
    const { clock, transfers, half, found } = world()
    const statuses: number[] = []
    const send = (headers: Record<string, string>) =>
      void half({ 'content-length': `${MB}`, ...headers }, path).then(({ status }) => statuses.push(status))
    for (let n = 0; n < 100; n++) send({ 'x-api-key': `new ${n}`, 'x-from': 'flood' })
    expect(transfers.memory.used).toBeGreaterThan(50 * MB)
    expect(transfers.memory.used).toBeLessThan(60 * MB)
    const refused = 100 - transfers.memory.used / MB
    await until('those beyond it are refused', async () => {
      clock.advance(500)
      return statuses.length === refused && statuses.every(status => status === 503)
    })
    const known = half({ 'content-length': `${MB}`, 'x-api-key': 'known', 'x-from': 'flood' }, path)
    const short = half({ 'content-length': '1000', 'x-api-key': 'new short', 'x-from': 'flood' }, path)
    const elsewhere = half({ 'content-length': `${MB}`, 'x-api-key': 'new neighbour', 'x-from': 'elsewhere' }, path)
    found()
    const others = [known, short, elsewhere]
    const outcomes: number[] = []
    for (const other of others) void other.then(({ status }) => outcomes.push(status))
    await until('all are answered', async () => {
      clock.advance(500)
      return statuses.length === 100 && outcomes.length === 3
    })
    expect(outcomes).toEqual(Array.from({ length: 3 }, () => (path === '/nowhere' ? 404 : 200)))
    expect(statuses.filter(status => status === 503)).toHaveLength(refused)
    expect(transfers.memory.used).toBe(0)
  })
}

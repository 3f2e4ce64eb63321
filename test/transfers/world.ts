import { createApp } from '../../core/http/app.ts'
import { createCors } from '../../core/http/cors.ts'
import { mountRoute } from '../../core/http/mount.ts'
import { sharesOf } from '../../core/http/shares.ts'
import { Transfers } from '../../core/http/transfers.ts'
import { Client } from '../support/client.ts'
import { fakeWorld } from '../support/fake-world.ts'
import { ManualClock } from '../support/manual-clock.ts'
import { type Seen, transferRoutes } from './routes.ts'

/** Serves the transfer routes in this process, in a world in which every key is known and time stands still. */
export function transferWorld() {
  const seen: Seen = { received: 0, opened: 0, ended: [], changed: 0, read: 0 }
  const [steps, observed]: [string[], unknown[][]] = [[], []]
  const [clock, transfers] = [new ManualClock(), new Transfers()]
  const shares = sharesOf('server')
  const parts = fakeWorld({
    steps,
    observed,
    clock,
    transfers,
    shares: { ...shares, heavy: { ...shares.heavy, running: 10_000 } },
  })
  const owner = { id: 'things', feature: 'graph', enabled: true, scope: seen }
  const app = createApp(
    transferRoutes.map(route => mountRoute(route, owner, parts.wiring)),
    parts,
    createCors([]),
  )
  const client = new Client(app, { 'x-api-key': 'owner' })
  const get = (path: string, headers: Record<string, string> = {}, options: RequestInit = {}) =>
    app(new Request(`http://localhost${path}`, { headers: { 'x-api-key': 'owner', ...headers }, ...options }))
  return { seen, steps, observed, clock, transfers, app, client, get }
}

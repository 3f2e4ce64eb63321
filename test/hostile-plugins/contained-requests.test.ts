import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { HANDLER_MAX_MS } from '../../core/http/standing.ts'
import { ManualClock } from '../support/manual-clock.ts'
import { hostileHandlers, roguePlugin } from './cases/requests.ts'
import { startWith, type World } from './world.ts'

const clock = new ManualClock()
let world: World

beforeAll(async () => {
  world = await startWith([roguePlugin], { clock })
}, 120_000)

afterAll(() => world.stop())

const well = async () => (await world.client.get('/v1/x/rogue/well')).status

describe('a handler goes wrong, its request gets a 500, the log names the plugin, and the next request is served', () => {
  for (const [n, { what, code, fault }] of hostileHandlers.entries()) {
    test(what, async () => {
      const before = world.lines.length
      const { status, body } = await world.client.get(`/v1/x/rogue/${n}`)
      expect({ status, code: body.error_code }).toEqual({ status: 500, code })
      expect(JSON.stringify(body)).not.toContain('rogue')
      const told = world.lines.slice(before).join('')
      expect(told).toContain(fault)
      expect(told).toContain('plugin rogue: request failed')
      expect(await well()).toBe(200)
    })
  }
})

test('a handler that never settles is given up, whose client has left or not, and holds up nobody', async () => {
  const leaving = new AbortController()
  const request = (signal?: AbortSignal) =>
    world.kernel.fetch(
      new Request('http://localhost/v1/x/rogue/hangs', {
        headers: world.client.headers,
        ...(signal ? { signal } : {}),
      }),
    )
  const waits = clock.waiting
  const [left, stayed] = [request(leaving.signal), request()]
  leaving.abort()
  expect(await well()).toBe(200)
  while (clock.waiting < waits + 2) await new Promise(resolve => setImmediate(resolve))
  clock.advance(HANDLER_MAX_MS)
  expect([(await left).status, (await stayed).status]).toEqual([500, 500])
  expect(world.lines.join('')).toContain(
    'plugin rogue: the handler of GET /v1/x/rogue/hangs did not settle within 600 s; its request is answered without it',
  )
  expect(clock.waiting).toBe(waits)
})

test('a status that the route does not list goes out, with one warning', async () => {
  for (let n = 0; n < 3; n++) expect((await world.client.get('/v1/x/rogue/undocumented')).status).toBe(418)
  const warning =
    'plugin rogue: the handler of GET /v1/x/rogue/undocumented responds with 418, which its `responses` do not list'
  expect(world.said().filter(line => line === warning)).toHaveLength(1)
})

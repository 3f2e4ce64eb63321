import { expect, test } from 'bun:test'
import { RequestError, Service } from './service.ts'

const HOUR_MS = 3_600_000
const dateIn = (ms: number) => new Date(Date.now() + ms).toUTCString()

/** Asks a service that is busy once and says so by the header. @returns the waits before it was asked again */
async function waitsFor(retryAfter: string): Promise<number[]> {
  const waits: number[] = []
  let asked = 0
  const send = async () =>
    asked++ > 0 ? new Response('{}') : new Response('{}', { status: 429, headers: { 'Retry-After': retryAfter } })
  const service = new Service({
    url: 'http://localhost',
    key: 'k',
    fetch: Object.assign(send, { preconnect: () => undefined }),
    pause: async ms => void waits.push(ms),
  })
  await service.json('GET', '/v1/memories')
  return waits
}

test('a service that is busy until an instant is asked again, after half a minute at the most', async () => {
  expect(await waitsFor(dateIn(60_000))).toEqual([30_000])
  expect(await waitsFor('7')).toEqual([7000])
})

test('an instant that is over, and a text that is none, ask for no wait of their own', async () => {
  for (const header of [dateIn(-HOUR_MS), 'soon', '', '-5', 'Infinity'])
    expect([header, await waitsFor(header)]).toEqual([header, [500]])
})

test('an instant that is hours away is a refusal', async () => {
  expect(await waitsFor(dateIn(2 * HOUR_MS)).catch((error: unknown) => error)).toBeInstanceOf(RequestError)
})

import { expect, test } from 'bun:test'
import { AppError } from '../errors.ts'
import { Switchboard } from '../ports.ts'
import { mountRoute } from './mount.ts'
import { jsonOf } from './respond.ts'
import { ok, type Route } from './route.ts'

const weather: Route = {
  method: 'GET',
  path: '/v1/x/weather/all',
  access: 'anyKey',
  summary: 'All',
  responses: { 200: null },
  responseMaxBytes: 1000,
  handle: () => ok({}),
}
const mounted = mountRoute(weather, { id: 'weather', enabled: true, scope: undefined }, new Switchboard())

function refusal(body: unknown, mostBytes?: number): { code?: string; message: string } {
  try {
    jsonOf(body, mounted, mostBytes)
  } catch (error) {
    if (error instanceof AppError) return { code: error.code, message: String(error.cause) }
    if (error instanceof Error) return { message: error.message }
  }
  return { message: 'it was written' }
}

test('the JSON of a response is what JSON.stringify makes of it, up to the last byte that it may have', () => {
  const body = { at: new Date(0), none: undefined, list: [1, 'é', undefined], toText: { toJSON: () => 'short' } }
  expect(jsonOf(body, mounted)).toBe(JSON.stringify(body))
  expect(jsonOf('é'.repeat(499), mounted)).toHaveLength(501)
  const named = 'plugin weather: the response of GET /v1/x/weather/all'
  const advice = "answer in pages or with a download, or raise the route's responseMaxBytes"
  expect(refusal('é'.repeat(500))).toEqual({
    code: 'RESPONSE_TOO_LARGE',
    message: `Error: ${named} is larger than 1000 bytes; ${advice}`,
  })
  expect(refusal('x'.repeat(100), 50).code).toBe('RESPONSE_TOO_LARGE')
})

test('a value that has no JSON is the fault of its plugin', () => {
  const circle: { self?: unknown } = {}
  circle.self = circle
  const named = 'plugin weather: the response of GET /v1/x/weather/all cannot be written as JSON'
  for (const body of [1n, circle]) expect(refusal(body).message).toContain(named)
  expect(refusal(() => 1).message).toBe(`${named}: it is a function`)
})

import { describe, expect, test } from 'bun:test'
import { createCors } from './cors.ts'

const HERE = 'https://app.example'
const ELSEWHERE = 'https://evil.example'

function request(origin: string | undefined, method = 'GET', headers: Record<string, string> = {}): Request {
  return new Request('http://localhost/v1/memories', { method, headers: { ...(origin ? { origin } : {}), ...headers } })
}

const preflight = (origin: string) => request(origin, 'OPTIONS', { 'access-control-request-method': 'POST' })

const allowed = (origins: string[], origin: string | undefined) =>
  createCors(origins).allow(request(origin), new Response('x', { headers: { vary: 'Accept' } })).headers

describe('browsers of other origins', () => {
  test('are refused unless settings allow them', () => {
    expect(createCors([]).preflight(preflight(HERE))).toBeUndefined()
    expect(allowed([], HERE).get('access-control-allow-origin')).toBeNull()
  })

  test('are let in by their exact origin only', () => {
    const cors = createCors([HERE])
    expect(cors.preflight(preflight(HERE))?.status).toBe(204)
    expect(cors.preflight(preflight(HERE))?.headers.get('access-control-allow-origin')).toBe(HERE)
    for (const origin of [ELSEWHERE, `${HERE}.evil.example`, HERE.replace('https', 'http'), `${HERE}:444`, 'null']) {
      expect(cors.preflight(preflight(origin))).toBeUndefined()
      expect(allowed([HERE], origin).get('access-control-allow-origin')).toBeNull()
    }
  })

  test('may send the headers of the contract, and those that routes read, and read those of a response', () => {
    const { headers } = createCors([HERE], ['X-Own']).preflight(preflight(HERE)) ?? new Response()
    for (const name of [
      'X-Api-Key',
      'Authorization',
      'Content-Type',
      'Idempotency-Key',
      'X-Confirm-Password',
      'X-Request-Id',
      'X-Own',
    ])
      expect(headers.get('access-control-allow-headers')).toContain(name)
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])
      expect(headers.get('access-control-allow-methods')).toContain(method)
    for (const name of ['X-Request-Id', 'Retry-After', 'RateLimit-Remaining'])
      expect(allowed([HERE], HERE).get('access-control-expose-headers')).toContain(name)
  })

  test('may resume a download', () => {
    const { headers } = createCors([HERE]).preflight(preflight(HERE)) ?? new Response()
    for (const name of ['Range', 'If-Range', 'If-Match', 'If-None-Match', 'traceparent'])
      expect(headers.get('access-control-allow-headers')?.split(', ')).toContain(name)
    for (const name of ['ETag', 'Accept-Ranges', 'Content-Range', 'Content-Disposition'])
      expect(allowed([HERE], HERE).get('access-control-expose-headers')?.split(', ')).toContain(name)
  })

  test('never get to use the console session', () => {
    for (const origins of [[HERE], ['*']]) {
      expect(allowed(origins, HERE).get('access-control-allow-credentials')).toBeNull()
      const response = createCors(origins).preflight(preflight(HERE))
      expect(response?.headers.get('access-control-allow-credentials')).toBeNull()
    }
  })

  test('are all let in by *', () => {
    expect(allowed(['*'], ELSEWHERE).get('access-control-allow-origin')).toBe('*')
  })
})

test('a cache keeps the responses for different origins apart', () => {
  expect(allowed([HERE], HERE).get('vary')).toBe('Accept, Origin')
  expect(allowed([HERE], undefined).get('vary')).toContain('Origin')
})

test('a request without an origin, or an OPTIONS that is no preflight, is left alone', () => {
  expect(allowed([HERE], undefined).get('access-control-allow-origin')).toBeNull()
  expect(createCors([HERE]).preflight(request(HERE, 'OPTIONS'))).toBeUndefined()
  expect(
    createCors([HERE]).preflight(request(HERE, 'GET', { 'access-control-request-method': 'POST' })),
  ).toBeUndefined()
})

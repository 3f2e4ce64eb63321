import { describe, expect, test } from 'bun:test'
import { assertSameOrigin } from './same-origin.ts'

const request = (method: string, headers: Record<string, string>) =>
  new Request('http://memory.example:3000/v1/memories', {
    method,
    headers: { host: 'memory.example:3000', ...headers },
  })

describe('requests with a session cookie', () => {
  test.each([
    ['GET', { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }],
    ['HEAD', { 'sec-fetch-site': 'cross-site' }],
    ['POST', { 'sec-fetch-site': 'same-origin', origin: 'http://memory.example:3000' }],
    ['POST', { 'sec-fetch-site': 'none' }],
    ['DELETE', {}],
    ['POST', { origin: 'http://memory.example:3000' }],
    ['POST', { origin: 'http://MEMORY.example:3000' }],
  ])('%s with %j passes', (method, headers) => {
    expect(() => assertSameOrigin(request(method, headers))).not.toThrow()
  })

  test.each([
    ['POST', { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }],
    ['POST', { 'sec-fetch-site': 'same-site', origin: 'http://other.memory.example' }],
    ['PATCH', { 'sec-fetch-site': 'cross-site' }],
    ['POST', { origin: 'https://evil.example' }],
    ['POST', { origin: 'http://memory.example' }],
    ['POST', { origin: 'null' }],
    ['POST', { origin: 'http://memory.example:3000.evil.example' }],
  ])('%s with %j is FORBIDDEN', (method, headers) => {
    expect(() => assertSameOrigin(request(method, headers))).toThrow(expect.objectContaining({ code: 'FORBIDDEN' }))
  })

  test('behind a proxy the public address counts, not the inner host', () => {
    const publicUrl = 'https://memory.example'
    expect(() => assertSameOrigin(request('POST', { origin: 'https://memory.example' }), publicUrl)).not.toThrow()
    expect(() => assertSameOrigin(request('POST', { origin: 'http://memory.example:3000' }), publicUrl)).toThrow()
  })
})

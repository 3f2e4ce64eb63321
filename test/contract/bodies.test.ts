import { beforeAll, describe, expect, test } from 'bun:test'
import type { Client } from '../support/client.ts'
import { type Subject, subject } from './subject.ts'

let service: Subject
let client: Client

beforeAll(async () => {
  service = await subject()
  client = (await service.account()).client
})

describe('bodies', () => {
  test('may have 1 MB, a list of memories 16 MB, and what is larger is refused with a response the client can read', async () => {
    const pad = (bytes: number) => JSON.stringify({ memory: 'x', metadata: { pad: 'y'.repeat(bytes) } })
    const post = (path: string, raw: string) =>
      client.request('POST', path, { raw, headers: { 'content-type': 'application/json' } })
    expect((await post('/v1/memories', pad(1024 * 1024))).body.message).toBe('The request body is larger than 1 MB.')
    // The body is read, and found to be no list.
    expect((await post('/v1/memories/batch', pad(1024 * 1024))).body.error_code).toBe('VALIDATION_ERROR')
    const signIn = await service.anonymous.post('/v1/auth/sign-in/email', {
      email: 'x'.repeat(16 * 1024),
      password: 'x',
    })
    expect(signIn.body.message).toBe('The request body is larger than 16 KB.')
    const big = JSON.stringify({ memory: 'x', metadata: { pad: 'y'.repeat(16 * 1024 * 1024) } })
    const response = await post('/v1/memories/batch', big)
    expect(response).toMatchObject({ status: 413, body: { error_code: 'PAYLOAD_TOO_LARGE' } })
  })

  test('have a bounded number of values, parameters and conditions, each refused in a few words', async () => {
    const refused = async (path: string, body: unknown) => {
      const response = await client.request('POST', path, { body })
      expect([path, response.status]).toEqual([path, 400])
      expect(JSON.stringify(response.body).length).toBeLessThan(20_000)
      return response.body.details
    }
    const many = (count: number, value: unknown = 1) =>
      Object.fromEntries(Array.from({ length: count }, (_, n) => [`k${n}`, value]))
    const tooManyValues = [{ path: 'body', message: 'must have at most 50000 values' }]
    expect(await refused('/v1/memories', { memory: 'x', metadata: { list: Array(50_000).fill(1) } })).toEqual(
      tooManyValues,
    )
    const items = Array.from({ length: 200_001 }, () => 1)
    expect(await refused('/v1/memories/batch', { memories: items })).toEqual([
      { path: 'body', message: 'must have at most 200000 values' },
    ])
    const conditions = [{ path: 'filter', message: 'must have at most 100 conditions' }]
    for (const filter of [many(40_000), { one: many(40_000) }])
      expect(await refused('/v1/memories/search', { query: 'x', filter })).toEqual(conditions)
    expect(await refused('/v1/memories', many(40_000))).toHaveLength(100)
    expect(await refused('/v1/memories/search', { query: 'x', filter: many(100, []) })).toHaveLength(100)
    const listed = (query: string) => client.get(`/v1/memories?${query}`)
    expect((await listed(Array.from({ length: 201 }, (_, n) => `p${n}=1`).join('&'))).body.details).toEqual([
      { path: 'query', message: 'must have at most 200 parameters' },
    ])
    expect((await listed(Array.from({ length: 200 }, (_, n) => `p${n}=1`).join('&'))).body.details).toHaveLength(100)
  })

  test('that nobody asked for are bounded, and refused for what they hold', async () => {
    const { id } = (await client.post('/v1/memories', { memory: 'Without a body' })).body
    for (const [raw, status] of [
      ['{}', 202],
      ['{"a": 1}', 400],
      [' '.repeat(1024 * 1024 + 1), 413],
    ] as const) {
      const response = await client.request('POST', `/v1/memories/${id}/reprocess`, { raw })
      expect([raw.length, response.status]).toEqual([raw.length, status])
    }
  })

  test('of unknown length are bounded just the same', async () => {
    const chunk = new Uint8Array(1024 * 1024).fill(0x20)
    let sent = 0
    const raw = new ReadableStream<Uint8Array>({
      pull: controller => (sent++ < 20 ? controller.enqueue(chunk) : controller.close()),
    })
    const response = await client.request('POST', '/v1/memories', {
      raw,
      headers: { 'content-type': 'application/json' },
    })
    expect(response).toMatchObject({ status: 413, body: { error_code: 'PAYLOAD_TOO_LARGE' } })
  })
})

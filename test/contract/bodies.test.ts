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
    // It is read, and found to be no list.
    expect((await post('/v1/memories/batch', pad(1024 * 1024))).body.error_code).toBe('VALIDATION_ERROR')
    const signIn = await service.anonymous.post('/v1/auth/sign-in/email', {
      email: 'x'.repeat(16 * 1024),
      password: 'x',
    })
    expect(signIn.body.message).toBe('The request body is larger than 16 KB.')
    const big = JSON.stringify({ memory: 'x', metadata: { pad: 'y'.repeat(16 * 1024 * 1024) } })
    const answer = await post('/v1/memories/batch', big)
    expect(answer).toMatchObject({ status: 413, body: { error_code: 'PAYLOAD_TOO_LARGE' } })
  })

  test('of unknown length are bounded just the same', async () => {
    const chunk = new Uint8Array(1024 * 1024).fill(0x20)
    let sent = 0
    const raw = new ReadableStream<Uint8Array>({
      pull: controller => (sent++ < 20 ? controller.enqueue(chunk) : controller.close()),
    })
    const answer = await client.request('POST', '/v1/memories', {
      raw,
      headers: { 'content-type': 'application/json' },
    })
    expect(answer).toMatchObject({ status: 413, body: { error_code: 'PAYLOAD_TOO_LARGE' } })
  })
})

import { describe, expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import { transferWorld } from '../../test/transfers/world.ts'
import { KB, MB } from './incoming-body.ts'

const sha256 = (content: string) => createHash('sha256').update(content).digest('hex')

describe('a body that is one file', () => {
  const post = (path: string, raw: BodyInit, type: string) =>
    transferWorld().client.request('POST', path, { raw, headers: { 'content-type': type } })

  test('reaches its handler', async () => {
    const content = '{"a":1}\n'.repeat(10_000)
    expect((await post('/v1/bytes', content, 'application/x-ndjson; charset=utf-8')).body).toEqual({
      name: '',
      filename: null,
      contentType: 'application/x-ndjson; charset=utf-8',
      head: '{"a"',
      size: content.length,
      sha256: sha256(content),
    })
    expect((await post('/v1/bytes', '', 'application/octet-stream')).body.size).toBe(0)
  })

  test('is refused in another type, or encoded', async () => {
    expect((await post('/v1/bytes', 'x', 'text/csv')).body).toMatchObject({
      error_code: 'UNSUPPORTED_MEDIA_TYPE',
      message: 'Send the body as application/x-ndjson or application/octet-stream.',
    })
    const encoded = await transferWorld().client.request('POST', '/v1/picky', {
      raw: 'x',
      headers: { 'content-type': 'a/b', 'content-encoding': 'gzip' },
    })
    expect(encoded.status).toBe(415)
  })

  test('may be refused by its first bytes', async () => {
    expect((await post('/v1/picky', '%PDF-1.7 …', 'application/pdf')).status).toBe(201)
    expect((await post('/v1/picky', 'MZ…', 'application/pdf')).status).toBe(415)
  })
})

test('a raw route reads the request itself, up to its limit', async () => {
  const { client } = transferWorld()
  const send = (bytes: number) => client.request('POST', '/v1/raw', { raw: new Uint8Array(bytes) })
  expect((await send(100 * KB)).body).toEqual({ size: 100 * KB })
  expect(await send(100 * KB + 1)).toMatchObject({ status: 413, body: { error_code: 'PAYLOAD_TOO_LARGE' } })
})

test('a route without a body cannot read more of one than the limit', async () => {
  const { client } = transferWorld()
  const send = (bytes: number) => client.request('POST', '/v1/bodiless', { raw: new Uint8Array(bytes) })
  expect((await send(MB)).body).toEqual({ size: MB })
  expect(await send(MB + 1)).toMatchObject({ status: 413, body: { error_code: 'PAYLOAD_TOO_LARGE' } })
})

test('the handler of an upload finds no body in its request, where no limit would hold', async () => {
  const { client } = transferWorld()
  const headers = { 'content-type': 'application/octet-stream' }
  const { body } = await client.request('POST', '/v1/unread', { raw: new Uint8Array(10), headers })
  expect(body).toEqual({ inRequest: 0, inBody: 10 })
})

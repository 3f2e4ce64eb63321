import assert from 'node:assert/strict'
import { brotliCompressSync, constants, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import { PUBLIC } from '../internet.test-support.ts'
import { type ClientCase, failsWith } from './case.test-support.ts'

const URL_OF_IT = 'http://public.test/'
const TEXT = 'To be read. '.repeat(5000)

const compress = {
  gzip: gzipSync,
  'x-gzip': gzipSync,
  br: (bytes: string | Buffer) => brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 3 } }),
  deflate: deflateSync,
}

/** Serves a body in a coding; each case has one. */
function encoded(
  name: string,
  coding: string,
  body: string | Buffer,
  check: (world: Parameters<ClientCase['run']>[0]) => Promise<unknown>,
): ClientCase {
  return {
    name,
    async run(world) {
      await world.internet.serve(PUBLIC, (_, response) =>
        response.writeHead(200, coding === '' ? {} : { 'content-encoding': coding }).end(body),
      )
      world.internet.names.set('public.test', [PUBLIC])
      await check(world)
    },
  }
}

const codings = Object.entries(compress)

export const bodyCases: readonly ClientCase[] = [
  ...[
    ...codings,
    ['deflate', deflateRawSync] as const,
    ...['identity', 'utf-8', 'none', 'constructor'].map(name => [name, (text: string) => Buffer.from(text)] as const),
  ].map(([coding, pack], n) =>
    encoded(`reads a body in ${coding} (${n})`, coding, pack(TEXT), async ({ client }) =>
      assert.equal(await (await client.request(URL_OF_IT)).text(), TEXT),
    ),
  ),
  ...codings.map(([coding, pack]) =>
    encoded(
      `stops where ${coding} swells beyond the limit`,
      coding,
      pack(Buffer.alloc(50_000_000)),
      async ({ client }) => {
        const response = await client.request(URL_OF_IT, { bodyBytesMax: 1_048_576 })
        const error = await failsWith('TOO_LARGE', response.bytes())
        assert.equal(error.message, 'The response of public.test is larger than 1 MB.')
      },
    ),
  ),
  encoded('counts what is sent too, where that decompresses to nothing', 'gzip', manyEmpty(), async ({ client }) => {
    await failsWith('TOO_LARGE', (await client.request(URL_OF_IT, { bodyBytesMax: 1000 })).bytes())
  }),
  ...['gzip, gzip', 'br,gzip', 'zstd', 'x-compress'].map(coding =>
    encoded(`does not read a body in ${coding}`, coding, gzipSync(gzipSync(TEXT)), async ({ client }) => {
      await failsWith('INVALID_RESPONSE', (await client.request(URL_OF_IT)).text())
    }),
  ),
  ...(
    [
      ['broken off', gzipSync(TEXT).subarray(0, 100)],
      ['none at all', Buffer.from('This is plain.')],
    ] as const
  ).map(([what, body]) =>
    encoded(`says of gzip that is ${what} that it is broken`, 'gzip', body, async ({ client }) => {
      await failsWith('INVALID_RESPONSE', (await client.request(URL_OF_IT)).text())
    }),
  ),
  encoded('reads up to the limit', '', 'x'.repeat(1000), async ({ client }) => {
    assert.equal((await (await client.request(URL_OF_IT, { bodyBytesMax: 1000 })).bytes()).length, 1000)
    await failsWith('TOO_LARGE', (await client.request(URL_OF_IT, { bodyBytesMax: 999 })).bytes())
  }),
  encoded('gives the body as a stream, within the same limit', '', Buffer.alloc(300_000, 'y'), async ({ client }) => {
    let bytes = 0
    for await (const chunk of (await client.request(URL_OF_IT)).body) bytes += chunk.byteLength
    assert.equal(bytes, 300_000)
    const reader = (await client.request(URL_OF_IT, { bodyBytesMax: 100_000 })).body.getReader()
    const rest = async (): Promise<void> => ((await reader.read()).done ? undefined : rest())
    await failsWith('TOO_LARGE', rest())
  }),
  encoded('lets a stream be given up halfway', '', Buffer.alloc(5_000_000), async ({ client }) => {
    const reader = (await client.request(URL_OF_IT)).body.getReader()
    assert.equal((await reader.read()).done, false)
    await reader.cancel()
    assert.equal((await reader.read()).done, true)
  }),
  encoded('gives the beginning of what is too large to be read', '', 'abc'.repeat(100_000), async ({ client }) => {
    const response = await client.request(URL_OF_IT, { bodyBytesMax: 200_000 })
    assert.equal(new TextDecoder().decode(await response.beginning(7)), 'abcabca')
  }),
  encoded('gives a body once', '', 'x', async ({ client }) => {
    const response = await client.request(URL_OF_IT)
    assert.equal(await response.text(), 'x')
    await assert.rejects(response.text(), TypeError)
  }),
  encoded('reads nothing of a body that is discarded', '', Buffer.alloc(5_000_000), async ({ client }) => {
    const response = await client.request(URL_OF_IT)
    await response.discard()
    assert.ok(response.timings().totalMs !== undefined)
    await assert.rejects(response.text())
  }),
]

/** Repeats gzip of nothing, which gives any number of bytes that decompress to none. */
function manyEmpty(): Buffer {
  return Buffer.concat(Array.from({ length: 200 }, () => gzipSync('')))
}

import { describe, expect, test } from 'bun:test'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fakeWorld } from '../../test/support/fake-world.ts'
import { until } from '../../test/support/wait.ts'
import { patternAt } from '../../test/transfers/routes.ts'
import { transferWorld } from '../../test/transfers/world.ts'
import { InFlight } from '../boot/in-flight.ts'
import { createApp } from './app.ts'
import { createCors } from './cors.ts'
import { endOf } from './deliver.ts'
import { contentTypeOf, fileDownload } from './download.ts'
import { mountRoute } from './mount.ts'
import { ok, type Route, routesOf } from './route.ts'
import { KB, MB } from './sizes.ts'

const bytesOf = async (response: Response) => new Uint8Array(await response.arrayBuffer())

describe('a download', () => {
  test('tells its length, name, type and version, and gives every byte', async () => {
    const { get, seen } = transferWorld()
    for (const size of [0, 1, 100 * KB, 3 * MB + 5]) {
      const response = await get(`/v1/download/${size}`)
      const { headers } = response
      expect([size, response.status, await bytesOf(response)]).toEqual([size, 200, patternAt(0, size)])
      expect(Object.fromEntries(headers)).toMatchObject({
        'content-type': 'text/csv',
        'content-length': String(size),
        'content-disposition': `attachment; filename="Gr??e ?1? of\\\\2.csv"; filename*=UTF-8''Gr%C3%B6%C3%9Fe%20%E2%80%9E1%E2%80%9C%20of%5C2.csv`,
        etag: `"v${size}"`,
        'last-modified': 'Sun, 01 Mar 2026 09:30:00 GMT',
        'accept-ranges': 'bytes',
        'cache-control': 'private, no-cache',
        'x-content-type-options': 'nosniff',
      })
    }
    expect(seen.ended).toEqual(['whole', 'whole', 'whole'])
  })

  test('gives a part, and reads no more than that', async () => {
    const { get } = transferWorld()
    const size = 2 * MB
    for (const [range, start, end] of [
      ['bytes=1048579-1048590', 1048579, 1048591],
      ['bytes=1000000-', 1000000, size],
      ['bytes=-7', size - 7, size],
    ] as const) {
      const response = await get(`/v1/download/${size}`, { range })
      expect([response.status, response.headers.get('content-range')]).toEqual([
        206,
        `bytes ${start}-${end - 1}/${size}`,
      ])
      expect(response.headers.get('content-length')).toBe(String(end - start))
      expect(await bytesOf(response)).toEqual(patternAt(start, end))
    }
  })

  test('is resumed only while it is the same', async () => {
    const { get } = transferWorld()
    const resumed = async (condition: string) =>
      (await get('/v1/download/1000', { range: 'bytes=500-', 'if-range': condition })).status
    expect([await resumed('"v1000"'), await resumed('"v999"')]).toEqual([206, 200])
  })

  test('is not opened for what needs none of its bytes', async () => {
    const { get, seen } = transferWorld()
    const large = '/v1/download/1000000000000'
    const head = await get(large, { range: 'bytes=0-9' }, { method: 'HEAD' })
    expect([head.status, head.headers.get('content-length'), head.headers.get('etag')]).toEqual([
      200,
      '1000000000000',
      '"v1000000000000"',
    ])
    expect(head.body).toBeNull()
    const same = await get(large, { 'if-none-match': '"v1000000000000"' })
    expect([same.status, same.headers.get('etag'), same.headers.get('content-length')]).toEqual([
      304,
      '"v1000000000000"',
      null,
    ])
    const beyond = await get(large, { range: 'bytes=1000000000000-' })
    expect([beyond.status, beyond.headers.get('content-range')]).toEqual([416, 'bytes */1000000000000'])
    expect(await beyond.json()).toMatchObject({ error_code: 'RANGE_NOT_SATISFIABLE', status_code: 416 })
    expect((await get(large, { 'if-match': '"other"' })).status).toBe(412)
    expect(seen).toMatchObject({ opened: 0 })
  })

  test('that fails before its first byte is an ordinary failure', async () => {
    const { get } = transferWorld()
    for (const size of [10, 3 * MB]) {
      const response = await get(`/v1/download/${size}?fault=early`)
      expect([response.status, response.headers.get('etag'), response.headers.get('content-disposition')]).toEqual([
        404,
        null,
        null,
      ])
      expect(await response.json()).toMatchObject({ error_code: 'NOT_FOUND' })
    }
    expect((await get('/v1/download/1000?fault=short')).status).toBe(500)
  })

  test('that breaks off or falls short never looks complete', async () => {
    const { get, observed } = transferWorld()
    for (const fault of ['late', 'short']) {
      const response = await get(`/v1/download/${3 * MB}?fault=${fault}`)
      expect(response.status).toBe(200)
      expect(
        await response.arrayBuffer().then(
          () => 'complete',
          () => 'cut',
        ),
      ).toBe('cut')
      await endOf(response)
    }
    expect(observed).toHaveLength(2)
  })

  test('without a size has no parts', async () => {
    const { get } = transferWorld()
    const response = await get('/v1/unsized', { range: 'bytes=0-3' })
    expect([response.status, response.headers.get('accept-ranges'), await response.text()]).toEqual([
      200,
      'none',
      'line 0\nline 1\nline 2\n',
    ])
  })
})

describe('a download under way', () => {
  test('counts until its last byte, and is measured then', async () => {
    const { get, observed, seen } = transferWorld()
    const inFlight = new InFlight()
    const response = await inFlight.track(get(`/v1/download/${3 * MB}`))
    let drained = false
    const draining = inFlight.drained(60_000).then(() => {
      drained = true
    })
    const reader = response.body?.getReader()
    await reader?.read()
    expect([drained, observed]).toEqual([false, []])
    while (!(await reader?.read())?.done);
    await draining
    expect([seen.ended, observed]).toEqual([['whole'], [['GET', '/v1/download/:size', 200, expect.any(Number)]]])
  })

  test('ends its source when the client goes away', async () => {
    const { get, seen } = transferWorld()
    const response = await get(`/v1/download/${30 * MB}`)
    const reader = response.body?.getReader()
    await reader?.read()
    await reader?.cancel()
    await endOf(response)
    expect(seen.ended).toEqual(['aborted'])
  })

  test('ends its source when the connection breaks before the first byte was taken', async () => {
    const { get, seen } = transferWorld()
    const gone = new AbortController()
    const response = await get(`/v1/download/${30 * MB}?pauseMs=60000`, {}, { signal: gone.signal })
    gone.abort()
    await endOf(response)
    expect(seen.ended).toEqual(['aborted'])
  })

  test('ends with the service, once its source is through', async () => {
    const { get, seen, transfers } = transferWorld()
    const response = await get(`/v1/download/${30 * MB}`)
    const reading = response.arrayBuffer().then(
      () => 'complete',
      () => 'cut',
    )
    transfers.cutAll()
    expect(await reading).toBe('cut')
    await endOf(response)
    expect([seen.ended, transfers.count]).toEqual([['aborted'], 0])
  })

  test('ends when its client takes no byte for two minutes', async () => {
    const { get, seen, clock } = transferWorld()
    const response = await get(`/v1/download/${30 * MB}`)
    const reader = response.body?.getReader()
    await reader?.read()
    clock.advance(119_000)
    await reader?.read()
    clock.advance(119_999)
    expect(seen.ended).toEqual([])
    clock.advance(1)
    await endOf(response)
    expect(seen.ended).toEqual(['aborted'])
    expect(
      await reader?.read().then(
        () => 'more',
        () => 'cut',
      ),
    ).toBe('cut')
  })

  test('is over ten seconds after its client, though its source takes no notice', async () => {
    const { get, clock, transfers } = transferWorld()
    const response = await get(`/v1/download/${30 * MB}?fault=deaf`)
    const reader = response.body?.getReader()
    await reader?.read()
    void reader?.read()
    await reader?.cancel()
    expect(transfers.count).toBe(1)
    clock.advance(10_000)
    await endOf(response)
    expect(transfers.count).toBe(0)
  })

  test('leaves no timer behind', async () => {
    const { get, clock, transfers } = transferWorld()
    const response = await get(`/v1/download/${3 * MB}`)
    await response.arrayBuffer()
    await endOf(response)
    expect([clock.waiting, transfers.count]).toEqual([0, 0])
  })
})

test('a stream of a raw route counts as under way, and ends with its client', async () => {
  const { get, seen } = transferWorld()
  const response = await get('/v1/events')
  const reader = response.body?.getReader()
  expect(new TextDecoder().decode((await reader?.read())?.value)).toBe('data: 1\n\n')
  expect(endOf(response)).toBeDefined()
  await reader?.cancel()
  await until('the stream is cancelled', async () => seen.ended.includes('cancelled'))
  const head = await get('/v1/events', {}, { method: 'HEAD' })
  expect([head.status, head.body]).toEqual([200, null])
})

test('HEAD runs what a route has for it in place of its handler', async () => {
  const calls: string[] = []
  const costly = routesOf<undefined>()({
    method: 'GET',
    path: '/v1/costly',
    access: 'public',
    summary: 'Costly',
    responses: { 200: null },
    head() {
      calls.push('head')
      return { status: 200, headers: { 'content-length': '5' } }
    },
    handle() {
      calls.push('handle')
      return ok('x')
    },
  })
  const parts = fakeWorld({ steps: [] })
  const app = createApp(
    [mountRoute(costly as Route, { id: 'things', enabled: true, scope: undefined }, parts.wiring)],
    parts,
    createCors([]),
  )
  const head = await app(new Request('http://localhost/v1/costly', { method: 'HEAD' }))
  expect([head.status, head.headers.get('content-length'), calls]).toEqual([200, '5', ['head']])
})

test('a file on disk is a download by itself', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'mneme-download-'))
  try {
    const path = join(folder, 'notes.csv')
    await writeFile(path, patternAt(0, 1000))
    const { source } = await fileDownload(path, { etag: 'x' })
    expect(source).toMatchObject({
      size: 1000,
      filename: 'notes.csv',
      contentType: 'text/csv; charset=utf-8',
      etag: 'x',
    })
    const chunks: Uint8Array[] = []
    for await (const chunk of source.open({ start: 10, end: 20, signal: new AbortController().signal }))
      chunks.push(chunk)
    expect(new Uint8Array(Buffer.concat(chunks))).toEqual(patternAt(10, 20))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})

test('content types go by the ending of the name', () => {
  expect(['a.html', 'a.js', 'a.json', 'a.svg', 'a.woff2', 'a.pdf', 'a', 'a.xyz'].map(contentTypeOf)).toEqual([
    'text/html; charset=utf-8',
    'text/javascript; charset=utf-8',
    'application/json; charset=utf-8',
    'image/svg+xml; charset=utf-8',
    'font/woff2',
    'application/pdf',
    'application/octet-stream',
    expect.any(String),
  ])
})

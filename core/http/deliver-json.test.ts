import { fullGC, heapStats } from 'bun:jsc'
import { describe, expect, test } from 'bun:test'
import { until } from '../../test/support/wait.ts'
import { textOf } from '../../test/transfers/routes.ts'
import { transferWorld } from '../../test/transfers/world.ts'
import { endOf } from './deliver.ts'
import { KB, MB } from './sizes.ts'

const jsonOf = (length: number) => JSON.stringify({ text: textOf(length) })

/** Bytes of texts and buffers that are in use. */
function extraBytes(): number {
  fullGC()
  return heapStats().extraMemorySize
}

/** Opens responses that nobody reads until one is refused. */
async function flood(ask: () => Promise<Response>): Promise<{ taken: Response[]; refused: Response }> {
  const taken: Response[] = []
  while (taken.length <= 1000) {
    const response = await ask()
    if (response.status === 503) return { taken, refused: response }
    taken.push(response)
  }
  throw new Error('a thousand large responses are under way')
}

describe('a JSON response', () => {
  test('comes through whole, whatever its size, and tells its length', async () => {
    const { get, transfers } = transferWorld()
    for (const length of [0, 100, 64 * KB, 256 * KB, 2 * MB + 1]) {
      const response = await get(`/v1/json/${length}`)
      const text = await response.text()
      expect([length, text === jsonOf(length)]).toEqual([length, true])
      const bytes = String(Buffer.byteLength(text))
      expect(response.headers.get('content-type')).toBe('application/json')
      if (bytes.length > 6) expect(response.headers.get('content-length')).toBe(bytes)
      const head = await get(`/v1/json/${length}`, {}, { method: 'HEAD' })
      expect([head.headers.get('content-length'), await head.text()]).toEqual([bytes, ''])
    }
    await until('all is sent', async () => transfers.count === 0)
    expect(transfers.responses.used).toBe(0)
  })

  test('counts until it is sent, where it is large', async () => {
    const { get, transfers } = transferWorld()
    await get('/v1/json/1000')
    expect(transfers.responses.used).toBe(0)
    const response = await get(`/v1/json/${MB}`)
    const bytes = Buffer.byteLength(jsonOf(MB))
    expect(transfers.responses.used).toBe(bytes)
    const reader = response.body?.getReader()
    await reader?.read()
    expect(transfers.responses.used).toBe(bytes)
    await reader?.cancel()
    await endOf(response)
    expect(transfers.responses.used).toBe(0)
  })

  test('of a caller who reads none of them is refused beyond a share, and a neighbour gets its own', async () => {
    const { get, transfers, clock } = transferWorld()
    const { taken, refused } = await flood(() => get(`/v1/json/${4 * MB}`))
    expect((await refused.json()).error_code).toBe('SERVICE_UNAVAILABLE')
    expect(refused.headers.get('retry-after')).toBe('1')
    expect(taken.length).toBeGreaterThan(2)
    expect(transfers.responses.used).toBeLessThan(70 * MB)
    expect(transfers.responses.refused).toBe(1)
    const small = await get('/v1/json/1000')
    expect(small.status).toBe(200)
    const neighbours = await get(`/v1/json/${4 * MB}`, { 'x-api-key': 'neighbour' })
    expect((await neighbours.text()).length).toBe(jsonOf(4 * MB).length)
    clock.advance(120_000)
    await until('nothing is held', async () => transfers.responses.used === 0)
    expect(transfers.count).toBe(0)
  })

  test('whose client is gone before it begins is held no longer, and not waited for', async () => {
    const { get, clock, transfers } = transferWorld()
    const client = new AbortController()
    const asked = get(`/v1/json/${4 * MB}`, {}, { signal: client.signal })
    client.abort()
    await asked
    await until('it has ended', async () => transfers.count === 0)
    // Its permit rests for as long as a client would have read it.
    clock.advance(5000)
    expect([transfers.responses.used, clock.waiting]).toEqual([0, 0])
  })

  test('that nobody reads is held once, without the text that it was', async () => {
    const { get, transfers } = transferWorld()
    await get(`/v1/json/${MB}`).then(response => response.text())
    const before = extraBytes()
    const unread = await Promise.all([1, 2, 3, 4].map(() => get(`/v1/json/${4 * MB}`)))
    expect(unread.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect(extraBytes() - before).toBeLessThan(1.25 * transfers.responses.used)
    await Promise.all(unread.map(response => response.body?.cancel()))
  })

  test('that is taken drop by drop is cut off', async () => {
    const { get, clock, transfers } = transferWorld()
    const reader = (await get(`/v1/json/${4 * MB}`)).body?.getReader()
    let pieces = 0
    const reading = async () => {
      for (; pieces < 60; pieces++) {
        clock.advance(25_000)
        await reader?.read()
      }
    }
    await expect(reading()).rejects.toBeUndefined()
    expect(pieces).toBeGreaterThan(0)
    await until('nothing is held', async () => transfers.responses.used === 0)
  })

  test('of what was changed is sent in any case; nothing is changed for who reads none of its responses', async () => {
    const { get, seen, transfers } = transferWorld()
    const post = (headers: Record<string, string> = {}) => get(`/v1/json/${4 * MB}`, headers, { method: 'POST' })
    const { taken } = await flood(() => post())
    expect(transfers.responses.used).toBeGreaterThan(56 * MB)
    expect([seen.changed, taken.every(({ status }) => status === 201)]).toEqual([taken.length, true])
    expect((await post({ 'x-api-key': 'neighbour' })).status).toBe(201)
    await taken[0]?.text()
    await taken[1]?.text()
    await until('they are sent', async () => transfers.count === taken.length - 1)
    expect((await post()).status).toBe(201)
  })

  test('is bounded under an Idempotency-Key as well', async () => {
    const { get, transfers, observed } = transferWorld()
    const headers = { 'idempotency-key': 'again' }
    const post = () => get(`/v1/json/${4 * MB}`, headers, { method: 'POST' })
    const { taken } = await flood(post)
    expect(transfers.responses.used).toBeLessThan(70 * MB)
    expect(taken[0]?.headers.get('idempotent-replayed')).toBe('true')
    expect(await taken[0]?.text()).toBe(jsonOf(4 * MB))
    await until('it is measured', async () =>
      observed.some(([method, , status]) => method === 'POST' && status === 201),
    )
  })
})

test('downloads that nobody reads are bounded in number', async () => {
  const { get, seen } = transferWorld()
  const { taken } = await flood(() => get(`/v1/download/${64 * MB}`))
  expect(taken.length).toBeGreaterThan(100)
  expect(taken.length).toBeLessThan(400)
  expect(seen.opened).toBe(taken.length)
  expect((await get(`/v1/download/${64 * MB}`, { 'x-api-key': 'neighbour' })).status).toBe(200)
})

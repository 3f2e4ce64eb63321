import { beforeAll, describe, expect, test } from 'bun:test'
import { MB } from '../../core/http/sizes.ts'
import { until } from '../support/wait.ts'
import { Connection, headOf } from './connection.ts'
import { patternAt } from './routes.ts'
import { RUNTIMES, startTransfers, type TransferServer } from './start.ts'

for (const runtime of RUNTIMES) {
  describe(`downloads on ${runtime}`, () => {
    let server: TransferServer
    beforeAll(async () => {
      server = await startTransfers(runtime)
    })

    const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
      fetch(`${server.url}${path}`, { method, headers: { 'x-api-key': 'owner', ...headers } })
    const open = async (path: string) => {
      const connection = new Connection(server.port)
      await connection.write(headOf('GET', path, {}))
      await connection.head()
      return connection
    }
    /** Tells how the last download's source ended, once `count` have. */
    const ended = (count: number) =>
      until(`${count} sources have ended`, async () => {
        const { ended } = await server.state()
        return ended.length >= count && ended.at(-1)
      })

    test('come through whole, and memory does not grow with them', async () => {
      const size = 200 * MB
      await (await get(`/v1/download/${MB}`)).arrayBuffer()
      const before = (await server.state()).rss
      const response = await get(`/v1/download/${size}`)
      let at = 0
      for await (const chunk of response.body ?? []) {
        if (at % (32 * MB) < chunk.length)
          expect(Buffer.from(chunk).equals(patternAt(at, at + chunk.length))).toBe(true)
        at += chunk.length
      }
      expect(at).toBe(size)
      expect((await server.state()).rss - before).toBeLessThan(100 * MB)
    }, 60_000)

    test('tell their length where it matters: to HEAD, of a part, and of what fits into memory', async () => {
      const length = (response: Response) => response.headers.get('content-length')
      expect(length(await get('/v1/download/1000000000000', {}, 'HEAD'))).toBe('1000000000000')
      expect(length(await get('/v1/download/1000'))).toBe('1000')
      const part = await get('/v1/download/1000000000000', { range: 'bytes=999999999990-' })
      expect([part.status, length(part), part.headers.get('content-range')]).toEqual([
        206,
        '10',
        'bytes 999999999990-999999999999/1000000000000',
      ])
      const same = await get('/v1/download/1000', { 'if-none-match': '"v1000"' })
      expect([same.status, await same.text()]).toEqual([304, ''])
    })

    test('go no faster than their client takes them, and end when it takes none', async () => {
      const connection = await open(`/v1/download/${2048 * MB}`)
      connection.pause()
      const { opened } = await server.state()
      // Buffers of the system fill up; then nothing is read any more.
      let last = -1
      await until('the source rests', async () => {
        const { begun } = await server.state()
        const rests = begun === last
        last = begun
        return rests
      })
      expect((await server.state()).ended.length).toBe(opened - 1)
      await server.advance(120_000)
      expect(await ended(opened)).toBe('aborted')
      connection.destroy()
    }, 60_000)

    test('end with their client', async () => {
      const { opened } = await server.state()
      const connection = await open(`/v1/download/${2048 * MB}?pauseMs=5`)
      connection.destroy()
      expect(await ended(opened + 1)).toBe('aborted')
      await until('nothing is under way', async () => (await server.state()).running === 0)
    })

    test('of JSON count while nobody reads them, and are cut off', async () => {
      const connections = await Promise.all(Array.from({ length: 3 }, () => new Connection(server.port)))
      for (const connection of connections) await connection.write(headOf('GET', `/v1/json/${8 * MB}`, {}))
      for (const connection of connections) expect(await connection.head()).toStartWith('HTTP/1.1 200')
      for (const connection of connections) connection.pause()
      await until('they count', async () => (await server.state()).responses > 8 * MB)
      expect((await get('/v1/download/1000')).status).toBe(200)
      await until('they are cut off', async () => {
        await server.advance(60_000)
        return (await server.state()).responses === 0
      })
      for (const connection of connections) connection.destroy()
      expect((await (await get(`/v1/json/${8 * MB}`)).text()).length).toBeGreaterThan(8 * MB)
      expect(server.stderr()).toBe('')
    }, 60_000)

    test('that break off cut the connection, so that no part passes for the whole', async () => {
      for (const path of [`/v1/download/${3 * MB}?fault=late`, `/v1/download/${3 * MB}?fault=short`]) {
        const response = await get(path)
        expect([path, response.status]).toEqual([path, 200])
        await expect(response.arrayBuffer()).rejects.toBeDefined()
      }
      // Nobody but the log is told.
      expect(server.stderr()).toBe('')
    })

    test('are measured when they are through, as what they were', async () => {
      const { observed } = await server.state()
      await (await get(`/v1/download/${MB}`)).arrayBuffer()
      await (await get('/v1/download/1000', { range: 'bytes=0-9' })).arrayBuffer()
      await get('/v1/download/1000', {}, 'HEAD')
      const measured = await until('they are measured', async () => {
        const fresh = (await server.state()).observed.slice(observed.length)
        return fresh.length === 3 && fresh
      })
      expect(measured.map(([method, , status]) => [method, status])).toEqual([
        ['GET', 200],
        ['GET', 206],
        ['HEAD', 200],
      ])
    })

    test('and streams without an end are cut by a stop', async () => {
      const own = await startTransfers(runtime)
      const connections = ['/v1/events', `/v1/download/${2048 * MB}?pauseMs=5`].map(async path => {
        const connection = new Connection(own.port)
        await connection.write(headOf('GET', path, {}))
        await connection.head()
        return connection
      })
      const opened = await Promise.all(connections)
      await fetch(`${own.url}/test/cut`)
      for (const connection of opened) await connection.end()
      const { ended, running } = await own.state()
      expect([ended.toSorted(), running]).toEqual([['aborted', 'cancelled'], 0])
      expect(await own.stop()).not.toBe(1)
    })
  })
}

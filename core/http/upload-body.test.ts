import { describe, expect, test } from 'bun:test'
import { until } from '../../test/support/wait.ts'
import { transferWorld } from '../../test/transfers/world.ts'
import { KB } from './sizes.ts'

test('an upload is refused in another type, or encoded', async () => {
  const send = async (headers: Record<string, string>) =>
    (await transferWorld().client.request('POST', '/v1/form', { raw: 'x', headers })).status
  expect(await send({ 'content-type': 'text/csv' })).toBe(415)
  expect(await send({ 'content-type': 'multipart/form-data; boundary=b', 'content-encoding': 'gzip' })).toBe(415)
})

test('a raw route reads the request itself, up to its limit', async () => {
  const { client } = transferWorld()
  const send = (bytes: number) => client.request('POST', '/v1/raw', { raw: new Uint8Array(bytes) })
  expect((await send(100 * KB)).body).toEqual({ size: 100 * KB })
  expect(await send(100 * KB + 1)).toMatchObject({ status: 413, body: { error_code: 'PAYLOAD_TOO_LARGE' } })
})

test('the handler of an upload finds no body in its request, where no limit would hold', async () => {
  const { client } = transferWorld()
  const raw = new FormData()
  raw.append('file', new Blob(['0123456789']), 'a')
  const { body } = await client.request('POST', '/v1/unread', { raw })
  expect(body).toEqual({ inRequest: 0, inBody: 10 })
})

describe('forms under way', () => {
  const FIELD = '--b\r\nContent-Disposition: form-data; name="title"\r\n\r\n'
  const FILE = '--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n'

  /** Sends a form without an end; `next` gives its next bytes, or nothing any more. */
  function slowForm(next: (count: number) => string | undefined) {
    const world = transferWorld()
    const state = { pulls: 0 }
    const send = (path = '/v1/form') => {
      let count = 0
      const body = new ReadableStream<Uint8Array>(
        {
          pull(controller) {
            state.pulls++
            const bytes = next(count++)
            if (bytes === undefined) return new Promise(() => undefined)
            controller.enqueue(Buffer.from(bytes))
          },
        },
        { highWaterMark: 0 },
      )
      const headers = { 'content-type': 'multipart/form-data; boundary=b' }
      return world.get(path, headers, { method: 'POST', body, duplex: 'half' } as RequestInit)
    }
    /** Lets time pass until the responses are there. */
    const ended = async (responses: readonly Promise<Response>[]) => {
      let isOver = false
      const all = Promise.all(responses).finally(() => {
        isOver = true
      })
      await until('all are over', async () => {
        if (!isOver) world.clock.advance(5000)
        return isOver
      })
      return (await all).map(({ status }) => status)
    }
    return { ...world, state, send, ended }
  }

  test('count with their fields and small files until they end', async () => {
    for (const start of [FIELD, FILE]) {
      const { transfers, send, ended } = slowForm(count => [start, 'x'.repeat(30 * KB), 'y'.repeat(10 * KB)][count])
      const response = send()
      await until('they are kept', async () => transfers.memory.used > 30 * KB)
      expect(transfers.memory.used).toBeLessThanOrEqual(40 * KB)
      expect([await ended([response]), transfers.memory.used]).toEqual([[408], 0])
    }
  })

  test('count on disk alone once their file lies there', async () => {
    const { transfers, send, ended } = slowForm(count => [FILE, 'x'.repeat(60 * KB), 'y'.repeat(60 * KB)][count])
    const response = send()
    await until('it lies on disk alone', async () => transfers.disk.used > 100 * KB && transfers.memory.used === 0)
    expect([await ended([response]), transfers.disk.used]).toEqual([[408], 0])
  })

  test('have to arrive within 30 seconds and the time that all they may hold needs at 8 KB a second', async () => {
    const { clock, state, send, ended } = slowForm(count => {
      clock.advance(20_000)
      return count === 0 ? FIELD : 'x'.repeat(KB)
    })
    expect(await ended([send()])).toEqual([408])
    expect(state.pulls).toBeLessThan(20)
  })

  test('are read eight at a time of a workspace', async () => {
    for (const path of ['/v1/form', '/v1/form-stream']) {
      const { state, send, ended } = slowForm(() => undefined)
      const forms = Array.from({ length: 9 }, () => send(path))
      await until('eight are read', async () => state.pulls === 8)
      expect(await ended(forms)).toEqual(forms.map(() => 408))
      expect(state.pulls).toBe(9)
    }
  })
})

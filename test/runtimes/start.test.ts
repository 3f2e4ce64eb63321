import { describe, expect, test } from 'bun:test'
import { connect } from 'node:net'
import { emptyStore, type Runtime, type ServerProcess, startServer, startWorker } from '../support/process.ts'
import { until } from '../support/wait.ts'

const RUNTIMES: Runtime[] = ['bun', 'deno']

for (const runtime of RUNTIMES) {
  describe(`on ${runtime}`, () => {
    test('the server starts on an empty store, remembers, finds, stops, and starts again', async () => {
      const store = await emptyStore()
      const first = await startServer(store, runtime)
      const made = await first.client().post('/v1/memories', { memory: 'Emmy plays chess on Thursdays.' })
      expect(made.status).toBe(201)
      await until('it is found by meaning', async () => {
        const query = { search: 'board games during the week', mode: 'semantic' }
        const { body } = await first.client().get('/v1/memories', { query })
        return body.data[0]?.id === made.body.id
      })
      expect(await first.stop()).toBe(0)
      const second = await startServer(store, runtime)
      expect((await second.client(first.apiKey).get(`/v1/memories/${made.body.id}`)).body.status).toBe('COMPLETED')
      await speaksHttp(second)
      expect(await second.stop()).toBe(0)
    }, 120_000)
  })
}

if (process.env.TEST_DATABASE_URL) {
  test('a server on one runtime and a worker on the other share their work', async () => {
    const store = { ...(await emptyStore()), WORKERS: 'none' }
    const server = await startServer(store, 'bun')
    const worker = await startWorker(store, 'deno')
    const { body } = await server.client().post('/v1/memories', { memory: 'Sofia studies rotating tops.' })
    await until(
      'it is processed',
      async () => (await server.client().get(`/v1/memories/${body.id}`)).body.status === 'COMPLETED',
    )
    expect(await Promise.all([server.stop(), worker.stop()])).toEqual([0, 0])
  }, 120_000)
}

/** Clients of raw sockets see these, where the runtimes' servers differ most. */
async function speaksHttp({ url }: ServerProcess): Promise<void> {
  const head = await raw(url, 'HEAD /health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
  expect(head).toStartWith('HTTP/1.1 200')
  expect(head.split('\r\n\r\n')[1]).toBe('')
  expect(head).toMatch(/^content-length: [1-9]\d*\r$/im)
  const chunked = await raw(
    url,
    'POST /v1/memories HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n',
  )
  expect(chunked).toStartWith('HTTP/1.1 401')
  // A body that claims two lengths is how requests are smuggled past proxies.
  const smuggled = await raw(
    url,
    'POST /v1/memories HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
  )
  expect(smuggled).toMatch(/^(HTTP\/1\.1 4\d\d|$)/)
  const malformed = await raw(url, 'NONSENSE\r\n\r\n')
  expect(malformed).toMatch(/^(HTTP\/1\.1 400|$)/)
}

function raw(url: string, request: string): Promise<string> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.write(request))
    let response = ''
    socket.setEncoding('utf8').on('data', chunk => {
      response += chunk
    })
    socket.setTimeout(5000, () => socket.destroy())
    socket.on('close', () => resolve(response))
    socket.on('error', error => (Reflect.get(error, 'code') === 'ECONNRESET' ? resolve(response) : reject(error)))
  })
}

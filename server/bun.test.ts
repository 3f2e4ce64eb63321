import { expect, test } from 'bun:test'
import { connect } from 'node:net'
import { until } from '../test/support/wait.ts'
import { listen } from './bun.ts'

test('what comes on a connection that is in use when the listener closes is not served', async () => {
  const asked: string[] = []
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const listener = await listen({
    host: '127.0.0.1',
    port: 0,
    async fetch(request) {
      const { pathname } = new URL(request.url)
      asked.push(pathname)
      await released
      return new Response(pathname)
    },
  })
  const { hostname, port } = new URL(listener.url)
  const kept = connect(Number(port), hostname)
  let received = ''
  let isClosed = false
  kept.on('data', data => {
    received += data
  })
  kept.on('close', () => {
    isClosed = true
  })
  const get = (path: string) => kept.write(`GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`)
  get('/slow')
  await until('a request is under way', async () => asked.length > 0)
  const closed = listener.close()
  release()
  await until('its response is there', async () => received.includes('/slow'))
  get('/second')
  await until('the second one is refused', async () => isClosed || received.includes(' 503 '))
  kept.destroy()
  await closed
  expect(asked).toEqual(['/slow'])
})

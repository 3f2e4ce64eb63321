import assert from 'node:assert/strict'
import { until } from '../../../test/support/wait.ts'
import { PUBLIC, PUBLIC_TOO } from '../internet.test-support.ts'
import { type ClientCase, failsWith } from './case.test-support.ts'

const URL_OF_IT = 'http://public.test/'

/** Serves whatever bytes it likes. */
function speaking(
  name: string,
  said: string,
  end: 'close' | 'reset' | 'stay',
  code: 'INVALID_RESPONSE' | 'CONNECTION_FAILED' | 'TOO_LARGE',
): ClientCase {
  return {
    name: `says what is wrong with ${name}`,
    async run({ client, internet }) {
      await internet.serveRaw(PUBLIC, socket =>
        socket.once('data', () => {
          socket.write(said, () => {
            if (end === 'reset') socket.resetAndDestroy()
            else if (end === 'close') socket.end()
          })
        }),
      )
      internet.names.set('public.test', [PUBLIC])
      await failsWith(
        code,
        client.request(URL_OF_IT).then(response => response.bytes()),
      )
    },
  }
}

/** Resolves when the connections that the client holds are as many as expected. */
async function untilOpen(client: { load(): { open: number } }, expected: number): Promise<void> {
  await until(`${expected} connections are open`, async () => client.load().open === expected)
}

export const limitCases: readonly ClientCase[] = [
  {
    name: 'waits for a response no longer than it may',
    async run({ client, internet }) {
      await internet.serve(PUBLIC, () => undefined)
      internet.names.set('public.test', [PUBLIC])
      const error = await failsWith('TIMED_OUT', client.request(URL_OF_IT, { timeoutMs: 50 }))
      assert.equal(error.message, 'public.test did not answer within 0.05 s.')
    },
  },
  {
    name: 'waits for a body that trickles no longer than it may',
    async run({ client, internet }) {
      await internet.serve(PUBLIC, (_, response) => {
        response.write('x')
        const drops = setInterval(() => response.write('x'), 5)
        response.on('close', () => clearInterval(drops))
      })
      internet.names.set('public.test', [PUBLIC])
      const response = await client.request(URL_OF_IT, { timeoutMs: 100 })
      await failsWith('TIMED_OUT', response.text())
    },
  },
  {
    name: 'lets go of a response that nobody reads, when its time is over',
    async run({ client, internet }) {
      await internet.serve(PUBLIC, (_, response) => {
        response.write('x')
        response.write(Buffer.alloc(5_000_000))
      })
      internet.names.set('public.test', [PUBLIC])
      await client.request(URL_OF_IT, { timeoutMs: 300 })
      assert.equal(client.load().open, 1)
      await untilOpen(client, 0)
    },
  },
  {
    name: 'waits for a name and for TLS no longer than connecting may take',
    async run({ client, internet }) {
      await internet.serveRaw(PUBLIC, () => undefined, 443)
      internet.names.set('lost.test', () => new Promise(() => undefined)).set('secure.test', [PUBLIC])
      for (const url of ['http://lost.test/', 'https://secure.test/']) {
        const error = await failsWith('TIMED_OUT', client.request(url, { connectTimeoutMs: 50 }))
        assert.match(error.message, /^No connection to (lost|secure)\.test could be made within 0\.05 s\.$/)
      }
    },
  },
  {
    name: 'ends with its caller, before it begins, while it waits, before the head and in the middle of the body',
    async run({ client, internet }) {
      const arrived = Promise.withResolvers<void>()
      await internet.serve(PUBLIC, (request, response) => {
        if (request.url === '/body') response.write('x')
        else arrived.resolve()
      })
      internet.names.set('public.test', [PUBLIC])
      const reason = new Error('the caller left')
      const given = new AbortController()
      given.abort(reason)
      await assert.rejects(client.request(URL_OF_IT, { signal: given.signal }), reason)
      assert.deepEqual(internet.reached, [])
      const later = new AbortController()
      const waiting = client.request(URL_OF_IT, { signal: later.signal })
      later.abort(reason)
      await assert.rejects(waiting, reason)
      assert.deepEqual(internet.reached, [])
      const asked = new AbortController()
      const asking = client.request(URL_OF_IT, { signal: asked.signal })
      await arrived.promise
      asked.abort(reason)
      await assert.rejects(asking, reason)
      const last = new AbortController()
      const response = await client.request(`${URL_OF_IT}body`, { signal: last.signal })
      const reading = response.text()
      last.abort(reason)
      await assert.rejects(reading, reason)
    },
  },
  {
    name: 'gives one host so many connections and no more, and others theirs meanwhile',
    async run({ client, internet }) {
      const held: (() => void)[] = []
      await internet.serve(PUBLIC, (_, response) => void held.push(() => response.end('late')))
      await internet.serve(PUBLIC_TOO, (_, response) => response.end('at once'))
      internet.names.set('public.test', [PUBLIC]).set('other.test', [PUBLIC_TOO])
      const slow = Array.from({ length: 17 }, async () => (await client.request(URL_OF_IT)).text())
      await until('the host holds 16 requests', async () => held.length === 16)
      assert.deepEqual(client.load(), { open: 16, waiting: 1 })
      assert.equal(await (await client.request('http://other.test/')).text(), 'at once')
      held.shift()?.()
      await until('the host holds 16 requests', async () => held.length === 16)
      for (const answer of held) answer()
      assert.deepEqual(await Promise.all(slow), Array(17).fill('late'))
    },
  },
  {
    name: 'turns away whom too many wait before, and lets those that wait give up',
    async run({ client, internet }) {
      await internet.serve(PUBLIC, () => undefined)
      internet.names.set('public.test', [PUBLIC])
      const all = new AbortController()
      const reason = new Error('enough')
      // Four look the host up at once, and have the first connections.
      const waiting = Array.from({ length: 1004 }, () =>
        client.request(URL_OF_IT, { signal: all.signal }).catch(String),
      )
      assert.equal(client.load().waiting, 1000)
      await failsWith('BUSY', client.request(URL_OF_IT))
      await untilOpen(client, 16)
      assert.equal(client.load().waiting, 988)
      all.abort(reason)
      assert.deepEqual(new Set(await Promise.all(waiting)), new Set(['Error: enough']))
    },
  },
  {
    name: 'ends what is under way when the client is closed',
    async run({ client, internet }) {
      await internet.serve(PUBLIC, () => undefined)
      internet.names.set('public.test', [PUBLIC])
      const waiting = client.request(URL_OF_IT)
      await untilOpen(client, 1)
      client.close()
      const error = await failsWith('STOPPING', waiting)
      assert.equal(error.message, 'The service is stopping.')
    },
  },
  speaking('headers without end', `HTTP/1.1 200 OK\r\n${'a: b\r\n'.repeat(10_000)}`, 'stay', 'TOO_LARGE'),
  speaking('a header without end', `HTTP/1.1 200 OK\r\na: ${'b'.repeat(50_000)}`, 'stay', 'TOO_LARGE'),
  speaking(
    'trailers without end',
    `HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n${'a: b\r\n'.repeat(10_000)}`,
    'stay',
    'TOO_LARGE',
  ),
  speaking('interim responses without end', 'HTTP/1.1 102 Processing\r\n\r\n'.repeat(1000), 'stay', 'INVALID_RESPONSE'),
  speaking(
    'a body in too many pieces',
    `HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n${'1\r\na\r\n'.repeat(200_000)}0\r\n\r\n`,
    'stay',
    'INVALID_RESPONSE',
  ),
  speaking('something else than HTTP', 'SSH-2.0-OpenSSH_9.2\r\n', 'stay', 'INVALID_RESPONSE'),
  speaking('HTTP of long ago', '<html></html>', 'close', 'INVALID_RESPONSE'),
  speaking(
    'two lengths',
    'HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\nokk',
    'stay',
    'INVALID_RESPONSE',
  ),
  speaking(
    'a switch of protocols',
    'HTTP/1.1 101 Switching\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n',
    'stay',
    'INVALID_RESPONSE',
  ),
  speaking('nothing', '', 'close', 'CONNECTION_FAILED'),
  speaking('half a head', 'HTTP/1.1 200 OK\r\nx: ', 'close', 'CONNECTION_FAILED'),
  speaking('half a body', 'HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nabc', 'close', 'CONNECTION_FAILED'),
  speaking(
    'half a chunked body',
    'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nab',
    'close',
    'CONNECTION_FAILED',
  ),
  speaking('a reset', 'HTTP/1.1 200 OK\r\n', 'reset', 'CONNECTION_FAILED'),
]

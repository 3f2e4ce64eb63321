import assert from 'node:assert/strict'
import { echo, PUBLIC, PUBLIC_TOO, PUBLIC_V6 } from '../internet.test-support.ts'
import type { OutgoingOptions } from '../outgoing-http.ts'
import { type ClientCase, failsWith } from './case.test-support.ts'

export const requestCases: readonly ClientCase[] = [
  {
    name: 'sends method, path, headers and body, and reads the response',
    async run({ client, internet }) {
      await internet.serve(PUBLIC, echo)
      internet.names.set('public.test', [PUBLIC])
      const headers = { 'x-own': 'yes', authorization: 'Bearer t' }
      const response = await client.request('http://public.test/a/b?c=d#e', { method: 'POST', headers, body: 'grüße' })
      assert.equal(response.status, 200)
      assert.equal(response.url, 'http://public.test/a/b?c=d')
      assert.equal(response.headers.get('content-type'), 'application/json')
      const seen = JSON.parse(await response.text())
      assert.deepEqual([seen.method, seen.url, seen.body], ['POST', '/a/b?c=d', 'grüße'])
      assert.deepEqual([seen.headers.host, seen.headers['x-own']], ['public.test', 'yes'])
      assert.equal(seen.headers['content-length'], '7')
      assert.match(seen.headers['user-agent'], /^Mneme\//)
      assert.equal(seen.headers.connection, 'close')
    },
  },
  {
    name: 'sends bytes as they are',
    async run({ client, internet }) {
      await internet.serve(PUBLIC, (request, response) => void request.pipe(response))
      const body = Uint8Array.from({ length: 70_000 }, (_, n) => n % 256)
      const response = await client.request(`http://${PUBLIC}/`, { method: 'PUT', body })
      assert.deepEqual(await response.bytes(), body)
    },
  },
  {
    name: 'reads the head alone of a response to HEAD, whatever length that tells of',
    async run({ client, internet }) {
      await internet.serve(PUBLIC, (_, response) => response.writeHead(200, { 'content-length': 1e9 }).end())
      const response = await client.request(`http://${PUBLIC}/`, { method: 'HEAD' })
      assert.equal(response.headers.get('content-length'), '1000000000')
      assert.equal((await response.bytes()).length, 0)
    },
  },
  {
    name: 'hands out headers that come twice, and a status without a body',
    async run({ client, internet }) {
      await internet.serve(PUBLIC, (_, response) => response.writeHead(204, { 'set-cookie': ['a=1', 'b=2'] }).end())
      const response = await client.request(`http://${PUBLIC}/`)
      assert.equal(response.status, 204)
      assert.deepEqual(response.headers.getSetCookie(), ['a=1', 'b=2'])
      assert.equal(await response.text(), '')
    },
  },
  {
    name: 'asks no proxy of the environment',
    async run({ client, internet }) {
      await internet.serve(PUBLIC, (_, response) => response.end('direct'))
      const names = ['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'https_proxy', 'ALL_PROXY', 'all_proxy']
      const before = names.map(name => [name, process.env[name]] as const)
      for (const name of names) process.env[name] = 'http://127.0.0.1:1'
      try {
        assert.equal(await (await client.request(`http://${PUBLIC}/`)).text(), 'direct')
      } finally {
        for (const [name, value] of before) {
          if (value === undefined) delete process.env[name]
          else process.env[name] = value
        }
      }
    },
  },
  {
    name: 'tries the next address of a name when one does not answer',
    async run({ client, internet }) {
      await internet.serve(PUBLIC_TOO, (_, response) => response.end('second'))
      internet.names.set('public.test', [PUBLIC_V6, PUBLIC, PUBLIC_TOO])
      assert.equal(await (await client.request('http://public.test/')).text(), 'second')
      assert.deepEqual(internet.reached, [PUBLIC_V6, PUBLIC, PUBLIC_TOO])
    },
  },
  {
    name: 'resolves a name for every request, and opens a connection for every one',
    async run({ client, internet }) {
      await internet.serve(PUBLIC, (_, response) => response.end('one'))
      internet.names.set('public.test', [PUBLIC])
      for (let n = 0; n < 3; n++) assert.equal(await (await client.request('http://public.test/')).text(), 'one')
      assert.deepEqual([internet.lookups.length, internet.reached.length], [3, 3])
    },
  },
  {
    name: 'says that a name does not resolve, and that nobody answers',
    async run({ client, internet }) {
      await failsWith('DNS_FAILED', client.request('http://nowhere.test/'))
      internet.names.set('empty.test', []).set('silent.test', [PUBLIC])
      await failsWith('DNS_FAILED', client.request('http://empty.test/'))
      const error = await failsWith('CONNECTION_FAILED', client.request('http://silent.test/'))
      assert.equal(error.message, 'No connection to silent.test could be made.')
    },
  },
  {
    name: 'refuses options that cannot be sent',
    async run({ client, internet }) {
      const wrong: OutgoingOptions[] = [
        { headers: { host: 'other.test' } },
        { headers: { 'Transfer-Encoding': 'chunked' } },
        { headers: { 'x-split': 'a\r\nx-more: b' } },
        { headers: { 'x y': 'z' } },
        { method: 'CONNECT' as 'GET' },
        { body: 'with GET' },
      ]
      for (const options of wrong) {
        await assert.rejects(client.request(`http://${PUBLIC}/`, options), TypeError, JSON.stringify(options))
      }
      assert.deepEqual(internet.reached, [])
    },
  },
  {
    name: 'says beforehand whether a URL would be refused, and connects to nothing',
    async run({ client, internet }) {
      internet.names.set('public.test', [PUBLIC]).set('inner.test', ['10.0.0.7'])
      const codeOf = async (url: string) => (await client.refusalOf(url))?.code
      assert.equal(await codeOf('https://public.test/hook'), undefined)
      assert.equal(await codeOf('https://inner.test/hook'), 'ADDRESS_REFUSED')
      assert.equal(await codeOf('http://127.0.0.1/'), 'ADDRESS_REFUSED')
      assert.equal(await codeOf('http://nowhere.test/'), 'DNS_FAILED')
      assert.equal(await codeOf('mailto:a@public.test'), 'INVALID_URL')
      assert.deepEqual(internet.reached, [])
      const refusal = await client.refusalOf('https://inner.test/hook')
      assert.equal(refusal?.message, 'inner.test does not lead to a public address.')
    },
  },
  {
    name: 'tells when the connection, the first byte and the last one were there',
    async run({ client, internet }) {
      await internet.serve(PUBLIC, (_, response) => response.end('x'))
      const response = await client.request(`http://${PUBLIC}/`)
      const { connectedMs, firstByteMs } = response.timings()
      assert.ok(connectedMs > 0 && firstByteMs >= connectedMs)
      await response.text()
      assert.ok((response.timings().totalMs ?? 0) >= firstByteMs)
    },
  },
]

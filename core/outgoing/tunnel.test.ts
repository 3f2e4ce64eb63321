import { afterEach, beforeEach, expect, test } from 'bun:test'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { createOutgoingClient } from './client.ts'
import { type Internet, openInternet, PUBLIC } from './internet.test-support.ts'

let internet: Internet
let proxy: Server
let asked: string[]
let answer: string

beforeEach(async () => {
  internet = openInternet()
  asked = []
  answer = '200 OK'
  proxy = createServer()
  proxy.on('connect', ({ url = '', headers }, client) => {
    asked.push(`${url} ${headers['proxy-authorization'] ?? ''}`.trim())
    client.on('error', () => undefined).write(`HTTP/1.1 ${answer}\r\n\r\n`)
    if (!answer.startsWith('2')) return client.end()
    const [host = '', port] = url.split(':')
    const server = connect(Number(port), host).on('error', () => client.destroy())
    client.on('close', () => server.destroy())
    server.on('close', () => client.destroy())
    server.pipe(client).pipe(server)
  })
  await new Promise<void>(resolve => proxy.listen(0, '127.0.0.1', resolve))
})
afterEach(async () => {
  proxy.closeAllConnections()
  proxy.close()
  await internet.reset()
})

function clientOf(login = '') {
  const { port } = proxy.address() as AddressInfo
  const address = new URL(`http://${login}127.0.0.1:${port}`)
  return createOutgoingClient({ allowPrivateNetworks: false, network: { ...internet.network, proxy: address } })
}

test('with a proxy of their own, plain and secure requests reach the checked address through it', async () => {
  internet.names.set('public.test', [PUBLIC]).set('secure.test', [PUBLIC])
  await internet.serve(PUBLIC, ({ url }, response) => response.end(`plain ${url}`))
  await internet.serve(PUBLIC, ({ url }, response) => response.end(`secure ${url}`), { certificate: 'server' })
  const client = clientOf('user:pass%20word@')
  const texts = ['http://public.test/a', 'https://secure.test/b'].map(async url => (await client.request(url)).text())
  expect(await Promise.all(texts)).toEqual(['plain /a', 'secure /b'])
  const credentials = Buffer.from('user:pass word').toString('base64')
  expect(asked).toHaveLength(2)
  for (const line of asked) expect(line).toMatch(new RegExp(`^127\\.0\\.0\\.1:\\d+ Basic ${credentials}$`))
  // The name is looked up and checked here; the proxy is not asked for it.
  expect(internet.reached).toEqual([PUBLIC, PUBLIC])
})

test('a proxy does not open private addresses, and its refusal is told', async () => {
  internet.names.set('private.test', ['10.0.0.7']).set('public.test', [PUBLIC])
  const client = clientOf()
  for (const url of ['http://private.test/', 'http://127.0.0.1/', 'https://[::1]/']) {
    await expect(client.request(url)).rejects.toMatchObject({ code: 'ADDRESS_REFUSED' })
  }
  expect(asked).toEqual([])
  answer = '403 Forbidden'
  await expect(client.request('http://public.test/')).rejects.toMatchObject({
    code: 'CONNECTION_FAILED',
    message: "No connection could be made: the service's proxy refuses it with 403.",
  })
})

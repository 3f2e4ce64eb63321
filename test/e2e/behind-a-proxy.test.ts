import { expect, test } from 'bun:test'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { onEnd } from '../support/closing.ts'
import { serveHttp } from '../support/http-server.ts'
import { preparedStore, startServer } from '../support/process.ts'
import { until } from '../support/wait.ts'

const KEY = 'mn_live_behindaproxybehindaproxy00'

/** Stands for a company's proxy, and for the services behind it, whose names nobody else knows. */
async function startProxy() {
  const asked: string[] = []
  const proxy = createServer(async (request, response) => {
    const { host, pathname } = new URL(request.url ?? '', 'http://no-proxy-request.test')
    asked.push(host)
    const body = pathname.endsWith('/embeddings') ? await embeddingsFor(request) : { error: 'not here' }
    response.writeHead('data' in body ? 200 : 404, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })
  proxy.on('connect', ({ url = '' }, socket) => {
    asked.push(url)
    socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n')
  })
  await new Promise<void>(resolve => proxy.listen(0, '127.0.0.1', resolve))
  onEnd(async () => void proxy.close())
  return { asked, url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}` }
}

async function embeddingsFor(request: IncomingMessage) {
  const { input } = (await json(request)) as { input: string | string[] }
  const data = [input].flat().map((_, index) => ({ index, embedding: [1, 0, 0, 0.5] }))
  return { data, usage: { prompt_tokens: data.length } }
}

test('what the operator configured goes through the proxy of the environment, but for NO_PROXY; what tenants name never does', async () => {
  const proxy = await startProxy()
  const direct: string[] = []
  const answer = (name: string) =>
    serveHttp(request => {
      direct.push(`${name} ${new URL(request.url).pathname}`)
      return new Response('Ada lives in Lisbon.', { headers: { 'content-type': 'text/plain' } })
    })
  const [ofTenant, ofOperator] = [await answer('tenant'), await answer('operator')]
  onEnd(async () => {
    for (const one of [ofTenant, ofOperator]) one.close()
  })
  const server = await startServer({
    ...(await preparedStore()),
    BOOTSTRAP_API_KEY: KEY,
    ALLOW_PRIVATE_NETWORKS: 'true',
    HTTP_PROXY: proxy.url,
    HTTPS_PROXY: proxy.url,
    NO_PROXY: 'localhost',
    EMBEDDINGS: 'http',
    EMBEDDINGS_URL: 'http://embedder.test/v1',
    EMBEDDINGS_MODEL: 'four',
    LANGUAGE_MODEL: 'http',
    LANGUAGE_MODEL_URL: 'https://model.test/v1',
    LANGUAGE_MODEL_NAME: 'some',
    RERANK_URL: `${ofOperator.origin.replace('127.0.0.1', 'localhost')}/rerank`,
    RERANK_MODEL: 'some',
    UNSTRUCTURED_URL: 'http://unstructured.test',
    OTEL_EXPORTER_OTLP_ENDPOINT: 'https://collector.test',
  })
  const client = server.client(KEY)
  const hook = await client.post('/v1/webhooks', { url: `${ofTenant.origin}/hook`, events: ['memory.created'] })
  expect(hook.status).toBe(201)
  for (const memory of ['Ada moved to Lisbon', 'Ada likes TypeScript']) {
    expect((await client.post('/v1/memories', { memory, user_id: 'ada' })).status).toBe(201)
  }
  const form = (fields: Readonly<Record<string, string | File>>) => {
    const data = new FormData()
    for (const [name, value] of Object.entries(fields)) data.append(name, value)
    return data
  }
  const page = form({ source_url: `${ofTenant.origin}/page.txt`, format: 'URL' })
  expect((await client.request('POST', '/v1/memories/ingest', { raw: page })).status).toBe(202)
  const scan = form({ file: new File(['%PDF-1.4\n%%EOF'], 'scan.pdf', { type: 'application/pdf' }), format: 'PDF' })
  expect((await client.request('POST', '/v1/memories/ingest', { raw: scan })).status).toBe(202)
  await until('a memory is found by its meaning and reranked', async () => {
    await client.post('/v1/memories/search', { query: 'Where is Ada?', user_id: 'ada' })
    return direct.includes('operator /rerank')
  })
  await until('tenants were asked', async () => direct.includes('tenant /hook') && direct.includes('tenant /page.txt'))
  const through = ['embedder.test', 'model.test:443', 'unstructured.test', 'collector.test:443']
  await until('the proxy was asked', async () => through.every(host => proxy.asked.includes(host)))
  expect(new Set(proxy.asked)).toEqual(new Set(through))
  expect(await server.stop()).toBe(0)
}, 120_000)

import { beforeAll, describe, expect, test } from 'bun:test'
import { onEnd } from '../../test/support/closing.ts'
import { ownDatabaseUrl } from '../../test/support/database.ts'
import { serveHttp } from '../../test/support/http-server.ts'
import { startService } from '../../test/support/service.ts'
import { until } from '../../test/support/wait.ts'
import { type Collector, openCollector, type ReceivedSpan } from './collector.test-support.ts'
import { openTracing } from './tracing.ts'

const PARENT = { trace: '0af7651916cd43dd8448eb211c80319c', span: 'b7ad6b7169203331' }
const SECRET = 'Ada keeps her passport in the blue drawer'

let collector: Collector

beforeAll(async () => {
  collector = await openCollector()
  onEnd(() => collector.close())
})

const below = (parent: ReceivedSpan | undefined) => collector.spans.filter(({ parentId }) => parentId === parent?.id)

describe('a service with a collector', () => {
  test('sends spans of requests, transactions, jobs and model calls, and no text', async () => {
    const { account, kernel } = await startService(
      {
        OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
        OTEL_EXPORTER_OTLP_HEADERS: 'x-tenant=mine,authorization=Bearer%20word',
        OTEL_SERVICE_NAME: 'memory',
      },
      { url: await ownDatabaseUrl() },
    )
    const { client } = await account()
    const { body: memory } = await client.post('/v1/memories', { memory: SECRET })
    await until('the memory is processed', async () => {
      const { body } = await client.get(`/v1/memories/${memory.id}`)
      return body.status === 'COMPLETED'
    })
    const headers = { traceparent: `00-${PARENT.trace}-${PARENT.span}-01` }
    await client.post('/v1/memories/search', { query: SECRET }, { headers })
    await client.get('/v1/memories/0190c8a0-0000-7000-8000-000000000000')
    await kernel.stop()

    const created = collector.spans.find(({ name }) => name === 'POST /v1/memories')
    expect(created).toMatchObject({
      kind: 2,
      parentId: '',
      attributes: {
        'http.request.method': 'POST',
        'http.route': '/v1/memories',
        'http.response.status_code': 201,
        'mneme.request_id': expect.stringMatching(/./),
      },
    })
    expect(below(created).map(({ name }) => name)).toContain('workspace transaction')
    const searched = collector.spans.find(({ name }) => name === 'POST /v1/memories/search')
    expect(searched).toMatchObject({ traceId: PARENT.trace, parentId: PARENT.span })
    expect(below(searched).find(({ name }) => name.startsWith('embeddings '))).toMatchObject({
      kind: 3,
      traceId: PARENT.trace,
      attributes: { 'gen_ai.operation.name': 'embeddings', 'mneme.priority': 'query' },
    })
    const missed = collector.spans.find(({ attributes }) => attributes['http.response.status_code'] === 404)
    expect(missed).toMatchObject({ name: 'GET /v1/memories/:id', failed: false })
    const job = collector.spans.find(({ name }) => name === 'job memories:process')
    expect(job).toMatchObject({ kind: 5, parentId: '', attributes: { 'messaging.system': 'graphile_worker' } })
    expect(collector.headers).toMatchObject({ path: '/v1/traces', 'x-tenant': 'mine', authorization: 'Bearer word' })
    const text = collector.text()
    expect(text).toContain('memory')
    for (const word of ['passport', memory.id, 'traceparent']) expect(text).not.toContain(word)
  })
})

describe('tracing', () => {
  const lines: string[] = []
  const log = {
    info: (line: unknown) => void lines.push(`info ${line}`),
    warn: (_: unknown, line: string) => void lines.push(`warn ${line}`),
  } as never
  const options = { serviceName: 'test', share: 1, headers: '', log }

  test('marks a failed span by the kind of its error, never by its message', async () => {
    const tracing = openTracing({ ...options, endpoint: collector.url })
    const failing = tracing.span({ name: 'failing', kind: 'client' }, async () => {
      throw Object.assign(new Error(SECRET), { code: 'DNS_FAILED' })
    })
    expect(await failing.catch(error => error.message)).toBe(SECRET)
    await tracing.close()
    expect(collector.spans.find(({ name }) => name === 'failing')).toMatchObject({
      failed: true,
      attributes: { 'error.type': 'DNS_FAILED' },
    })
    expect(collector.text()).not.toContain('passport')
  })

  test('records no more than the share that is asked for, and what a caller has decided to record', async () => {
    const tracing = openTracing({ ...options, endpoint: collector.url, share: 0 })
    const work = async () => undefined
    await tracing.span({ name: 'left out', kind: 'server', headers: new Headers() }, work)
    const headers = new Headers({ traceparent: `00-${PARENT.trace}-${PARENT.span}-01` })
    await tracing.span({ name: 'wanted by the caller', kind: 'server', headers }, work)
    await tracing.close()
    const names = collector.spans.map(({ name }) => name)
    expect(names).toContain('wanted by the caller')
    expect(names).not.toContain('left out')
  })

  test('says once that its collector is away, and goes on', async () => {
    const gone = await openCollector()
    await gone.close()
    const tracing = openTracing({ ...options, endpoint: gone.url })
    expect(await tracing.span({ name: 'lost', kind: 'client' }, async () => 7)).toBe(7)
    await tracing.close()
    expect(lines).toEqual([`warn traces cannot be sent to ${gone.url}; they are dropped`])
  })

  test('does not hold up a stop for a collector that never responds', async () => {
    const silent = await serveHttp(() => new Promise<Response>(() => undefined))
    onEnd(async () => silent.close())
    const tracing = openTracing({ ...options, endpoint: silent.origin })
    await tracing.span({ name: 'late', kind: 'client' }, async () => undefined)
    const begun = performance.now()
    await tracing.close()
    expect(performance.now() - begun).toBeWithin(0, 3000)
    expect(lines.at(-1)).toBe(`warn traces cannot be sent to ${silent.origin}; they are dropped`)
  })
})

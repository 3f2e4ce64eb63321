import { beforeAll, describe, expect, test } from 'bun:test'
import { createHmac } from 'node:crypto'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Webhook as StandardWebhook } from 'standardwebhooks'
import type { Client, Json } from '../support/client.ts'
import { onEnd } from '../support/closing.ts'
import type { TestAccount } from '../support/service.ts'
import { until } from '../support/wait.ts'
import { ISO, NOBODY, type Subject, subject, subjectWith, UUID } from './subject.ts'

const PATH = '/v1/webhooks'
let open: Subject
let account: TestAccount
let client: Client

beforeAll(async () => {
  // Receivers of these tests are on this machine.
  open = await subjectWith({ ALLOW_PRIVATE_NETWORKS: 'true' })
  account = await open.account()
  client = account.client
})

interface Received {
  readonly text: string
  readonly headers: IncomingHttpHeaders
}

async function receiver(status = 200) {
  const received: Received[] = []
  const server = createServer((request, response) => {
    let text = ''
    request.setEncoding('utf8')
    request.on('data', chunk => {
      text += chunk
    })
    request.on('end', () => {
      received.push({ text, headers: request.headers })
      response.writeHead(status).end('thanks')
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onEnd(async () => void server.close())
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/`, received }
}

function create(url: string, events = ['*']): Promise<Json> {
  return client.post(PATH, { url, events, description: 'Desk' }).then(({ body }) => body)
}

async function firstOf({ received }: { readonly received: readonly Received[] }): Promise<Received> {
  return until('a delivery came', async () => received[0])
}

describe('a webhook', () => {
  test('is created with its secret, which is shown then and at a rotation only', async () => {
    const { url } = await receiver()
    const { status, body } = await client.post(PATH, { url, events: ['memory.created'], description: 'Desk' })
    expect(status).toBe(201)
    expect(body).toMatchObject({ url, events: ['memory.created'], description: 'Desk', active: true })
    expect(body.id).toMatch(/^[0-9a-f-]{36}$/)
    expect(body.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    const { body: got } = await client.get(`${PATH}/${body.id}`)
    expect(got).toMatchObject({ id: UUID, created_at: ISO, updated_at: ISO })
    expect(got).not.toHaveProperty('secret')
    const { body: list } = await client.get(PATH)
    expect(list).toMatchObject({ page: 1, page_size: 20 })
    expect(JSON.stringify(list)).not.toContain('whsec_')
    const rotated = await client.post(`${PATH}/${body.id}/rotate-secret`)
    expect([rotated.status, rotated.body.id]).toEqual([200, body.id])
    expect(rotated.body.secret).not.toBe(body.secret)
    const changed = await client.request('PATCH', `${PATH}/${body.id}`, { body: { active: false } })
    expect([changed.status, changed.body.active]).toEqual([200, false])
    expect((await client.delete(`${PATH}/${body.id}`)).status).toBe(204)
    expect((await client.get(`${PATH}/${body.id}`)).body.error_code).toBe('WEBHOOK_NOT_FOUND')
  })

  test('errors are those of the interface', async () => {
    const { url } = await receiver()
    const made = await create(url)
    const twice = await client.post(PATH, { url, events: ['*'] })
    expect([twice.status, twice.body.error_code]).toEqual([409, 'DUPLICATE_WEBHOOK_URL'])
    const unknown = await client.post(PATH, { url: `${url}other`, events: ['memory.exploded'] })
    expect([unknown.status, unknown.body.error_code]).toEqual([400, 'VALIDATION_ERROR'])
    const pro = await open.account({ plan: 'pro' })
    for (let n = 0; n < 10; n++) await pro.client.post(PATH, { url: `${url}${n}`, events: ['*'] })
    const over = await pro.client.post(PATH, { url: `${url}10`, events: ['*'] })
    expect([over.status, over.body.error_code]).toEqual([422, 'WEBHOOK_LIMIT_EXCEEDED'])
    const free = await open.account({ plan: 'free' })
    // A session may name another workspace, which may have the feature; a body at fault names none.
    for (const caller of [free.client, await free.signIn()]) {
      for (const body of [{ url, events: ['*'] }, {}])
        expect((await caller.post(PATH, body)).body.error_code).toBe('FEATURE_NOT_ENABLED')
    }
    const missing = await client.post(`${PATH}/${made.id}/deliveries/${NOBODY}/redeliver`)
    expect([missing.status, missing.body.error_code]).toEqual([404, 'DELIVERY_NOT_FOUND'])
    expect((await client.post(`${PATH}/${NOBODY}/test`)).body.error_code).toBe('WEBHOOK_NOT_FOUND')
  })

  test('at an address that is not public is refused unless that is allowed', async () => {
    const guarded = await (await subject()).account()
    for (const url of ['http://127.0.0.1:1/', 'http://10.0.0.1/', 'http://[::1]/', 'file:///etc/passwd']) {
      const { status, body } = await guarded.client.post(PATH, { url, events: ['*'] })
      expect([url, status, body.error_code]).toEqual([url, 400, 'VALIDATION_ERROR'])
    }
  })
})

describe('a delivery', () => {
  test('is a POST of JSON, signed over its exact bytes', async () => {
    const to = await receiver()
    const { secret } = await create(to.url, ['memory.created'])
    const memory = (await client.post('/v1/memories', { memory: 'Ada likes “tea”.', user_id: 'ada' })).body
    const { text, headers } = await firstOf(to)
    const body = JSON.parse(text)
    expect(Object.keys(body)).toEqual(['event', 'timestamp', 'data'])
    expect(body.event).toBe('memory.created')
    expect(new Date(body.timestamp).toISOString()).toBe(body.timestamp)
    expect(body.data).toEqual({ id: memory.id, memory: 'Ada likes “tea”.', user_id: 'ada', status: 'PENDING' })
    expect(headers['x-webhook-signature']).toBe(`sha256=${createHmac('sha256', secret).update(text).digest('hex')}`)
    expect(headers['x-webhook-timestamp']).toMatch(/^\d{10}$/)
    new StandardWebhook(secret).verify(text, headers as Record<string, string>)
  })

  test('stands in the log with what it was answered', async () => {
    const to = await receiver(500)
    const { id } = await create(to.url, ['memory.created'])
    await client.post('/v1/memories', { memory: 'Bob likes coffee.' })
    const delivery = await until('it was attempted', async () => {
      const { body } = await client.get(`${PATH}/${id}/deliveries`)
      return body.data.find(({ attempts }: Json) => attempts > 0)
    })
    expect(Object.keys(delivery).toSorted()).toEqual(
      'attempts created_at duration_ms error event id next_attempt_at response_body response_code status webhook_id'.split(
        ' ',
      ),
    )
    expect(delivery).toMatchObject({
      webhook_id: id,
      event: 'memory.created',
      status: 'PENDING',
      attempts: 1,
      response_code: 500,
      response_body: 'thanks',
    })
    expect(delivery.error).toContain('500')
    const again = await client.post(`${PATH}/${id}/deliveries/${delivery.id}/redeliver`)
    expect([again.status, again.body.id]).toEqual([202, delivery.id])
    await until('it was attempted again', async () => to.received.length === 2)
    const all = await client.post(`${PATH}/${id}/redeliver`, { since: '2026-01-01' })
    expect([all.status, Object.keys(all.body)]).toEqual([202, ['message']])
  })

  test('of a test is answered with', async () => {
    const to = await receiver()
    const { id } = await create(to.url, ['knowledge.updated'])
    const { status, body } = await client.post(`${PATH}/${id}/test`)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      event: 'webhook.test',
      status: 'SUCCEEDED',
      response_code: 200,
      response_body: 'thanks',
    })
    expect(JSON.parse(to.received[0]?.text ?? '{}').data).toMatchObject({ webhook_id: id })
  })

  test('leaves nothing of a deleted memory behind', async () => {
    const to = await receiver(503)
    const { id } = await create(to.url, ['memory.created'])
    const memory = (await client.post('/v1/memories', { memory: 'The code of the safe is 4711.' })).body
    await firstOf(to)
    await client.delete(`/v1/memories/${memory.id}`)
    const last = await until('the text is gone', async () => {
      const { body } = await client.get(`${PATH}/${id}/deliveries`)
      await client.post(`${PATH}/${id}/deliveries/${body.data[0].id}/redeliver`)
      return to.received.find(({ text }) => !text.includes('4711'))
    })
    expect(JSON.parse(last.text).data).toMatchObject({ id: memory.id, memory: null, status: 'PENDING' })
  })

  test('is of the kinds that are listed with examples, and of no other', async () => {
    const { body } = await client.get(`${PATH}/events`, { query: { page_size: 100 } })
    const kinds = new Map(body.data.map((kind: Json) => [kind.event, kind]))
    expect([...kinds.keys()]).toEqual([
      'ingest.completed',
      'ingest.failed',
      'knowledge.updated',
      'memory.consolidated',
      'memory.created',
      'memory.deleted',
      'memory.expired',
      'memory.masked',
      'memory.restored',
      'memory.updated',
      'user.erased',
    ])
    for (const [kind, listed] of kinds) expect(listed).toMatchObject({ example: { event: kind } })
    for (const kind of ['memory.feedback', 'memory.promoted', 'webhook.failed', 'key.created', 'webhook.test']) {
      const refused = await client.post(PATH, { url: `http://127.0.0.1:1/${kind}`, events: [kind] })
      expect([kind, refused.status, refused.body.details?.[0].path]).toEqual([kind, 400, 'events.0'])
    }
  })

  test('tells who wants all kinds of what changes memories, and of nothing else', async () => {
    const own = (await open.account()).client
    const to = await receiver()
    await own.post(PATH, { url: to.url, events: ['*'] })
    const { id } = (await own.post('/v1/memories', { memory: 'Buy oat milk.', layer: 'TASK' })).body
    await own.post(`/v1/memories/${id}/feedback`, { signal: 'POSITIVE' })
    await own.post(`/v1/memories/${id}/promote`)
    await own.put(`/v1/memories/${id}`, { memory: 'Buy oat milk and rye bread.' })
    await own.delete(`/v1/memories/${id}`)
    const aboutIt = () =>
      to.received.map(({ text }) => JSON.parse(text)).filter(({ event }: Json) => event.startsWith('memory.'))
    // A webhook is told of one memory in the order of its changes.
    await until('the last of it came', async () => aboutIt().some(({ event }) => event === 'memory.deleted'))
    expect(aboutIt().map(({ event }) => event)).toEqual(['memory.created', 'memory.updated', 'memory.deleted'])
  })
})

import { beforeAll, describe, expect, test } from 'bun:test'
import type { RequestListener, ServerResponse } from 'node:http'
import { until } from '../../../test/support/wait.ts'
import { createWebhook, deliveriesIn, PATH, receiver, verify, type World, world } from '../world.test-support.ts'
import { ATTEMPT_MS } from './send.ts'

let here: World

beforeAll(async () => {
  here = await world()
})

const remember = (text: string, fields: object = {}) => ({ memory: text, user_id: 'ada', ...fields })

describe('a delivery', () => {
  test('of a new memory says what the interface says, signed in both ways', async () => {
    const { client } = await here.service.account()
    const to = await receiver(here)
    const { id, secret } = await createWebhook(client, to.url, { events: ['memory.created'] })
    const memory = (await client.post('/v1/memories', remember('Ada prefers “tea” — ☕.'))).body
    const [request] = await to.got(1)
    if (!request) throw new Error('nothing was received')
    verify(request, secret)
    expect(request.body).toEqual({
      event: 'memory.created',
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      data: { id: memory.id, memory: 'Ada prefers “tea” — ☕.', user_id: 'ada', status: 'PENDING' },
    })
    expect(request.headers['content-type']).toBe('application/json')
    expect(request.headers['x-webhook-timestamp']).toBe(String(request.headers['webhook-timestamp']))
    const [delivery] = await deliveriesIn(client, id, 'SUCCEEDED')
    expect(delivery).toMatchObject({
      id: request.headers['webhook-id'],
      webhook_id: id,
      event: 'memory.created',
      attempts: 1,
      response_code: 200,
      response_body: 'ok',
      error: null,
      next_attempt_at: null,
    })
    expect(delivery?.duration_ms).toBeGreaterThanOrEqual(0)
    expect((await client.get(`${PATH}/${id}`)).body.last_success_at).not.toBeNull()
  })

  test('of a change has the new text and the priority, and comes after that of the creation', async () => {
    const { client } = await here.service.account()
    const to = await receiver(here, (_, response) => setTimeout(() => response.end(), 30))
    await createWebhook(client, to.url, { events: ['memory.created', 'memory.updated'] })
    const memories = await Promise.all(
      Array.from({ length: 10 }, async (_, n) => {
        const { id } = (await client.post('/v1/memories', remember(`Plant number ${n} stands in room ${n}.`))).body
        await client.request('PUT', `/v1/memories/${id}`, {
          body: { memory: `Plant ${n} went out.`, priority: 'HIGH' },
        })
        return id
      }),
    )
    await to.got(20)
    for (const id of memories) {
      const own = to.received.filter(({ body }) => body.data.id === id).map(({ body }) => body)
      expect(own).toMatchObject([
        { event: 'memory.created', data: { memory: expect.stringMatching(/stands in room/) } },
        {
          event: 'memory.updated',
          data: { memory: expect.stringMatching(/went out/), priority: 'HIGH', status: 'PENDING' },
        },
      ])
      expect(Object.keys(own[1]?.data)).toEqual(['id', 'memory', 'user_id', 'status', 'priority'])
    }
  })

  test('goes once to each webhook that wants the kind, and to none that is paused', async () => {
    const { client } = await here.service.account()
    const [all, created, deleted, paused] = await Promise.all(Array.from({ length: 4 }, () => receiver(here)))
    if (!all || !created || !deleted || !paused) throw new Error('a receiver is missing')
    await createWebhook(client, all.url)
    await createWebhook(client, created.url, { events: ['memory.created'] })
    await createWebhook(client, deleted.url, { events: ['memory.deleted'] })
    await createWebhook(client, paused.url, { active: false })
    const batch = Array.from({ length: 30 }, (_, n) => remember(`The locker ${n} is in hall ${n % 7}.`))
    const { body } = await client.post('/v1/memories/batch', { memories: batch })
    const ids = body.results.map((result: { memory: { id: string } }) => result.memory.id)
    await client.delete(`/v1/memories/${ids[0]}`)
    await Promise.all([all.got(31), created.got(30), deleted.got(1)])
    expect(
      all
        .events('memory.created')
        .map(({ data }) => data.id)
        .toSorted(),
    ).toEqual(ids.toSorted())
    expect(
      created
        .events('memory.created')
        .map(({ data }) => data.id)
        .toSorted(),
    ).toEqual(ids.toSorted())
    expect(deleted.received[0]?.body.data).toMatchObject({ id: ids[0], ids: [ids[0]] })
    expect(new Set(all.received.map(({ headers }) => headers['webhook-id'])).size).toBe(all.received.length)
    expect(paused.received).toEqual([])
  })

  test('waits while its webhook is paused, and is made when that goes on', async () => {
    const { client } = await here.service.account()
    let up = false
    const to = await receiver(here, (_, response) => response.writeHead(up ? 204 : 500).end('no'))
    const { id } = await createWebhook(client, to.url, { events: ['memory.created'] })
    await client.post('/v1/memories', remember('Bob has two cats.'))
    await to.got(1)
    const [delivery] = await until('it failed once', async () => {
      const { body } = await client.get(`${PATH}/${id}/deliveries`)
      return body.data[0]?.attempts === 1 && body.data
    })
    expect(delivery).toMatchObject({
      status: 'PENDING',
      response_code: 500,
      response_body: 'no',
      error: 'The receiver answered with 500.',
    })
    const waitMs = Date.parse(delivery.next_attempt_at) - Date.now()
    expect(waitMs).toBeGreaterThan(40_000)
    expect(waitMs).toBeLessThanOrEqual(72_000)
    await client.request('PATCH', `${PATH}/${id}`, { body: { active: false } })
    await client.post(`${PATH}/${id}/deliveries/${delivery.id}/redeliver`)
    up = true
    await client.request('PATCH', `${PATH}/${id}`, { body: { active: true } })
    const [done] = await deliveriesIn(client, id, 'SUCCEEDED')
    expect(done).toMatchObject({ id: delivery.id, attempts: 2, response_code: 204, response_body: '', error: null })
    expect(new Set(to.received.map(({ headers }) => headers['webhook-id']))).toEqual(new Set([delivery.id]))
    expect(new Set(to.received.map(({ text }) => text)).size).toBe(1)
  })

  test('follows no redirect, and keeps 2 KB of what it is answered with', async () => {
    const { client } = await here.service.account()
    const elsewhere = await receiver(here)
    const to = await receiver(here, (_, response) =>
      response.writeHead(307, { location: elsewhere.url }).end(`a${'é'.repeat(2000)}\0`),
    )
    const { id } = await createWebhook(client, to.url)
    const { body } = await client.post(`${PATH}/${id}/test`)
    expect(body).toMatchObject({
      status: 'FAILED',
      response_code: 307,
      error: 'The receiver answered with 307, and redirects are not followed.',
      response_body: `a${'é'.repeat(1023)}`,
    })
    expect(elsewhere.received).toEqual([])
  })

  test('is made when its receiver says yes and then more than is read', async () => {
    const { client } = await here.service.account()
    const to = await receiver(here, (_, response) => response.writeHead(200).end('y'.repeat(1_100_000)))
    const { id } = await createWebhook(client, to.url)
    const { body } = await client.post(`${PATH}/${id}/test`)
    expect(body).toMatchObject({
      status: 'SUCCEEDED',
      response_code: 200,
      response_body: 'y'.repeat(2048),
      error: null,
    })
  })

  test('is made when its receiver says yes, in a body that cannot be read', async () => {
    const { client } = await here.service.account()
    const answers: RequestListener[] = [
      (_, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end('plain'),
      (_, response) => response.writeHead(200, { 'content-encoding': 'snappy' }).end('yes'),
      (_, response) => response.writeHead(200, { 'content-length': '10' }).end('yes', () => response.destroy()),
    ]
    for (const answer of answers) {
      const { id } = await createWebhook(client, (await receiver(here, answer)).url)
      const { body } = await client.post(`${PATH}/${id}/test`)
      expect(body).toMatchObject({ status: 'SUCCEEDED', response_code: 200, error: null })
    }
  })

  test('to a name that leads inside by now is not connected', async () => {
    const { client } = await here.service.account()
    const to = await receiver(here)
    const { id } = await createWebhook(client, to.url)
    here.internet.names.set(new URL(to.url).hostname, ['127.0.0.1'])
    const { status, body } = await client.post(`${PATH}/${id}/test`)
    expect([status, body.status, body.response_code]).toEqual([200, 'FAILED', null])
    expect(body.error).toContain('does not lead to a public address')
    expect(to.received).toEqual([])
  })
})

describe('receivers that hang', () => {
  test('cost others in the same workspace nothing', async () => {
    const { client } = await here.service.account()
    const hanging: ServerResponse[] = []
    const begunAt = performance.now()
    const stuck = await Promise.all(
      Array.from({ length: 6 }, () => receiver(here, (_, response) => void hanging.push(response))),
    )
    for (const { url } of stuck) await createWebhook(client, url, { events: ['memory.created'] })
    const batch = (from: number) => ({
      memories: Array.from({ length: 40 }, (_, n) => remember(`Room ${from + n} has ${n} windows.`)),
    })
    await client.post('/v1/memories/batch', batch(0))
    await Promise.all(stuck.map(to => to.got(1)))
    const to = await receiver(here)
    await createWebhook(client, to.url, { events: ['memory.created'] })
    await client.post('/v1/memories/batch', batch(100))
    await to.got(40)
    expect(to.events('memory.created')).toHaveLength(40)
    // Each of them is asked once, and not again before it has had its time.
    const asked = 1 + Math.floor((performance.now() - begunAt) / ATTEMPT_MS)
    for (const { received } of stuck) expect(received.length).toBeLessThanOrEqual(asked)
    for (const response of hanging) response.end()
    await until('the backlog is gone', async () =>
      stuck.every(({ received }) => {
        for (const response of hanging.splice(0)) response.end()
        return received.length >= 80
      }),
    )
  })
})

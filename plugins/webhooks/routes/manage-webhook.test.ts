import { beforeAll, describe, expect, setSystemTime, test } from 'bun:test'
import { Webhook as StandardWebhook } from 'standardwebhooks'
import type { TestAccount } from '../../../test/support/service.ts'
import { until } from '../../../test/support/wait.ts'
import { createWebhook, deliveriesIn, PATH, receiver, verify, type World, world } from '../world.test-support.ts'

let here: World
let account: TestAccount
const NOBODY = '00000000-0000-4000-8000-000000000000'

beforeAll(async () => {
  here = await world()
  account = await here.service.account()
})

describe('PATCH /v1/webhooks/:id', () => {
  test('changes what is given and checks it as at creation', async () => {
    const { client } = await here.service.account()
    const made = await createWebhook(client, 'http://93.184.216.34/one', { description: 'Desk' })
    await createWebhook(client, 'http://93.184.216.34/two')
    const path = `${PATH}/${made.id}`
    const patch = (body: object) => client.request('PATCH', path, { body })
    expect((await patch({})).body).toMatchObject({ url: made.url, events: ['*'], description: 'Desk', active: true })
    expect((await patch({ description: null, active: false, events: ['knowledge.updated'] })).body).toMatchObject({
      description: null,
      active: false,
      events: ['knowledge.updated'],
    })
    expect((await patch({ url: 'http://93.184.216.34/three' })).body.url).toBe('http://93.184.216.34/three')
    expect((await patch({ url: 'http://93.184.216.34/two' })).body.error_code).toBe('DUPLICATE_WEBHOOK_URL')
    expect((await patch({ url: 'http://10.0.0.1/' })).body.details[0].path).toBe('url')
    expect((await patch({ events: ['memory.exploded'] })).body.details[0].path).toBe('events.0')
    expect((await patch({ secret: 'mine' })).status).toBe(400)
  })
})

describe('a webhook that is none of the workspace', () => {
  test('is 404 everywhere, an id that is none 400', async () => {
    const stranger = await here.service.account()
    const { id } = await createWebhook(stranger.client, 'http://93.184.216.34/theirs')
    const { client } = account
    const calls: [string, string, object?][] = [
      ['GET', ''],
      ['PATCH', '', { active: true }],
      ['DELETE', ''],
      ['POST', '/rotate-secret'],
      ['POST', '/test'],
      ['GET', '/deliveries'],
      ['POST', '/redeliver', { since: '2026-01-01' }],
      ['POST', `/deliveries/${NOBODY}/redeliver`],
    ]
    for (const [method, rest, body] of calls) {
      for (const missing of [id, NOBODY]) {
        const response = await client.request(method, `${PATH}/${missing}${rest}`, body ? { body } : {})
        expect([method, rest, response.status, response.body.error_code]).toEqual([
          method,
          rest,
          404,
          'WEBHOOK_NOT_FOUND',
        ])
      }
      expect((await client.request(method, `${PATH}/x${rest}`, body ? { body } : {})).status).toBe(400)
    }
  })

  test('permissions are those of the interface', async () => {
    const { id } = await createWebhook(account.client, 'http://93.184.216.34/permissions')
    const reader = await account.key({ permissions: ['webhook.read'] })
    const writer = await account.key({ permissions: ['webhook.write'] })
    expect((await reader.get(`${PATH}/${id}`)).status).toBe(200)
    expect((await reader.get(`${PATH}/${id}/deliveries`)).status).toBe(200)
    expect((await reader.get(`${PATH}/events`)).status).toBe(200)
    expect((await writer.get(PATH)).status).toBe(403)
    expect((await reader.request('PATCH', `${PATH}/${id}`, { body: {} })).status).toBe(403)
    for (const path of ['rotate-secret', 'test', 'redeliver']) {
      expect((await reader.post(`${PATH}/${id}/${path}`)).status).toBe(403)
    }
    expect((await writer.delete(`${PATH}/${id}`)).status).toBe(403)
    const remover = await account.key({ permissions: ['webhook.delete'] })
    expect((await remover.delete(`${PATH}/${id}`)).status).toBe(204)
    expect((await remover.delete(`${PATH}/${id}`)).status).toBe(404)
  })
})

describe('DELETE /v1/webhooks/:id', () => {
  test('takes its deliveries and what only it was sent along', async () => {
    const { client, workspaceId } = await here.service.account()
    const [one, two] = [await receiver(here), await receiver(here)]
    const first = await createWebhook(client, one.url, { events: ['memory.created', 'memory.deleted'] })
    await createWebhook(client, two.url, { events: ['memory.created'] })
    const { id } = (await client.post('/v1/memories', { memory: 'The attic is dry.' })).body
    await client.delete(`/v1/memories/${id}`)
    await Promise.all([one.got(2), two.got(1)])
    await deliveriesIn(client, first.id, 'SUCCEEDED', 2)
    expect((await client.delete(`${PATH}/${first.id}`)).status).toBe(204)
    const left = () =>
      here.service.database.workspace(workspaceId, async tx => ({
        deliveries: (await tx`select webhook_id from webhooks.delivery`).map(row => row.webhook_id),
        payloads: (await tx`select from webhooks.payload`).length,
      }))
    await until('its rows are gone', async () => {
      const { deliveries, payloads } = await left()
      return deliveries.length === 1 && deliveries[0] !== first.id && payloads === 1
    })
  })
})

describe('POST /v1/webhooks/:id/rotate-secret', () => {
  test('both secrets verify for a day, X-Webhook-Signature with the new one at once', async () => {
    const { client, workspaceId } = await here.service.account()
    const to = await receiver(here)
    const made = await createWebhook(client, to.url)
    const rotated = (await client.post(`${PATH}/${made.id}/rotate-secret`)).body
    expect(rotated.id).toBe(made.id)
    expect(rotated.secret).toMatch(/^whsec_/)
    expect(rotated.secret).not.toBe(made.secret)
    const hours = (Date.parse(rotated.previous_secret_until) - Date.now()) / 3_600_000
    expect(hours).toBeGreaterThan(23.9)
    expect(hours).toBeLessThanOrEqual(24)
    await client.post(`${PATH}/${made.id}/test`)
    const [during] = to.received
    if (!during) throw new Error('nothing was received')
    verify(during, rotated.secret)
    const headers = during.headers as Record<string, string>
    expect(() => new StandardWebhook(made.secret).verify(during.text, headers)).not.toThrow()
    await here.service.database.workspace(
      workspaceId,
      tx =>
        tx`update webhooks.webhook set previous_secret_until = now() - interval '1 second' where workspace_id = ${workspaceId}`,
    )
    await client.post(`${PATH}/${made.id}/test`)
    const after = to.received[1]
    if (!after) throw new Error('nothing more was received')
    verify(after, rotated.secret)
    expect(() => new StandardWebhook(made.secret).verify(after.text, after.headers as Record<string, string>)).toThrow()
    const again = (await client.post(`${PATH}/${made.id}/rotate-secret`)).body
    await client.post(`${PATH}/${made.id}/test`)
    const last = to.received[2]
    if (!last) throw new Error('nothing more was received')
    verify(last, again.secret)
    expect(() =>
      new StandardWebhook(rotated.secret).verify(last.text, last.headers as Record<string, string>),
    ).not.toThrow()
  })
})

describe('rotations one after the other', () => {
  test('leave three former secrets valid, since nobody may have got the ones in between', async () => {
    const { client } = await here.service.account()
    const to = await receiver(here)
    const made = await createWebhook(client, to.url)
    const known: string[] = [made.secret]
    for (let n = 0; n < 4; n++) {
      known.push((await client.post(`${PATH}/${made.id}/rotate-secret`)).body.secret)
      await client.post(`${PATH}/${made.id}/test`)
    }
    const verified = to.received.map(({ text, headers }) =>
      known.filter(secret => {
        try {
          return Boolean(new StandardWebhook(secret).verify(text, headers as Record<string, string>))
        } catch {
          return false
        }
      }),
    )
    expect(verified).toEqual([known.slice(0, 2), known.slice(0, 3), known.slice(0, 4), known.slice(1, 5)])
  })
})

describe('redelivery', () => {
  test('of one that succeeded sends the same again', async () => {
    const { client } = await here.service.account()
    const to = await receiver(here)
    const made = await createWebhook(client, to.url, { events: ['memory.created'] })
    await client.post('/v1/memories', { memory: 'The shed is red.' })
    const [delivery] = await deliveriesIn(client, made.id, 'SUCCEEDED')
    const answer = await client.post(`${PATH}/${made.id}/deliveries/${delivery?.id}/redeliver`)
    expect([answer.status, answer.body.status, answer.body.attempts]).toEqual([202, 'PENDING', 0])
    const [first, second] = await to.got(2)
    expect(second?.text).toBe(first?.text ?? '')
    expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id'])
    const [again] = await deliveriesIn(client, made.id, 'SUCCEEDED')
    expect(again).toMatchObject({ id: delivery?.id, attempts: 1 })
    const missing = await client.post(`${PATH}/${made.id}/deliveries/${NOBODY}/redeliver`)
    expect([missing.status, missing.body.error_code]).toEqual([404, 'DELIVERY_NOT_FOUND'])
  })

  test('of all that failed since a moment', async () => {
    const { client, workspaceId } = await here.service.account()
    const to = await receiver(here)
    const made = await createWebhook(client, to.url, { events: ['memory.created'] })
    const memories = Array.from({ length: 5 }, (_, n) => ({ memory: `Shelf ${n} holds ${n} jars.` }))
    await client.post('/v1/memories/batch', { memories })
    const deliveries = await deliveriesIn(client, made.id, 'SUCCEEDED', 5)
    // Three failed: one of them long ago.
    await here.service.database.workspace(
      workspaceId,
      tx => tx`
        update webhooks.delivery
        set status = 'FAILED', created_at = case when id = ${deliveries[0]?.id} then now() - interval '2 days' else created_at end
        where workspace_id = ${workspaceId} and id = any (${`{${deliveries.slice(0, 3).map(({ id }) => id)}}`}::uuid[])`,
    )
    const since = new Date(Date.now() - 86_400_000).toISOString()
    const { status, body } = await client.post(`${PATH}/${made.id}/redeliver`, { since })
    expect([status, Object.keys(body)]).toEqual([202, ['message']])
    await to.got(7)
    const failed = await deliveriesIn(client, made.id, 'FAILED')
    expect(failed.map(({ id }) => id)).toEqual([deliveries[0]?.id])
    expect((await client.post(`${PATH}/${made.id}/redeliver`, {})).status).toBe(400)
    expect((await client.post(`${PATH}/${made.id}/redeliver`, { since: 'soon' })).status).toBe(400)
  })

  test('of all that failed includes the newest, also where the clock of the server is behind', async () => {
    const { client, workspaceId } = await here.service.account()
    const to = await receiver(here)
    const made = await createWebhook(client, to.url, { events: ['memory.created'] })
    await client.post('/v1/memories', { memory: 'The attic is dry.' })
    await deliveriesIn(client, made.id, 'SUCCEEDED')
    await here.service.database.workspace(
      workspaceId,
      tx => tx`update webhooks.delivery set status = 'FAILED' where workspace_id = ${workspaceId}`,
    )
    const since = new Date(Date.now() - 86_400_000).toISOString()
    setSystemTime(new Date(Date.now() - 300_000))
    await client.post(`${PATH}/${made.id}/redeliver`, { since }).finally(() => setSystemTime())
    expect(await to.got(2)).toHaveLength(2)
  })
})

describe('GET /v1/webhooks/events', () => {
  test('lists public kinds with a body as receivers get it', async () => {
    const { body } = await account.client.get(`${PATH}/events`, { query: { page_size: 100 } })
    expect(body.total).toBe(body.data.length)
    const created = body.data.find(({ event }: { event: string }) => event === 'memory.created')
    expect(created).toMatchObject({
      label: 'Memory created',
      description: 'A new memory was stored.',
      example: { event: 'memory.created', data: { memory: 'Ada prefers tea.', user_id: 'ada', status: 'PENDING' } },
    })
  })
})

describe('GET /v1/webhooks/:id/deliveries', () => {
  test('newest first, by page, state and kind', async () => {
    const { client } = await here.service.account()
    const to = await receiver(here)
    const made = await createWebhook(client, to.url, { events: ['memory.created', 'memory.deleted'] })
    const ids: string[] = []
    for (const n of [1, 2, 3])
      ids.push((await client.post('/v1/memories', { memory: `Key ${n} fits door ${n}.` })).body.id)
    await client.delete(`/v1/memories/${ids[0]}`)
    await deliveriesIn(client, made.id, 'SUCCEEDED', 4)
    const list = async (query: Record<string, string | number>) =>
      (await client.get(`${PATH}/${made.id}/deliveries`, { query })).body
    const all = await list({})
    expect(all.data.map(({ event }: { event: string }) => event)).toEqual([
      'memory.deleted',
      'memory.created',
      'memory.created',
      'memory.created',
    ])
    // The body of the answer about the deleted memory can be forgotten between two lists.
    expect(await list({ page: 2, page_size: 3 })).toMatchObject({
      data: [{ id: all.data[3].id, event: 'memory.created' }],
      total: 4,
      page: 2,
      page_size: 3,
    })
    expect(await list({ event: 'memory.deleted' })).toMatchObject({ data: [{ id: all.data[0].id }], total: 1 })
    expect(await list({ status: 'FAILED' })).toMatchObject({ data: [], total: 0 })
    expect((await client.get(`${PATH}/${made.id}/deliveries`, { query: { status: 'LOST' } })).status).toBe(400)
  })
})

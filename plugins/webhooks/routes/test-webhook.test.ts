import { beforeAll, describe, expect, test } from 'bun:test'
import type { ServerResponse } from 'node:http'
import type { Json } from '../../../test/support/client.ts'
import type { TestAccount } from '../../../test/support/service.ts'
import { until } from '../../../test/support/wait.ts'
import { createWebhook, PATH, receiver, verify, type World, world } from '../world.test-support.ts'

let here: World

beforeAll(async () => {
  here = await world()
})

describe('POST /v1/webhooks/:id/test', () => {
  test('sends a test, also to a paused webhook, and answers with its delivery', async () => {
    const { client } = await here.service.account()
    const to = await receiver(here)
    const made = await createWebhook(client, to.url, { events: ['memory.deleted'], active: false })
    const { status, body } = await client.post(`${PATH}/${made.id}/test`)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      webhook_id: made.id,
      event: 'webhook.test',
      status: 'SUCCEEDED',
      attempts: 1,
      response_code: 200,
      next_attempt_at: null,
    })
    const [request] = to.received
    if (!request) throw new Error('nothing was received')
    verify(request, made.secret)
    expect(request.body).toMatchObject({
      event: 'webhook.test',
      data: { webhook_id: made.id, message: 'This is a test of your webhook.' },
    })
    expect((await client.get(`${PATH}/${made.id}/deliveries`)).body.data).toEqual([body])
  })

  test('is not shown again once its webhook is deleted', async () => {
    const { client } = await here.service.account()
    const to = await receiver(here, (_, response) => void response.end('a private matter'))
    const made = await createWebhook(client, to.url)
    const send = () =>
      client.post(`${PATH}/${made.id}/test`, undefined, { headers: { 'idempotency-key': `test of ${made.id}` } })
    expect((await send()).body.response_body).toBe('a private matter')
    expect((await client.delete(`${PATH}/${made.id}`)).status).toBe(204)
    const { status, body } = await send()
    expect([status, body.error_code, to.received.length]).toEqual([409, 'IDEMPOTENCY_CONFLICT', 1])
  })

  test('is of the moment at which it was sent, however long its receiver takes', async () => {
    const { client } = await here.service.account()
    const hanging: ServerResponse[] = []
    const to = await receiver(here, (_, response) => void hanging.push(response))
    const made = await createWebhook(client, to.url)
    const sending = client.post(`${PATH}/${made.id}/test`)
    await to.got(1)
    const received = Date.now()
    await until('a moment has passed', async () => Date.now() > received + 200)
    for (const response of hanging) response.end()
    const { body } = await sending
    expect(body.created_at).toBe(to.received[0]?.body.timestamp)
    expect((await client.get(`${PATH}/${made.id}/deliveries`)).body.data).toEqual([body])
  })

  test('says what is wrong with a receiver that cannot be reached', async () => {
    const { client } = await here.service.account()
    const made = await createWebhook(client, 'http://93.184.216.99/nobody')
    const { body } = await client.post(`${PATH}/${made.id}/test`)
    expect(body).toMatchObject({ status: 'FAILED', response_code: null, response_body: null, next_attempt_at: null })
    expect(body.error).toMatch(/connection/i)
    expect((await client.get(`${PATH}/${made.id}`)).body.failing_since).toBeNull()
  })

  test('that succeeds says that the webhook works again', async () => {
    const { client, workspaceId } = await here.service.account()
    const to = await receiver(here)
    const { id } = await createWebhook(client, to.url, { events: ['memory.deleted'] })
    await here.service.database.workspace(
      workspaceId,
      tx => tx`
        update webhooks.webhook
        set failing_since = now() - interval '80 hours', alerted_at = now() - interval '8 hours'
        where workspace_id = ${workspaceId}`,
    )
    await client.post(`${PATH}/${id}/test`)
    const after = (await client.get(`${PATH}/${id}`)).body
    expect(after.failing_since).toBeNull()
    expect(Date.now() - Date.parse(after.last_success_at)).toBeLessThan(60_000)
    const recovered = await here.service.database.workspace(
      workspaceId,
      tx => tx`
        select from core.event
        where workspace_id = ${workspaceId} and kind = 'webhook.recovered' and subject_id = ${id}`,
    )
    expect(recovered).toHaveLength(1)
  })

  test('is refused where two are under way in the workspace, and waits where others have two at the host', async () => {
    const [own, other] = [await here.service.account(), await here.service.account()]
    const hanging: ServerResponse[] = []
    const slow = await receiver(here, (_, response) => void hanging.push(response))
    const quick = await receiver(here)
    const [first, second] = [await createWebhook(own.client, slow.url), await createWebhook(own.client, quick.url)]
    const theirs = await createWebhook(other.client, slow.url)
    const test = ({ client }: TestAccount, { id }: Json) => client.post(`${PATH}/${id}/test`)
    const waiting = [test(own, first), test(own, first)]
    await slow.got(2)
    for (const refused of [await test(own, first), await test(own, second)]) {
      expect([refused.status, refused.body.error_code]).toEqual([429, 'RATE_LIMITED'])
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    }
    const away = await test(other, theirs)
    expect([away.status, away.body.error_code]).toEqual([503, 'SERVICE_UNAVAILABLE'])
    expect(Number(away.headers.get('retry-after'))).toBeGreaterThan(0)
    for (const response of hanging.splice(0)) response.end()
    for (const { body } of await Promise.all(waiting)) expect(body.status).toBe('SUCCEEDED')
    expect((await test(own, second)).body.status).toBe('SUCCEEDED')
  })
})

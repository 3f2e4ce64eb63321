import { beforeAll, describe, expect, test } from 'bun:test'
import { PUBLIC } from '../../../core/outgoing/internet.test-support.ts'
import type { Json } from '../../../test/support/client.ts'
import type { TestAccount } from '../../../test/support/service.ts'
import { createWebhook, PATH, type World, world } from '../world.test-support.ts'

let here: World
let account: TestAccount
const NOBODY = '00000000-0000-4000-8000-000000000000'
const OK = { url: 'http://93.184.216.34/hook', events: ['memory.created'] }

beforeAll(async () => {
  here = await world()
  account = await here.service.account()
})

async function faultsOf(body: Json): Promise<Record<string, string>> {
  const { status, body: error } = await account.client.post(PATH, body)
  expect([status, error.error_code]).toEqual([400, 'VALIDATION_ERROR'])
  return Object.fromEntries(error.details.map(({ path, message }: Json) => [path, message]))
}

describe('POST /v1/webhooks', () => {
  test('creates a webhook and shows its secret, which no later response does', async () => {
    const { client, workspaceId } = await here.service.account()
    const { status, body } = await client.post(PATH, {
      ...OK,
      events: ['*', 'memory.created', '*'],
      description: 'Desk',
    })
    expect(status).toBe(201)
    expect(body).toMatchObject({
      url: OK.url,
      events: ['*', 'memory.created'],
      description: 'Desk',
      active: true,
      workspace_id: workspaceId,
      failing_since: null,
    })
    expect(Buffer.from(body.secret.replace(/^whsec_/, ''), 'base64')).toHaveLength(32)
    const { secret, ...shown } = body
    expect((await client.get(`${PATH}/${body.id}`)).body).toEqual(shown)
    expect((await client.get(PATH)).body).toEqual({ data: [shown], total: 1, page: 1, page_size: 20 })
    const rows = await here.service.database.workspace(workspaceId, tx => tx`select * from webhooks.webhook`)
    expect(JSON.stringify(rows)).not.toContain(secret.slice(6, 30))
  })

  test('names what is wrong', async () => {
    expect(await faultsOf({})).toEqual({ url: 'is required', events: 'is required' })
    expect(Object.keys(await faultsOf({ ...OK, events: [] }))).toEqual(['events'])
    expect(await faultsOf({ ...OK, events: ['memory.created', 'memory.processed', 'memory.exploded'] })).toEqual({
      'events.1': 'is not a kind that GET /v1/webhooks/events lists',
      'events.2': 'is not a kind that GET /v1/webhooks/events lists',
    })
    expect(await faultsOf({ ...OK, secret: 'mine', active: 'no' })).toEqual({
      secret: 'is not a known field',
      active: 'must be true or false',
    })
  })

  test('names an address that is none beside other faults, before the workspace is looked up', async () => {
    for (const url of ['nowhere', 'ftp://93.184.216.34/', 'http://ada:secret@93.184.216.34/', 'http://a_b..test/']) {
      const faults = await faultsOf({ url, events: ['memory.exploded'], workspace_id: NOBODY })
      expect([url, Object.keys(faults).toSorted()]).toEqual([url, ['events.0', 'url']])
    }
    const made = await createWebhook(account.client, 'http://93.184.216.34/named')
    const body = { url: 'nowhere', active: 1 }
    const { status, body: error } = await account.client.request('PATCH', `${PATH}/${made.id}`, { body })
    expect([status, error.details.map(({ path }: Json) => path).toSorted()]).toEqual([400, ['active', 'url']])
  })

  test('refuses addresses that are not public, also behind a name, and URLs that are none for HTTP', async () => {
    here.internet.names.set('inner.test', ['10.0.0.7']).set('mixed.test', [PUBLIC, '127.0.0.1'])
    for (const url of [
      'http://127.0.0.1:9/',
      'http://[::1]/',
      'http://169.254.169.254/latest/meta-data',
      'http://inner.test/',
      'http://mixed.test/',
      'ftp://93.184.216.34/',
      'http://ada:secret@93.184.216.34/',
      'nowhere',
    ]) {
      expect([url, Object.keys(await faultsOf({ ...OK, url }))]).toEqual([url, ['url']])
    }
  })

  test('takes a host that does not resolve yet', async () => {
    const { client } = await here.service.account()
    expect((await client.post(PATH, { ...OK, url: 'https://later.test/hook' })).status).toBe(201)
  })

  test('one URL is one webhook, however it is spelt, and also when two are created at once', async () => {
    const { client } = await here.service.account()
    const urls = ['http://93.184.216.34/a', 'http://93.184.216.34:80/a', 'http://0x5db8d822/a#part']
    const created = await Promise.all(urls.map(url => client.post(PATH, { ...OK, url })))
    expect(created.map(({ status }) => status).toSorted()).toEqual([201, 409, 409])
    expect(created.find(({ status }) => status === 409)?.body.error_code).toBe('DUPLICATE_WEBHOOK_URL')
    expect((await client.post(PATH, { ...OK, url: 'http://93.184.216.34/b' })).status).toBe(201)
    const names = ['https://spelt.test/c', 'https://spelt.test./c', 'https://SPELT.test.:443/c']
    const named = await Promise.all(names.map(url => client.post(PATH, { ...OK, url })))
    expect(named.map(({ status }) => status).toSorted()).toEqual([201, 409, 409])
    const other = await here.service.account()
    expect((await other.client.post(PATH, { ...OK, url: urls[0] })).status).toBe(201)
  })

  test('the plan limits their number, whoever is first', async () => {
    const { client } = await here.service.account({ plan: 'pro' })
    const created = await Promise.all(
      Array.from({ length: 12 }, (_, n) => client.post(PATH, { ...OK, url: `http://93.184.216.34/${n}` })),
    )
    expect(created.filter(({ status }) => status === 201)).toHaveLength(10)
    const over = created.filter(({ status }) => status === 422)
    expect(over.map(({ body }) => body.error_code)).toEqual(['WEBHOOK_LIMIT_EXCEEDED', 'WEBHOOK_LIMIT_EXCEEDED'])
    const [first] = (await client.get(PATH)).body.data
    expect((await client.post(PATH, { ...OK, url: first.url })).body.error_code).toBe('DUPLICATE_WEBHOOK_URL')
    await client.delete(`${PATH}/${first.id}`)
    expect((await client.post(PATH, OK)).status).toBe(201)
  })

  test('a plan without webhooks answers FEATURE_NOT_ENABLED, a key without the permission FORBIDDEN', async () => {
    const poor = await here.service.account({ plan: 'free' })
    expect((await poor.client.post(PATH, {})).body.error_code).toBe('FEATURE_NOT_ENABLED')
    const reader = await account.key({ permissions: ['webhook.read'] })
    expect((await reader.post(PATH, {})).body.error_code).toBe('FORBIDDEN')
    expect((await here.service.anonymous.post(PATH, OK)).status).toBe(401)
  })

  test('creates in the workspace that is named, and a test key in the twin', async () => {
    const two = await here.service.account({ workspaces: 2 })
    const [, second = ''] = two.workspaceIds
    const both = await two.key({ workspaceIds: [second] })
    const there = await createWebhook(both, OK.url, { workspace_id: second })
    expect(there.workspace_id).toBe(second)
    expect((await both.get(`${PATH}/${there.id}`)).status).toBe(404)
    expect((await both.get(`${PATH}/${there.id}`, { query: { workspace_id: second } })).status).toBe(200)
    const twin = await createWebhook(await two.key({ mode: 'test' }), OK.url)
    expect(two.workspaceIds).not.toContain(twin.workspace_id)
    expect((await two.client.get(PATH)).body.total).toBe(0)
  })

  test('is told in the activity of the workspace, and to no webhook', async () => {
    const { client, workspaceId } = await here.service.account()
    await createWebhook(client, 'http://93.184.216.34/first')
    const { id } = await createWebhook(client, OK.url)
    const rows = await here.service.database.workspace(
      workspaceId,
      tx => tx`select kind, data from core.event where workspace_id = ${workspaceId} and subject_id = ${id}`,
    )
    expect([...rows]).toEqual([
      { kind: 'webhook.created', data: { webhook_id: id, url: 'http://93.184.216.34', events: ['*'] } },
    ])
    const deliveries = await here.service.database.workspace(workspaceId, tx => tx`select from webhooks.delivery`)
    expect(deliveries).toHaveLength(0)
  })
})

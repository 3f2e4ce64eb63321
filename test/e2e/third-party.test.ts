import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { startTestService, type TestAccount, type TestService } from 'mneme/testing'
import guestbook from '../fixtures/guestbook/index.ts'
import type { Client, Json } from '../support/client.ts'
import { inlined } from '../support/inlined.ts'

/** This plugin has everything that a third party can add to plans, settings and memories, over HTTP. */

let running: TestService
/** The plan `pro` has it by a setting, `scale` by manifest, and no other limited one. */
let pro: TestAccount
let free: TestAccount

beforeAll(async () => {
  running = await startTestService({ plugins: [guestbook], settings: { PLAN_FEATURES: 'pro:x_guestbook' } })
  pro = await running.account({ plan: 'pro' })
  free = await running.account({ plan: 'free' })
})

afterAll(() => running.stop())

const sign = (client: Client, words = 'I was here.') => client.post('/v1/x/guestbook/entries', { words })

async function remember(client: Client, memory: string): Promise<Json> {
  const { status, body } = await client.post('/v1/memories', { memory })
  expect(status).toBe(201)
  await running.jobsDone()
  return body
}

describe('its feature', () => {
  test('is in the plans of its manifest, in that of the setting, and in unlimited', async () => {
    const statuses: [string, number][] = []
    for (const plan of ['free', 'pro', 'scale', 'unlimited']) {
      const { client } = await running.account({ plan })
      statuses.push([plan, (await sign(client)).status])
    }
    expect(statuses).toEqual([
      ['free', 403],
      ['pro', 201],
      ['scale', 201],
      ['unlimited', 201],
    ])
    expect((await sign(free.client)).body.error_code).toBe('FEATURE_NOT_ENABLED')
  })

  test('keeps its subscription from workspaces without it', async () => {
    const { client, workspaceId } = await running.account({ plan: 'free' })
    await remember(client, 'A kettle sings.')
    const rows = await running.database.system(
      tx => tx`select 1 from x_guestbook.entry where entry.workspace_id = ${workspaceId}`,
    )
    expect(rows).toHaveLength(0)
  })

  test('keeps its filter, its field and its hook from workspaces without it', async () => {
    const memory = await remember(free.client, 'Under teh roof.')
    expect([memory.memory, memory.categories]).toEqual(['Under teh roof.', []])
    expect((await free.client.get(`/v1/memories/${memory.id}`)).body).not.toHaveProperty('extensions')
    for (const refused of [
      await free.client.get('/v1/memories', { query: { guestbook_seen: true } }),
      await free.client.get('/v1/memories/search', { query: { query: 'roof', guestbook_seen: true } }),
      await free.client.post('/v1/memories/search', { query: 'roof', guestbook_seen: true }),
    ]) {
      expect([refused.status, refused.body.error_code]).toEqual([403, 'FEATURE_NOT_ENABLED'])
    }
  })
})

describe('its quota', () => {
  test('limits by plan, however many come at once', async () => {
    const { client } = await running.account({ plan: 'pro' })
    const signed = await Promise.all(Array.from({ length: 5 }, () => sign(client)))
    expect(signed.map(({ status }) => status).toSorted()).toEqual([201, 201, 429, 429, 429])
    const refused = signed.find(({ status }) => status === 429)
    expect(refused?.body).toMatchObject({
      error_code: 'QUOTA_EXCEEDED',
      message: "The pro plan's 2 x guestbook entries are used up.",
    })
  })
})

describe('its setting', () => {
  test('stands with the others, is checked, and asks for its permission', async () => {
    const { client, key, workspaceId } = await running.account({ plan: 'pro' })
    const path = `/v1/workspaces/${workspaceId}`
    expect((await client.get(path)).body.settings).toMatchObject({
      consolidation: true,
      x_guestbook: { banned: null },
    })
    const wrong = await client.patch(path, { settings: { x_guestbook: { banned: '', colour: 'red' } } })
    expect([wrong.status, wrong.body.details.map(({ path }: Json) => path).toSorted()]).toEqual([
      400,
      ['settings.x_guestbook.banned', 'settings.x_guestbook.colour'],
    ])
    const plain = await key({ permissions: ['workspace.write'] })
    expect((await plain.patch(path, { settings: { x_guestbook: { banned: 'mud' } } })).body.error_code).toBe(
      'FORBIDDEN',
    )
    const { body } = await client.patch(path, { settings: { x_guestbook: { banned: 'mud' }, language: 'en' } })
    expect(body.settings).toMatchObject({ language: 'en', x_guestbook: { banned: 'mud' } })
  })
})

describe('its filter', () => {
  test('narrows lists and every way to search', async () => {
    const { client } = await running.account({ plan: 'pro' })
    const noted = await remember(client, 'The kettle is red.')
    const other = await remember(client, 'The kettle is blue.')
    await running.database.system(tx => tx`delete from x_guestbook.entry where entry.memory_id = ${other.id}`)
    const ids = ({ body }: { body: Json }) => body.data.map(({ id }: Json) => id)
    const asked = { query: 'kettle', mode: 'keyword', guestbook_seen: true }
    expect(ids(await client.get('/v1/memories', { query: { guestbook_seen: true } }))).toEqual([noted.id])
    expect(ids(await client.get('/v1/memories', { query: { search: 'kettle', guestbook_seen: true } }))).toEqual([
      noted.id,
    ])
    expect(ids(await client.get('/v1/memories/search', { query: asked }))).toEqual([noted.id])
    expect(ids(await client.post('/v1/memories/search', asked))).toEqual([noted.id])
    expect(ids(await client.post('/v1/memories/search', { ...asked, guestbook_seen: false }))).toHaveLength(2)
    const why = await client.post('/v1/memories/search/why', { ...asked, memory_id: other.id })
    expect(why.body).toMatchObject({
      found: false,
      reasons: [{ code: 'FILTERED', message: 'It does not pass the filter guestbook_seen.' }],
    })
    const wrong = await client.post('/v1/memories/search', { ...asked, guestbook_seen: 'yes' })
    expect([wrong.status, wrong.body.details[0].path]).toEqual([400, 'guestbook_seen'])
  })
})

describe('its field', () => {
  test('is shown in lists, among results and with one memory, and stands in the reference', async () => {
    const { client } = await running.account({ plan: 'pro' })
    const { id } = await remember(client, 'The door squeaks.')
    const extensions = { guestbook: { note: `saw ${id}` } }
    expect((await client.get('/v1/memories')).body.data[0].extensions).toEqual(extensions)
    expect((await client.get(`/v1/memories/${id}`)).body.extensions).toEqual(extensions)
    const found = await client.post('/v1/memories/search', { query: 'door', mode: 'keyword' })
    expect(found.body.data[0].extensions).toEqual(extensions)
    const { paths } = inlined((await client.get('/openapi.json')).body)
    const full = paths['/v1/memories/{id}'].get.responses['200'].content['application/json'].schema
    expect(full.properties.extensions.properties.guestbook.properties.note.description).toBe(
      'What the guest book noted.',
    )
  })

  test('is left out where it fails, and everything else is answered', async () => {
    const { client } = await running.account({ plan: 'pro' })
    await remember(client, 'The lamp flickers.')
    const table = (name: string) => running.database.system(tx => tx.unsafe(`alter table x_guestbook.${name}`))
    await table('entry rename to away')
    const { status, body } = await client.get('/v1/memories')
    await table('away rename to entry')
    expect([status, body.total, body.data[0].memory]).toEqual([200, 1, 'The lamp flickers.'])
    expect(body.data[0]).not.toHaveProperty('extensions')
  })
})

describe('its hook before a memory is stored', () => {
  test('changes what is created, alone or with others, and what is updated', async () => {
    const { client } = await running.account({ plan: 'pro' })
    const made = await client.post('/v1/memories', { memory: 'Under teh roof.', categories: ['home'] })
    expect(made.body).toMatchObject({ memory: 'Under the roof.', categories: ['home', 'guests'] })
    const updated = await client.put(`/v1/memories/${made.body.id}`, { memory: 'On teh roof.' })
    expect(updated.body).toMatchObject({ memory: 'On the roof.', categories: ['guests'] })
    const batch = await client.post('/v1/memories/batch', { memories: [{ memory: 'teh cat' }, { memory: 'teh cat' }] })
    expect(batch.body.results).toMatchObject([
      { status: 201, memory: { memory: 'the cat' } },
      { status: 409, error: { error_code: 'DUPLICATE_MEMORY' } },
    ])
  })

  test('refuses with its own code, item by item in a batch, and stores nothing of what it refuses', async () => {
    const { client, workspaceId } = await running.account({ plan: 'pro' })
    await client.patch(`/v1/workspaces/${workspaceId}`, { settings: { x_guestbook: { banned: 'mud' } } })
    const refused = await client.post('/v1/memories', { memory: 'mud on the floor' })
    expect([refused.status, refused.body]).toEqual([
      422,
      {
        status_code: 422,
        error: 'Unprocessable Entity',
        message: 'No memory may hold mud.',
        error_code: 'GUESTBOOK_RUDE',
      },
    ])
    const memories = [{ memory: 'clean' }, { memory: 'mud' }, { memory: ' ' }, { memory: 'tidy' }]
    const { status, body } = await client.post('/v1/memories/batch', { memories })
    expect([status, body.results.map((result: Json) => result.error?.error_code ?? result.status)]).toEqual([
      207,
      [201, 'GUESTBOOK_RUDE', 'VALIDATION_ERROR', 201],
    ])
    expect((await client.get('/v1/memories')).body.total).toBe(2)
    const [clean] = (await client.get('/v1/memories', { query: { search: 'clean' } })).body.data
    const update = await client.put(`/v1/memories/${clean.id}`, { memory: 'now mud' })
    expect([update.status, update.body.error_code]).toEqual([422, 'GUESTBOOK_RUDE'])
    expect((await client.get(`/v1/memories/${clean.id}`)).body.memory).toBe('clean')
  })

  test('looks at the facts of conversations too', async () => {
    const { client, workspaceId } = await running.account({ plan: 'pro' })
    await client.patch(`/v1/workspaces/${workspaceId}`, { settings: { x_guestbook: { banned: 'Porto' } } })
    const messages = ['I live in Porto.', 'I work at Contoso.'].map(content => ({ role: 'user', content }))
    const { body } = await client.post('/v1/memories/conversations', { messages, user_id: 'ada' })
    await running.jobsDone()
    expect((await client.get(`/v1/memories/conversations/${body.id}`)).body.status).toBe('COMPLETED')
    const texts = (await client.get('/v1/memories')).body.data.map(({ memory }: Json) => memory)
    expect(texts.join()).toContain('Contoso')
    expect(texts.join()).not.toContain('Porto')
  })

  test('has its codes in the reference', async () => {
    const { paths } = inlined((await pro.client.get('/openapi.json')).body)
    for (const operation of [paths['/v1/memories'].post, paths['/v1/memories/{id}'].put]) {
      expect(operation.responses['422'].content['application/json'].examples).toHaveProperty('GUESTBOOK_RUDE')
    }
  })
})

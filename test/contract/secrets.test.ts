import { beforeAll, describe, expect, test } from 'bun:test'
import { handIn, user } from '../../plugins/conversations/world.test-support.ts'
import { exported, imported } from '../../plugins/exports/world.test-support.ts'
import { ingest, memoriesOf } from '../../plugins/ingest/world.test-support.ts'
import type { Client, Json } from '../kit/client.ts'
import { service } from '../support/service.ts'

const TOKEN = `ghp_${'a1B2'.repeat(9)}`
const SAID = `Ada's token is ${TOKEN}`
const MASKED = "Ada's token is [masked: github]"
const KEY = `-----BEGIN PRIVATE KEY-----\n${Array.from({ length: 40 }, () => `MII${'Ev4z'.repeat(15)}`).join('\n')}\n-----END PRIVATE KEY-----`
const REFUSED = { status_code: 422, error_code: 'SECRET_REFUSED' }

/** A workspace with a value of the setting `secrets`. */
async function workspace(secrets: string): Promise<Client> {
  const { client, workspaceId } = await (await service()).account()
  const { body } = await client.patch(`/v1/workspaces/${workspaceId}`, { settings: { secrets } })
  expect(body.settings.secrets).toBe(secrets)
  return client
}

async function everything(client: Client): Promise<string> {
  const { body: list } = await client.get('/v1/memories', { query: { page_size: 100 } })
  const { file } = await exported(client, { format: 'JSONL', include: ['memories', 'history'] })
  return JSON.stringify(list) + file
}

const kept = () => workspace('keep')

describe('a workspace that masks secrets', () => {
  let client: Client
  beforeAll(async () => {
    client = await workspace('mask')
  })

  test('masks them in memories, their categories and their metadata, at any level', async () => {
    const metadata = { note: { list: [`${TOKEN}!`, 7, null] }, plain: 'tea' }
    const { status, body } = await client.post('/v1/memories', { memory: SAID, metadata, categories: [TOKEN, 'tea'] })
    expect(status).toBe(201)
    expect(body).toMatchObject({
      memory: MASKED,
      metadata: { note: { list: ['[masked: github]!', 7, null] }, plain: 'tea' },
      categories: ['[masked: github]', 'tea'],
    })
  })

  test('takes texts that differ in their secrets only for the same', async () => {
    const [first, second] = ['a1B2', 'c3D4'].map(part => ({ memory: `One and the same: ghp_${part.repeat(9)}` }))
    expect((await client.post('/v1/memories', first)).status).toBe(201)
    expect((await client.post('/v1/memories', second)).body).toMatchObject({ error_code: 'DUPLICATE_MEMORY' })
  })

  test('masks them in batches and updates, and tells what was masked in an event', async () => {
    const { body } = await client.post('/v1/memories/batch', {
      memories: [
        { memory: `In a batch: ${TOKEN}`, user_id: 'ben' },
        { memory: 'No secret.', user_id: 'ben' },
      ],
    })
    expect(body.results.map(({ memory }: Json) => memory.memory)).toEqual([
      'In a batch: [masked: github]',
      'No secret.',
    ])
    const { id } = body.results[1].memory
    const updated = await client.put(`/v1/memories/${id}`, { memory: 'Pay with 4111 1111 1111 1111.' })
    expect(updated.body.memory).toBe('Pay with [masked: card].')
    const { body: feed } = await client.get('/v1/dashboard/activity', {
      query: { event_type: 'memory.masked', user_id: 'ben' },
    })
    expect(feed.data.map(({ resource_id }: Json) => resource_id)).toEqual([id, body.results[0].memory.id])
    const { body: summary } = await client.get('/v1/dashboard/summary')
    expect(summary.memories_masked.current).toBeGreaterThanOrEqual(2)
  })

  test('masks them in conversations before anything is drawn from them', async () => {
    const talk = [user(`I live in Lisbon and my password file is at postgres://ada:hunter22@db.example.com:5432/tea.`)]
    const conversation = await handIn(client, talk, { user_id: 'cleo', metadata: { note: TOKEN } })
    expect(conversation.status).toBe('COMPLETED')
    const { body } = await client.get('/v1/memories', { query: { user_id: 'cleo' } })
    expect(JSON.stringify(body)).toContain('[masked: ')
  })

  test('masks them in documents, also where they are longer than a memory', async () => {
    const content = `# Access\n\n${SAID}\n\n${KEY}\n\nThat was the key.`
    const job = await ingest(client, { user_id: 'dora' }, { name: `${TOKEN}.txt`, content })
    expect(job).toMatchObject({ status: 'COMPLETED', file_name: '[masked: github].txt' })
    const texts = (await memoriesOf(client, job.id)).map(({ memory }) => memory).join('\n')
    expect(texts).toContain('[masked: github]')
    expect(texts).not.toContain('Ev4zEv4z')
  })

  test('masks them in what a template says', async () => {
    const { body } = await client.post('/v1/templates', {
      name: 'access',
      variables: [{ name: 'token' }],
      memories: [{ memory: 'Use {{token}} here.' }],
    })
    const applied = await client.post(`/v1/templates/${body.id}/apply`, { variables: { token: TOKEN } })
    expect(applied.body.memories.map(({ memory }: Json) => memory)).toEqual(['Use [masked: github] here.'])
  })

  test('masks them in imports, with their history', async () => {
    const source = await kept()
    const made = await source.post('/v1/memories', { memory: `From elsewhere: ${TOKEN}`, user_id: 'eve' })
    await source.put(`/v1/memories/${made.body.id}`, { memory: 'Nothing here any more.' })
    const { file } = await exported(source, { format: 'JSONL', include: ['memories', 'history'] })
    expect(file).toContain(TOKEN)
    expect(await imported(client, file)).toMatchObject({ status: 'COMPLETED' })
    const { body } = await client.get(`/v1/memories/${made.body.id}/history`)
    expect(JSON.stringify(body)).toContain('From elsewhere: [masked: github]')
  })

  test('shows and exports none of them', async () => {
    const all = await everything(client)
    for (const secret of [TOKEN, 'hunter22', 'Ev4zEv4z', '4111']) expect(all).not.toContain(secret)
  })
})

describe('a workspace that refuses secrets', () => {
  let client: Client
  beforeAll(async () => {
    client = await workspace('refuse')
  })

  test('refuses memories and updates with 422 and names the kind, not the secret', async () => {
    const { body } = await client.post('/v1/memories', { memory: SAID })
    expect(body).toMatchObject(REFUSED)
    expect(body.message).toContain('github')
    expect(body.message).not.toContain(TOKEN)
    expect((await client.post('/v1/memories', { memory: 'Plain.', metadata: { note: TOKEN } })).body).toMatchObject(
      REFUSED,
    )
    const plain = await client.post('/v1/memories', { memory: 'Plain.' })
    expect((await client.put(`/v1/memories/${plain.body.id}`, { memory: SAID })).body).toMatchObject(REFUSED)
  })

  test('refuses the items of a batch that hold one, and no other', async () => {
    const { body } = await client.post('/v1/memories/batch', { memories: [{ memory: SAID }, { memory: 'Harmless.' }] })
    expect(body.results).toMatchObject([{ status: 422, error: REFUSED }, { status: 201 }])
  })

  test('refuses conversations and templates', async () => {
    expect((await client.post('/v1/memories/conversations', { messages: [user(SAID)] })).body).toMatchObject(REFUSED)
    const { body } = await client.post('/v1/templates', {
      name: 'access',
      variables: [{ name: 'token' }],
      memories: [{ memory: 'Use {{token}}.' }],
    })
    const applied = await client.post(`/v1/templates/${body.id}/apply`, { variables: { token: TOKEN } })
    expect(applied.body).toMatchObject(REFUSED)
  })

  test('fails documents with a sentence, and keeps nothing of them', async () => {
    const content = `${'Plain words of the document. '.repeat(100)}\n\n${SAID}`
    const job = await ingest(client, { user_id: 'dora' }, { name: 'access.txt', content })
    expect(job).toMatchObject({ status: 'FAILED', error_code: 'SECRET_REFUSED', memories_created: 0 })
    expect(job.error).toContain('github')
  })

  test('refuses the lines of an import that hold one, also in their history, and no other', async () => {
    const source = await kept()
    const made = await source.post('/v1/memories', { memory: SAID })
    await source.put(`/v1/memories/${made.body.id}`, { memory: 'Nothing here any more.' })
    await source.post('/v1/memories', { memory: 'Ada likes tea.' })
    const { file } = await exported(source, { format: 'JSONL', include: ['memories', 'history'] })
    const job = await imported(client, file)
    expect(job).toMatchObject({ status: 'COMPLETED', memories_created: 1, lines_failed: 1 })
    expect(JSON.stringify(job.errors)).toContain('github')
    expect(await everything(client)).not.toContain(TOKEN)
  })

  test('refuses a text that is too long with its secrets masked', async () => {
    const masking = await workspace('mask')
    const secret = 'mysql://ada:hunter22@db '
    const { body } = await masking.post('/v1/memories', { memory: secret.repeat(2000) })
    expect(body).toMatchObject(REFUSED)
  })
})

test('secrets are kept unless a workspace says otherwise', async () => {
  const { client } = await (await service()).account()
  expect((await client.post('/v1/memories', { memory: SAID })).body.memory).toBe(SAID)
})

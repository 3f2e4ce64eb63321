import { beforeAll, describe, expect, test } from 'bun:test'
import Supermemory from 'supermemory'
import type { Client } from '../../../test/support/client.ts'
import { until } from '../../../test/support/wait.ts'
import { bridged, held, processed, refusalOf } from '../world.test-support.ts'

let mneme: Client
let supermemory: Supermemory
let baseURL: string

beforeAll(async () => {
  const service = await bridged()
  baseURL = `${service.origin}/bridges/supermemory`
  const { client, apiKey } = await service.account()
  mneme = client
  supermemory = new Supermemory({ apiKey, baseURL, maxRetries: 0 })
})

async function post(path: string, body: object, method = 'POST') {
  const headers = { authorization: `Bearer ${supermemory.apiKey}`, 'content-type': 'application/json' }
  const response = await fetch(`${baseURL}${path}`, { method, headers, body: JSON.stringify(body) })
  return { status: response.status, body: Object(await response.json()) }
}

describe('documents', () => {
  test('are memories of the container, with metadata', async () => {
    const { id, status } = await supermemory.add({
      content: 'Ada keeps bees in Ghent.',
      containerTag: 'ada',
      metadata: { topic: 'bees', hives: 3 },
    })
    expect(status).toBe('queued')
    expect(await held(mneme, { user_id: 'ada' })).toMatchObject([
      { id, memory: 'Ada keeps bees in Ghent.', metadata: { topic: 'bees', hives: 3 } },
    ])
    const document = await supermemory.documents.get(id)
    expect(document).toMatchObject({
      id,
      content: 'Ada keeps bees in Ghent.',
      containerTags: ['ada'],
      metadata: { topic: 'bees', hives: 3 },
      type: 'text',
    })
  })

  test('under a custom id are replaced, read and deleted by it', async () => {
    const first = await supermemory.documents.add({ content: 'Bob rows.', containerTag: 'bob', customId: 'sport' })
    const again = await supermemory.documents.add({ content: 'Bob sails.', containerTag: 'bob', customId: 'sport' })
    expect(again.id).toBe(first.id)
    expect(await supermemory.documents.get('sport')).toMatchObject({
      id: first.id,
      content: 'Bob sails.',
      customId: 'sport',
    })
    expect(await held(mneme, { user_id: 'bob' })).toMatchObject([{ memory: 'Bob sails.', session_id: 'sport' }])
    await supermemory.documents.delete('sport')
    expect(await held(mneme, { user_id: 'bob' })).toEqual([])
  })

  test('are changed, listed and deleted', async () => {
    const batch = await supermemory.documents.batchAdd({
      documents: [
        { content: 'Carl paints.' },
        { content: 'Carl draws.', metadata: { a: 1 } },
        { content: 'Carl paints.' },
      ],
      containerTag: 'carl',
    })
    expect(batch).toMatchObject({ success: 2, failed: 1, results: [{}, {}, { status: 'error' }] })
    const [one, two] = batch.results.map(({ id }) => id)
    expect(await supermemory.documents.update(String(one), { content: 'Carl sculpts.' })).toMatchObject({ id: one })
    const listed = await supermemory.documents.list({
      containerTags: ['carl'],
      limit: 1,
      page: 2,
      includeContent: true,
    })
    expect(listed).toMatchObject({
      memories: [{ id: one, content: 'Carl sculpts.' }],
      pagination: { currentPage: 2, totalItems: 2, totalPages: 2 },
    })
    const gone = await supermemory.documents.deleteBulk({ ids: [String(one), String(two), 'nothing'] })
    expect(gone).toMatchObject({ success: false, deletedCount: 2, errors: [{ id: 'nothing' }] })
    expect(await held(mneme, { user_id: 'carl' })).toEqual([])
    const whole = supermemory.documents.deleteBulk({ containerTags: ['ada'] })
    expect(String(await refusalOf(whole))).toContain('BRIDGES_DELETE_ALL')
  })

  test('that are pages are imported, and told of as such', async () => {
    const { id } = await supermemory.add({ content: 'https://example.com/page', containerTag: 'dora' })
    expect((await mneme.get(`/v1/ingest-jobs/${id}`)).body).toMatchObject({ user_id: 'dora', format: 'URL' })
    expect(await supermemory.documents.get(id)).toMatchObject({ type: 'webpage', url: 'https://example.com/page' })
  })

  test('in progress are listed', async () => {
    const { totalCount } = await supermemory.documents.listProcessing()
    expect(totalCount).toBeGreaterThanOrEqual(0)
  })
})

describe('search', () => {
  beforeAll(async () => {
    const kind = (metadata: Record<string, string | number | string[]>) => ({ containerTag: 'eva', metadata })
    await supermemory.add({ content: 'Eva drinks green tea.', ...kind({ kind: 'drink', cups: 3, tags: ['hot'] }) })
    await supermemory.add({ content: 'Eva drinks cold tea in summer.', ...kind({ kind: 'drink', cups: 5 }) })
    await supermemory.add({ content: 'Eva bakes tea cakes.', ...kind({ kind: 'food', cups: 1 }) })
    await supermemory.add({ content: 'Fay drinks black tea.', containerTag: 'fay' })
    await processed(mneme)
  })

  const [GREEN, COLD, CAKES] = ['Eva drinks green tea.', 'Eva drinks cold tea in summer.', 'Eva bakes tea cakes.']

  test.each([
    ['a value', { AND: [{ key: 'kind', value: 'drink' }] }, [GREEN, COLD]],
    ['a number', { AND: [{ key: 'cups', value: '3', filterType: 'numeric', numericOperator: '>=' }] }, [GREEN, COLD]],
    ['a number as text', { AND: [{ key: 'cups', value: '5' }] }, [COLD]],
    ['an item', { AND: [{ key: 'tags', value: 'hot', filterType: 'array_contains' }] }, [GREEN]],
    ['what it is not', { AND: [{ key: 'kind', value: 'drink', negate: true }] }, [CAKES]],
    [
      'alternatives',
      {
        OR: [
          { key: 'kind', value: 'food' },
          { key: 'tags', value: 'hot' },
        ],
      },
      [GREEN, CAKES],
    ],
  ] as const)('filters memories of a container by %s', async (_, filters, expected) => {
    const found = await supermemory.search.memories({ q: 'tea', containerTag: 'eva', filters: Object(filters) })
    expect(found.results.map(({ memory }) => String(memory)).sort()).toEqual([...expected].sort())
    expect(found.total).toBe(expected.length)
  })

  test('has the best first, down to a threshold, with documents where they are wanted', async () => {
    const found = await supermemory.search({
      q: 'cold tea in summer',
      containerTag: 'eva',
      include: { documents: true },
    })
    expect(found.results[0]).toMatchObject({ memory: COLD, documents: [{ content: COLD }] })
    const threshold = found.results[0]?.similarity ?? 0
    expect((await supermemory.search({ q: 'cold tea in summer', containerTag: 'eva', threshold })).total).toBe(1)
    const documents = await supermemory.search.documents({
      q: 'cold tea in summer',
      containerTag: 'eva',
      includeFullDocs: true,
    })
    expect(documents.results[0]).toMatchObject({ content: COLD, chunks: [{ content: COLD, isRelevant: true }] })
    expect((await supermemory.search.execute({ q: 'tea', containerTags: ['fay'] })).total).toBe(1)
  })

  test('refuses what it cannot do with a sentence', async () => {
    const q = { q: 'tea', containerTag: 'eva' }
    expect(await refusalOf(supermemory.search({ ...q, rewriteQuery: true }))).toMatchObject({ status: 501 })
    expect(String(await refusalOf(supermemory.search({ ...q, include: { forgottenMemories: true } })))).toContain(
      'forgottenMemories',
    )
    const filters = Object({ AND: [{ key: 'kind', value: 'dr', filterType: 'string_contains' }] })
    expect(String(await refusalOf(supermemory.search({ ...q, filters })))).toContain('string_contains')
    expect(
      String(await refusalOf(supermemory.search.documents({ q: 'tea', containerTags: ['eva', 'fay'] }))),
    ).toContain('one container')
    expect(String(await refusalOf(supermemory.documents.list({ containerTags: ['eva'], filters })))).toContain(
      'string_contains',
    )
  })
})

test('a profile has what is known, what is new, and what was searched for', async () => {
  await supermemory.add({ content: 'I work at Acme as an engineer.', containerTag: 'gus' })
  const profile = await until('the profile is compiled', async () => {
    const told = await supermemory.profile({ containerTag: 'gus' })
    return told.profile.static.length > 0 ? told : undefined
  })
  expect(profile.profile.static.join()).toContain('Acme')
  expect(profile.profile.dynamic).toEqual(['I work at Acme as an engineer.'])
  expect(profile.searchResults).toBeUndefined()
  const searched = await supermemory.profile({ containerTag: 'gus', q: 'Where does Gus work?' })
  expect(searched.searchResults).toMatchObject({ total: 1, results: [{ memory: 'I work at Acme as an engineer.' }] })
})

describe('memories', () => {
  test('are changed and forgotten by id or by their exact content', async () => {
    const memories = [
      { content: 'Hal has a dog.', isStatic: true },
      { content: 'Hal has a pony.', metadata: { a: 1 } },
    ]
    const made = await post('/v4/memories', { memories, containerTag: 'hal' })
    expect(made.body.memories).toMatchObject([{ memory: 'Hal has a dog.', isStatic: true }, { isStatic: false }])
    const [dog, pony] = made.body.memories
    expect((await mneme.get(`/v1/memories/${dog.id}`)).body.priority).toBe('HIGH')
    const changed = { containerTag: 'hal', content: 'Hal has a pony.', newContent: 'Hal has a mule.' }
    expect(await supermemory.memories.updateMemory(changed)).toMatchObject({
      id: pony.id,
      memory: 'Hal has a mule.',
      version: 2,
    })
    expect(await supermemory.memories.forget({ containerTag: 'hal', id: dog.id })).toEqual({
      id: dog.id,
      forgotten: true,
    })
    const listed = await post('/v4/memories/list', { containerTags: ['hal'] })
    expect(listed.body).toMatchObject({ memoryEntries: [{ memory: 'Hal has a mule.', metadata: { a: 1 } }] })
    const forgotten = supermemory.memories.forget({ containerTag: 'hal', content: 'Hal has a dog.' })
    expect(await refusalOf(forgotten)).toMatchObject({ status: 404 })
    expect(await held(mneme, { user_id: 'hal' })).toMatchObject([{ memory: 'Hal has a mule.' }])
  })

  test('come of conversations', async () => {
    const messages = [{ role: 'user', content: 'I moved to Lisbon in May.' }]
    const added = await post('/v4/conversations', { conversationId: 'talk', messages, containerTags: ['ida'] })
    expect(added.body).toMatchObject({ conversationId: 'talk', status: 'queued' })
    await until('it is read', async () => (await held(mneme, { user_id: 'ida' })).length > 0)
    expect(await held(mneme, { user_id: 'ida' })).toMatchObject([{ session_id: 'talk', source: 'CONVERSATION' }])
  })
})

test('settings, connections and files are refused with a sentence', async () => {
  expect(await refusalOf(supermemory.settings.get())).toMatchObject({ status: 501 })
  expect(String(await refusalOf(supermemory.connections.list({})))).toContain('accounts of other services')
  const upload = supermemory.documents.uploadFile({ file: new File(['text'], 'a.txt'), containerTag: 'ada' })
  expect(await refusalOf(upload)).toMatchObject({
    status: 415,
    error: { error: expect.stringContaining('/v1/memories/ingest') },
  })
})

test('a stranger is refused in the form of Supermemory', async () => {
  const stranger = new Supermemory({ apiKey: `mn_live_${'x'.repeat(32)}`, baseURL, maxRetries: 0 })
  expect(await refusalOf(stranger.search({ q: 'tea' }))).toMatchObject({
    status: 401,
    error: { details: 'UNAUTHORIZED' },
  })
})

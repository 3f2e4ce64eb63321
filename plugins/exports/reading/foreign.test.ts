import { describe, expect, test } from 'bun:test'
import type { Json } from '../../../test/support/client.ts'
import { service } from '../../../test/support/service.ts'
import { imported } from '../world.test-support.ts'

const fresh = async () => (await (await service()).account()).client

describe('an import of a file of another service', () => {
  test('reads what mem0 gives out', async () => {
    const client = await fresh()
    const id = '6f1c2b7d-9e10-4a45-8a9e-3f0a8c1e2d7b'
    const results = [
      {
        id,
        memory: 'Loves hiking',
        hash: 'abc',
        metadata: { mood: 'good' },
        score: null,
        created_at: '2025-02-01T10:00:00-08:00',
        updated_at: null,
        user_id: 'alex',
        run_id: 'run-1',
        expiration_date: '2190-01-31',
      },
    ]
    const done = await imported(client, JSON.stringify({ results, relations: [] }, null, 2))
    expect(done).toMatchObject({ status: 'COMPLETED', memories_created: 1 })
    expect((await client.get(`/v1/memories/${id}`)).body).toMatchObject({
      memory: 'Loves hiking',
      user_id: 'alex',
      session_id: 'run-1',
      metadata: { mood: 'good' },
      created_at: '2025-02-01T18:00:00.000Z',
      layer: 'TASK',
      expires_at: '2190-02-01T00:00:00.000Z',
    })
    expect(await imported(await fresh(), JSON.stringify(results))).toMatchObject({
      memories_created: 1,
      format: 'list',
    })
  })

  test("reads the relations of mem0's graph as sentences", async () => {
    const client = await fresh()
    const relations = [
      { source: 'ada', relationship: 'works_at', target: 'lindal_freight' },
      { source: 'bob', relation: 'likes', destination: 'pizza' },
      { source: 'ada', relationship: 'knows' },
    ]
    const done = await imported(client, JSON.stringify({ results: [], relations }))
    expect(done).toMatchObject({ memories_created: 2, lines_failed: 1, errors: [{ line: 3 }] })
    const { data } = (await client.get('/v1/memories')).body
    const texts = data.map(({ memory }: { memory: string }) => memory)
    expect(new Set(texts)).toEqual(new Set(['ada works at lindal freight', 'bob likes pizza']))
  })

  test.each([
    [
      'in an object',
      (added: unknown) => ({ results: [], relations: { deleted_entities: [[]], added_entities: added } }),
    ],
    [
      'before other lists',
      (added: unknown) => ({ relations: { added_entities: added, deleted_entities: [] }, results: [] }),
    ],
    ['in a list of their own', (added: unknown) => ({ results: [], added_entities: added })],
    ['alone', (added: unknown) => ({ relations: { added_entities: added } })],
  ])('reads relations that mem0 gives as added, %s', async (_, document) => {
    const client = await fresh()
    const [ada, bob] = ['ada', 'bob'].map(source => ({ source, relationship: 'likes', target: 'green_tea' }))
    const done = await imported(client, JSON.stringify(document([[ada], [], [bob, { source: 'eve' }, 'junk']])))
    expect(done).toMatchObject({ status: 'COMPLETED', memories_created: 2, lines_failed: 2 })
    expect(done.errors.map(({ message }: Json) => message)).toEqual([
      'is no relation: expected source, relationship and target',
      'is no relation: expected source, relationship and target',
    ])
    const { data } = (await client.get('/v1/memories')).body
    expect(data.map(({ memory }: Json) => memory).toSorted()).toEqual(['ada likes green tea', 'bob likes green tea'])
  })

  test('tells what is no relation among relations, and stores nothing of it', async () => {
    const client = await fresh()
    const relations = ['junk', 7, { text: '' }, { source: 'ada', relationship: 'likes', target: 'tea' }]
    const done = await imported(client, JSON.stringify({ results: [{ memory: 'Ada sings.' }], relations }))
    expect(done).toMatchObject({ status: 'COMPLETED', memories_created: 2, lines_failed: 3 })
    expect(done.errors.map(({ line }: Json) => line)).toEqual([2, 3, 4])
  })

  test('counts what its service has forgotten or deleted as expired, and heeds when it will be', async () => {
    const client = await fresh()
    const memoryEntries = [
      { id: 'a', memory: 'Ada had a cat.', isForgotten: true, forgetReason: 'outdated' },
      { id: 'b', memory: 'Ada had a dog.', isForgotten: false, forgetAfter: '2021-03-04T00:00:00Z' },
      { id: 'c', memory: 'Ada has a fish.', isForgotten: false, forgetAfter: '2190-03-04T00:00:00Z' },
      { id: 'd', memory: 'Ada has a bird.', isForgotten: false, forgetAfter: null },
      { id: 'e', memory: 'Ada has a pet.', forgetAfter: 'soon' },
      { id: 'f', memory: 'Ada has one fish.', isLatest: false },
      { id: 'g', memory: 'Ada has two fish.', isLatest: true },
    ]
    const done = await imported(client, JSON.stringify({ memoryEntries }))
    expect(done).toMatchObject({ memories_created: 3, memories_expired: 3, lines_failed: 1, errors: [{ line: 5 }] })
    const passages = [
      { id: 'passage-1', text: 'Bo has a dog.', is_deleted: true },
      { id: 'passage-2', text: 'Bo has a cat.', is_deleted: false },
    ]
    const letta = await imported(client, JSON.stringify(passages))
    expect(letta).toMatchObject({ memories_created: 1, memories_expired: 1, lines_failed: 0 })
    const found: [string, unknown][] = []
    for (const { id } of (await client.get('/v1/memories')).body.data) {
      const { memory, expires_at, metadata } = (await client.get(`/v1/memories/${id}`)).body
      found.push([memory, [expires_at, metadata]])
    }
    expect(Object.fromEntries(found)).toEqual({
      'Ada has a fish.': ['2190-03-04T00:00:00.000Z', { original_id: 'c' }],
      'Ada has a bird.': [null, { original_id: 'd' }],
      'Ada has two fish.': [null, { original_id: 'g' }],
      'Bo has a cat.': [null, { original_id: 'passage-2' }],
    })
  })

  test('tells a day of expiry that there is not', async () => {
    const client = await fresh()
    const days = ['2021-02-30', '2190-13-01', 'tomorrow', 20_301_231, '', null, '2190-02-28']
    const results = days.map((expiration_date, n) => ({ memory: `Wears the hat ${n}.`, expiration_date }))
    const done = await imported(client, JSON.stringify({ results }))
    expect(done).toMatchObject({ memories_created: 3, memories_expired: 0, lines_failed: 4 })
    expect(done.errors).toEqual(
      [1, 2, 3, 4].map(line => ({ line, message: 'expiration_date must be a date, such as 2026-01-31' })),
    )
  })

  test('counts what has expired apart, and stores its text where it comes again', async () => {
    const client = await fresh()
    const text = 'The quay is closed.'
    const items = [
      { memory: text, user_id: 'ada', expiration_date: '2020-01-31' },
      { memory: text, user_id: 'bob' },
      { fact: 'Ada lives in Ghent.', invalid_at: '2021-01-01T00:00:00Z' },
      { memory: 'A task.', layer: 'TASK', expires_at: '2020-02-01T00:00:00Z' },
    ]
    const done = await imported(client, JSON.stringify(items))
    expect(done).toMatchObject({ memories_created: 1, memories_skipped: 0, memories_expired: 3, lines_failed: 0 })
    expect((await client.get('/v1/memories')).body.data).toEqual([
      expect.objectContaining({ memory: text, user_id: 'bob' }),
    ])
    const again = await imported(client, JSON.stringify([items[0], items[1]]))
    expect(again).toMatchObject({ memories_created: 0, memories_skipped: 1, memories_expired: 1 })
    const onlyOver = await imported(client, JSON.stringify([items[0]]))
    expect(onlyOver).toMatchObject({ status: 'COMPLETED', memories_created: 0, memories_expired: 1 })
  })

  test("reads the names of mem0's TypeScript library, and keeps what it has no field for", async () => {
    const client = await fresh()
    const item = { id: 7, memory: 'Plays chess', userId: 'alex', runId: 'run-1', createdAt: '2024-05-06T07:08:09Z' }
    const more = { updatedAt: '2024-06-01T00:00:00Z', appId: 'club', vector: [0.1, 0.2], score: 0.4, note: ' ' }
    await imported(client, JSON.stringify({ results: [{ ...item, ...more }] }))
    expect((await client.get('/v1/memories')).body.data).toEqual([
      expect.objectContaining({
        user_id: 'alex',
        session_id: 'run-1',
        created_at: '2024-05-06T07:08:09.000Z',
        updated_at: '2024-06-01T00:00:00.000Z',
        metadata: { original_id: 7, app_id: 'club' },
      }),
    ])
  })

  test('reads what Hindsight gives out', async () => {
    const client = await fresh()
    const fact = { id: '550e8400-e29b-41d4-a716-446655440000', text: 'Alice sailed to Crete', fact_type: 'world' }
    const times = { occurred_start: '2023-08-01T00:00:00Z', mentioned_at: '2024-01-15T10:30:00Z', occurred_end: null }
    const items = [{ ...fact, ...times, context: 'Holidays', tags: ['travel', 'sea'] }]
    const done = await imported(client, JSON.stringify({ items, total: 1, limit: 100, offset: 0 }, null, 2))
    expect(done).toMatchObject({ status: 'COMPLETED', memories_created: 1, lines_failed: 0 })
    expect((await client.get(`/v1/memories/${fact.id}`)).body).toMatchObject({
      memory: 'Alice sailed to Crete',
      categories: ['travel', 'sea'],
      created_at: '2024-01-15T10:30:00.000Z',
      metadata: { fact_type: 'world', context: 'Holidays', occurred_at: '2023-08-01T00:00:00Z' },
    })
    const [recalled] = items.map(item => ({ ...item, type: 'world', text: 'Alice has a boat' }))
    expect(await imported(await fresh(), JSON.stringify({ results: [recalled] }))).toMatchObject({
      memories_created: 1,
    })
  })

  test('reads what Supermemory and Letta give out', async () => {
    const client = await fresh()
    const memoryEntries = [
      { id: 'mem_1', memory: 'Ada has a cat', containerTags: ['ada', 'pets'], createdAt: '2025-02-03T00:00:00Z' },
    ]
    await imported(client, JSON.stringify({ memoryEntries, pagination: {} }, null, 2))
    const passages = [{ id: 'passage-1', text: 'Bo has a dog', created_at: '2025-03-04T00:00:00Z', tags: null }]
    await imported(client, JSON.stringify(passages))
    expect((await client.get('/v1/memories')).body.data).toEqual([
      expect.objectContaining({ memory: 'Bo has a dog', created_at: '2025-03-04T00:00:00.000Z' }),
      expect.objectContaining({
        memory: 'Ada has a cat',
        user_id: 'ada',
        created_at: '2025-02-03T00:00:00.000Z',
        metadata: { original_id: 'mem_1', container_tags: ['ada', 'pets'] },
      }),
    ])
  })

  test('keeps tags as metadata that may not be categories', async () => {
    const client = await fresh()
    const many = Array.from({ length: 21 }, (_, n) => `tag ${n}`)
    const lines = [
      { text: 'One.', tags: many },
      { text: 'Two.', tags: ['a'], categories: ['b'] },
      { text: 'Three.', tags: [{}] },
    ]
    const done = await imported(client, lines.map(line => JSON.stringify(line)).join('\n'))
    expect(done).toMatchObject({ memories_created: 3, lines_failed: 0 })
    const { data } = (await client.get('/v1/memories')).body
    const found = new Map(data.map((one: Json) => [one.memory, [one.categories, one.metadata]]))
    expect(found.get('One.')).toEqual([[], { tags: many }])
    expect(found.get('Two.')).toEqual([['b'], { tags: ['a'] }])
    expect(found.get('Three.')).toEqual([[], null])
  })

  test('leaves out what it has no field for where metadata would grow large', async () => {
    const client = await fresh()
    const item = { text: 'Rain on Monday', source: 'x'.repeat(20_000), metadata: { mood: 'good' } }
    await imported(client, JSON.stringify(item))
    expect((await client.get('/v1/memories')).body.data[0].metadata).toEqual({ mood: 'good' })
  })

  test('reads what Zep gives out', async () => {
    const client = await fresh()
    const edges = [
      { uuid: '0b8f6a0e-5c1d-4f35-9c55-0f3b1f9d6a21', fact: 'Emily works at Acme', valid_at: '2025-01-01T00:00:00Z' },
      {
        uuid: '0b8f6a0e-5c1d-4f35-9c55-0f3b1f9d6a22',
        fact: 'Emily works at Initech',
        invalid_at: '2025-01-01T00:00:00Z',
      },
      { uuid: '0b8f6a0e-5c1d-4f35-9c55-0f3b1f9d6a23', fact: 'Emily rents a boat', invalid_at: '2190-01-01T00:00:00Z' },
    ]
    // More than an item may have in all, and none of it is a memory.
    const nodes = Array.from({ length: 3000 }, (_, n) => ({ name: `Node ${n}`, summary: 'x'.repeat(500) }))
    const messages = [
      { uuid: 'm1', role: 'user', name: 'Emily', content: 'I like tea.', created_at: '2025-03-01T00:00:00Z' },
    ]
    const done = await imported(client, JSON.stringify({ nodes, edges, messages }), { user_id: 'emily' })
    expect(done).toMatchObject({ status: 'COMPLETED', memories_created: 3, lines_failed: 0 })
    const { data } = (await client.get('/v1/memories')).body
    expect(data.map(({ memory }: Json) => memory).toSorted()).toEqual([
      'Emily rents a boat',
      'Emily works at Acme',
      'Emily: I like tea.',
    ])
  })
})

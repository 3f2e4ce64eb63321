import { beforeAll, describe, expect, test } from 'bun:test'
import type { Client, Json } from '../support/client.ts'
import type { TestAccount } from '../support/service.ts'
import { until } from '../support/wait.ts'
import { ISO, NOBODY, remember, type Subject, subject, UUID } from './subject.ts'

const TYPES = ['PERSON', 'ORGANIZATION', 'PLACE', 'THING']

let service: Subject
let account: TestAccount
let client: Client
let ana: string
let initech: string
/** At this instant all but Ana's leaving was known, which shows when something became known. */
let before: string

beforeAll(async () => {
  service = await subject()
  account = await service.account()
  client = account.client
  await remember(client, 'My name is Ana Lind and I work at Initech.', { user_id: 'ana' })
  await remember(client, 'I am married to Tomasz Nowak.', { user_id: 'ana' })
  await remember(client, 'Tomasz Nowak lives in Lisbon.', { user_id: 'ana' })
  before = (await remember(client, 'Priya Nair works at Initech.', { user_id: 'ana' })).created_at
  await known('Priya Nair', 'ORGANIZATION', 'Initech')
  ana = (await known('Ana Lind', 'ORGANIZATION', 'Initech')).id
  await known('Ana Lind', 'PERSON', 'Tomasz Nowak')
  await known('Tomasz Nowak', 'PLACE', 'Lisbon')
  initech = await idOf('Initech', 'ORGANIZATION')
  await remember(client, 'I left Initech and joined Globex.', { user_id: 'ana' })
  await known('Ana Lind', 'ORGANIZATION', 'Globex')
})

async function idOf(query: string, type: string): Promise<string> {
  const { body } = await client.get('/v1/graph/search', { query: { query, type } })
  return body[0]?.name === query ? body[0].id : ''
}

/** Waits until the graph has a relationship of somebody with something of a type and name. */
function known(person: string, type: string, name: string): Promise<{ id: string }> {
  return until(`the graph ties ${person} to ${name}`, async () => {
    const id = await idOf(person, 'PERSON')
    if (!id) return undefined
    const { body } = await client.get(`/v1/graph/entities/${id}/relationships`)
    const ends = [...(body.outgoing ?? []), ...(body.incoming ?? [])].map((edge: Json) => edge.target ?? edge.source)
    return ends.some((end: Json) => end.name === name && end.type === type) ? { id } : undefined
  })
}

const relationships = (query: Record<string, string | boolean> = {}, id = ana) =>
  client.get(`/v1/graph/entities/${id}/relationships`, { query })

describe('the entities', () => {
  test('are listed in the envelope, twenty a page, with the fields of the list form', async () => {
    const { status, body } = await client.get('/v1/graph/entities')
    expect(status).toBe(200)
    const { data, ...envelope } = body
    expect(envelope).toEqual({ total: data.length, page: 1, page_size: 20 })
    for (const entity of data) {
      expect(entity).toMatchObject({ id: UUID, name: expect.any(String), created_at: ISO })
      expect([TYPES.includes(entity.type), 'description' in entity]).toEqual([true, true])
    }
    const names = data.map(({ name }: Json) => name)
    expect(names).toEqual(expect.arrayContaining(['Ana Lind', 'Initech', 'Tomasz Nowak', 'Lisbon']))
    expect(new Set(names).size).toBe(names.length)
  })

  test('go by user, type, time and page', async () => {
    const list = async (query: Record<string, string | number>) =>
      (await client.get('/v1/graph/entities', { query })).body
    const places = await list({ type: 'PLACE', user_id: 'ana' })
    expect(places.data.map(({ name }: Json) => name)).toEqual(['Lisbon'])
    expect((await list({ user_id: 'bob' })).total).toBe(0)
    expect((await list({ as_of: before })).data.map(({ name }: Json) => name)).not.toContain('Globex')
    expect((await list({ page: 2, page_size: 1 })).data).toHaveLength(1)
    expect((await list({ page: 1_000, page_size: 100 })).data).toEqual([])
  })

  test('have a full form with numbers that are right', async () => {
    const { status, body } = await client.get(`/v1/graph/entities/${ana}`)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      id: ana,
      name: 'Ana Lind',
      type: 'PERSON',
      metadata: null,
      relationships_count: 2,
      created_at: ISO,
      updated_at: ISO,
    })
    expect('description' in body).toBe(true)
    expect(body.related_memories_count).toBe(3)
  })
})

describe('the relationships of an entity', () => {
  test('are those that hold, each with its other end', async () => {
    const { status, body } = await relationships()
    expect(status).toBe(200)
    expect(body).toMatchObject({ entity_id: ana, entity_name: 'Ana Lind', incoming: [] })
    const shown = body.outgoing.map(({ type, target }: Json) => `${type} ${target.name}`).toSorted()
    expect(shown).toEqual(['MARRIED_TO Tomasz Nowak', 'WORKS_AT Globex'])
    for (const edge of body.outgoing) {
      expect(edge).toMatchObject({ id: UUID, target: { id: UUID, name: expect.any(String) } })
      expect([edge.weight > 0, edge.weight <= 1, TYPES.includes(edge.target.type)]).toEqual([true, true, true])
    }
    const { body: workplace } = await relationships({}, initech)
    expect(workplace.incoming.map(({ type, source }: Json) => `${type} ${source.name}`)).toEqual([
      'WORKS_AT Priya Nair',
    ])
  })

  test('that ended are there with include_history and at an earlier time', async () => {
    const jobs = ({ body }: Json) =>
      body.outgoing
        .filter(({ type }: Json) => type === 'WORKS_AT')
        .map(({ target, current }: Json) => `${target.name} ${current}`)
        .toSorted()
    expect(jobs(await relationships({ include_history: true }))).toEqual(['Globex true', 'Initech false'])
    expect(jobs(await relationships({ as_of: before }))).toEqual(['Initech true'])
  })
})

describe('the search for entities', () => {
  test('answers an array, the best first', async () => {
    const { status, body } = await client.get('/v1/graph/search', { query: { query: 'Tomasz', limit: 3 } })
    expect([status, Array.isArray(body)]).toEqual([200, true])
    expect(body[0]).toEqual({
      id: UUID,
      name: 'Tomasz Nowak',
      type: 'PERSON',
      description: body[0].description,
      score: expect.any(Number),
    })
    const scores = body.map(({ score }: Json) => score)
    expect(scores).toEqual(scores.toSorted((a: number, b: number) => b - a))
    for (const score of scores) expect([score >= 0, score <= 1]).toEqual([true, true])
    expect(body.length).toBeLessThanOrEqual(3)
  })

  test('finds by meaning once entities are embedded', async () => {
    const found = await until('the meaning of places is found', async () => {
      const { body } = await client.get('/v1/graph/search', {
        query: { query: 'capital city of Portugal', type: 'PLACE' },
      })
      return body.length > 0 ? body : undefined
    })
    expect(found[0].name).toBe('Lisbon')
  })
})

describe('the walk', () => {
  const walk = (query: Record<string, string | number | boolean>) =>
    client.get('/v1/graph/traverse', { query: { from: ana, ...query } })

  test('answers nodes and edges between them', async () => {
    const { status, body } = await walk({})
    expect([status, Object.keys(body).toSorted()]).toEqual([200, ['edges', 'nodes']])
    const ids = body.nodes.map(({ id }: Json) => id)
    expect([ids[0], new Set(ids).size]).toEqual([ana, ids.length])
    for (const { id, source, target, type, weight } of body.edges) {
      expect([id, typeof type, weight > 0]).toEqual([UUID, 'string', true])
      expect([ids.includes(source), ids.includes(target)]).toEqual([true, true])
    }
    expect(body.nodes.map(({ name }: Json) => name)).toContain('Lisbon')
    const near = (await walk({ depth: 1 })).body.nodes.map(({ name }: Json) => name)
    expect(near.toSorted()).toEqual(['Ana Lind', 'Globex', 'Tomasz Nowak'])
    expect((await walk({ relationship_type: 'WORKS_AT', depth: 1 })).body.edges).toHaveLength(1)
    expect((await walk({ entity_type: 'PERSON', limit: 5 })).body.edges).toHaveLength(1)
    expect((await walk({ limit: 1 })).body.edges).toHaveLength(1)
  })
})

describe('a question', () => {
  const ask = async (query: string, more: object = {}) =>
    (await client.post('/v1/graph/query', { query, user_id: 'ana', ...more })).body

  test('is answered from the graph, with what it used', async () => {
    const body = await ask('Where do I work?')
    expect(Object.keys(body).toSorted()).toEqual(['answer', 'confidence', 'entities_used'])
    expect([body.answer, body.confidence >= 0.5]).toEqual([expect.stringContaining('Globex'), true])
    expect(body.answer).not.toContain('Initech')
    expect(body.entities_used.map(({ id, name, type }: Json) => [id, name, type])).toEqual([
      [ana, 'Ana Lind', 'PERSON'],
      [UUID, 'Globex', 'ORGANIZATION'],
    ])
    expect((await ask('Where do I work?', { as_of: before })).answer).toContain('Initech')
    expect((await ask('Where does my husband live?')).answer).toContain('Lisbon')
  })

  test('that the graph cannot answer is said to be so', async () => {
    const body = await ask('Where does Zelda work?')
    expect([body.confidence <= 0.2, body.entities_used]).toEqual([true, []])
  })
})

describe('every endpoint of the graph', () => {
  const calls = (id: string): [method: string, path: string, body?: object][] => [
    ['GET', '/v1/graph/entities'],
    ['GET', `/v1/graph/entities/${id}`],
    ['GET', `/v1/graph/entities/${id}/relationships`],
    ['GET', '/v1/graph/search?query=Ana'],
    ['GET', `/v1/graph/traverse?from=${id}`],
    ['POST', '/v1/graph/query', { query: 'Who is Ana?' }],
  ]
  const codes = (by: Client, id = ana) =>
    Promise.all(
      calls(id).map(async ([method, path, body]) => {
        const response = await by.request(method, path, body ? { body } : {})
        return [path, response.status, response.body.error_code]
      }),
    )

  test('needs a key', async () => {
    for (const [path, status, code] of await codes(service.anonymous))
      expect([path, status, code]).toEqual([path, 401, 'UNAUTHORIZED'])
  })

  test('needs memory.read, which is told before the plan and the query are looked at', async () => {
    const free = await service.account({ plan: 'free' })
    for (const one of [account, free]) {
      const writer = await one.key({ permissions: ['memory.write', 'knowledge.read'] })
      for (const [path, status, code] of await codes(writer, 'no-id'))
        expect([path, status, code]).toEqual([path, 403, 'FORBIDDEN'])
    }
  })

  test('needs a plan with the knowledge graph', async () => {
    const free = await service.account({ plan: 'free' })
    for (const [path, status, code] of await codes(free.client, 'no-id'))
      expect([path, status, code]).toEqual([path, 403, 'FEATURE_NOT_ENABLED'])
  })

  test('shows nothing of another workspace, unless it is one of the caller’s own', async () => {
    const stranger = await service.account()
    const found = await codes(stranger.client)
    expect(found.map(([, status]) => status)).toEqual([200, 404, 404, 200, 404, 200])
    expect(found.flatMap(([, , code]) => code ?? [])).toEqual(Array(3).fill('ENTITY_NOT_FOUND'))
    expect((await stranger.client.get('/v1/graph/entities')).body.total).toBe(0)
    const workspace_id = account.workspaceId
    for (const path of ['entities', `entities/${ana}`, `entities/${ana}/relationships`, 'search', 'traverse']) {
      const query = {
        workspace_id,
        ...(path === 'search' ? { query: 'Ana' } : path === 'traverse' ? { from: ana } : {}),
      }
      const denied = await stranger.client.get(`/v1/graph/${path}`, { query })
      expect([path, denied.body.error_code]).toEqual([path, 'WORKSPACE_ACCESS_DENIED'])
      expect([path, (await client.get(`/v1/graph/${path}`, { query })).status]).toEqual([path, 200])
    }
    const asked = await stranger.client.post('/v1/graph/query', { query: 'Who is Ana?', workspace_id })
    expect(asked.body.error_code).toBe('WORKSPACE_ACCESS_DENIED')
  })

  test('says 404 for an entity that nobody has, and 400 for what is no id', async () => {
    const statuses = (found: unknown[][]) => found.map(([, status, code]) => `${status} ${code ?? ''}`.trim())
    const missing = '404 ENTITY_NOT_FOUND'
    expect(statuses(await codes(client, NOBODY))).toEqual(['200', missing, missing, '200', missing, '200'])
    const refused = '400 VALIDATION_ERROR'
    expect(statuses(await codes(client, 'no-id'))).toEqual(['200', refused, refused, '200', refused, '200'])
  })

  test('refuses what it does not understand, every parameter named', async () => {
    const cases: [string, Record<string, string | number>][] = [
      ['entities', { type: 'ANIMAL', page: 0, page_size: 101, as_of: 'once', user_id: 'z'.repeat(256), kind: 'x' }],
      [`entities/${ana}/relationships`, { as_of: 'once', include_history: 'perhaps', page: 1 }],
      ['search', { query: 'x'.repeat(501), type: 'ANIMAL', limit: 51, page: 1 }],
      ['traverse', { depth: 4, relationship_type: 'ADMIRES', entity_type: 'ANIMAL', limit: 101, as_of: 'once', x: 1 }],
    ]
    for (const [path, query] of cases) {
      const { status, body } = await client.get(`/v1/graph/${path}`, { query })
      const named = body.details.map(({ path: at }: Json) => at)
      const wanted = path === 'traverse' ? ['from', ...Object.keys(query)] : Object.keys(query)
      expect([path, status, named.toSorted()]).toEqual([path, 400, wanted.toSorted()])
    }
    const asked = await client.post('/v1/graph/query', { query: 'x'.repeat(1001), limit: 21, as_of: 'once', depth: 1 })
    expect(asked.body.details.map(({ path }: Json) => path).toSorted()).toEqual(['as_of', 'depth', 'limit', 'query'])
    expect((await client.get('/v1/graph/search')).body.details[0].path).toBe('query')
  })
})

describe('memories by entity', () => {
  test('are those that name it', async () => {
    const texts = async (query: Record<string, string>) =>
      (await client.get('/v1/memories', { query })).body.data.map(({ memory }: Json) => memory).toSorted()
    const naming = ['I am married to Tomasz Nowak.', 'Tomasz Nowak lives in Lisbon.']
    expect(await texts({ entity_name: 'TOMASZ  nowak' })).toEqual(naming)
    expect(await texts({ entity_id: await idOf('Tomasz Nowak', 'PERSON') })).toEqual(naming)
    expect(await texts({ entity_name: 'Tomasz Nowak', search: 'Lisbon', mode: 'keyword' })).toEqual([naming[1] ?? ''])
    expect(await texts({ entity_id: NOBODY })).toEqual([])
    const refused = await client.get('/v1/memories', { query: { entity_id: 'x' } })
    expect([refused.status, refused.body.details[0].path]).toEqual([400, 'entity_id'])
  })
})

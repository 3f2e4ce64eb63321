import { beforeAll, describe, expect, test } from 'bun:test'
import type { Json } from '../../../test/support/client.ts'
import { idleService } from '../../../test/support/service.ts'
import { type GraphWorld, graphWorld } from '../world.test-support.ts'

let world: GraphWorld
let ada: string
let initech: string

/** Ada left Acme for Initech, where Bob works and which Eve joined in March; another user knows an Initech of her own. */
beforeAll(async () => {
  world = await graphWorld()
  ada = await world.entity('Ada', 'PERSON', { isUser: true, description: 'works at Initech' })
  const bob = await world.entity('Bob')
  const eve = await world.entity('Eve', 'PERSON', { at: '2026-03-01' })
  initech = await world.entity('Initech', 'ORGANIZATION')
  const acme = await world.entity('Acme', 'ORGANIZATION')
  await world.entity('Hermit', 'THING', { at: '2026-02-01' })
  await world.edge(ada, 'WORKS_AT', acme, { weight: 0.95, to: '2026-02-01' })
  await world.edge(ada, 'WORKS_AT', initech, { weight: 0.9, from: '2026-02-01', validFrom: '2026-01-20' })
  await world.edge(bob, 'WORKS_AT', initech, { weight: 0.8 })
  await world.edge(eve, 'WORKS_AT', initech, { weight: 0.7, from: '2026-03-01' })
  await world.edge(bob, 'KNOWS', ada, { weight: 0.3 })
  const zoe = await world.entity('Zoe', 'PERSON', { userId: 'zoe', isUser: true })
  const other = await world.entity('Initech', 'ORGANIZATION', { userId: 'zoe' })
  await world.edge(zoe, 'WORKS_AT', other, { weight: 0.6 })
})

type Query = Record<string, string | number | boolean>
const get = (query: Query = {}) => world.client.get('/v1/graph/overview', { query })
const names = ({ nodes }: Json): string[] => nodes.map(({ name }: Json) => name)
const sentences = ({ nodes, edges }: Json): string[] => {
  const nameOf = (id: string) => nodes.find((node: Json) => node.id === id).name
  return edges.map(({ source, type, target }: Json) => `${nameOf(source)} ${type} ${nameOf(target)}`)
}

const NOW = ['Ada WORKS_AT Initech', 'Bob WORKS_AT Initech', 'Eve WORKS_AT Initech', 'Bob KNOWS Ada']

describe('GET /v1/graph/overview', () => {
  test('shows the most connected entities first, and what holds between them, the strongest first', async () => {
    const { status, body } = await get({ user_id: 'ada' })
    expect(status).toBe(200)
    expect(names(body).slice(0, 3).toSorted()).toEqual(['Ada', 'Bob', 'Initech'])
    expect(names(body)[0]).toBe('Initech')
    expect(names(body).slice(3, 4)).toEqual(['Eve'])
    expect(sentences(body)).toEqual(NOW)
    expect([body.total_nodes, body.total_edges]).toEqual([6, 4])
    expect(body.nodes.find(({ id }: Json) => id === ada)).toEqual({
      id: ada,
      name: 'Ada',
      type: 'PERSON',
      description: 'works at Initech',
      user_id: 'ada',
      is_user: true,
      relationships_count: 2,
      known_from: '2026-01-01T00:00:00.000Z',
    })
    expect(body.edges[0]).toEqual({
      id: expect.any(String),
      source: ada,
      target: initech,
      type: 'WORKS_AT',
      weight: 0.9,
      current: true,
      valid_from: '2026-01-20T00:00:00.000Z',
      valid_to: null,
      known_from: '2026-02-01T00:00:00.000Z',
      known_to: null,
    })
  })

  test('tells entities of the same name of several users apart', async () => {
    const { body } = await get()
    const same = body.nodes.filter(({ name }: Json) => name === 'Initech')
    expect(same.map(({ user_id }: Json) => user_id).toSorted()).toEqual(['ada', 'zoe'])
    expect(new Set(same.map(({ id }: Json) => id)).size).toBe(2)
    expect(sentences(body)).toContain('Zoe WORKS_AT Initech')
    expect(body.total_nodes).toBe(8)
  })

  test('shows no more than asked for, and tells how many there are', async () => {
    const { body } = await get({ user_id: 'ada', limit: 3 })
    expect(names(body).toSorted()).toEqual(['Ada', 'Bob', 'Initech'])
    expect(sentences(body)).toEqual(NOW.filter(sentence => !sentence.startsWith('Eve')))
    expect(body.nodes[0].relationships_count).toBe(3)
    expect([body.total_nodes, body.total_edges]).toEqual([6, 4])
    expect(sentences((await get({ user_id: 'ada', edges_limit: 1 })).body)).toEqual(NOW.slice(0, 1))
  })

  test('adds what has ended, with the time when its end became known', async () => {
    const { body } = await get({ user_id: 'ada', include_history: true })
    expect(sentences(body)).toEqual(['Ada WORKS_AT Acme', ...NOW])
    const ended = { current: false, valid_to: '2026-02-01T00:00:00.000Z', known_to: '2026-02-01T00:00:00.000Z' }
    expect(body.edges[0]).toMatchObject(ended)
  })

  test('shows the graph as it was known at as_of, without what came later', async () => {
    const { body } = await get({ user_id: 'ada', as_of: '2026-01-15', include_history: true })
    expect(sentences(body)).toEqual(['Ada WORKS_AT Acme', 'Bob WORKS_AT Initech', 'Bob KNOWS Ada'])
    expect(body.edges[0]).toMatchObject({ current: true, valid_to: null, known_to: null })
    expect(names(body)).not.toContain('Eve')
    const nothing = { nodes: [], edges: [], total_nodes: 0, total_edges: 0 }
    expect((await get({ as_of: '2025-12-31' })).body).toEqual(nothing)
  })

  test.each<[Query, string[]]>([
    [{ entity_type: 'PERSON' }, ['Bob KNOWS Ada']],
    [{ relationship_type: 'KNOWS' }, ['Bob KNOWS Ada']],
    [{ min_weight: 0.8 }, NOW.slice(0, 2)],
    [{ min_weight: 1 }, []],
    [{ relationship_type: 'WORKS_AT', min_weight: 0.75 }, NOW.slice(0, 2)],
  ])('keeps to %j', async (query, expected) => {
    const { body } = await get({ user_id: 'ada', ...query })
    expect([sentences(body), body.total_edges]).toEqual([expected, expected.length])
  })

  test('counts and shows entities of the type alone', async () => {
    const { body } = await get({ user_id: 'ada', entity_type: 'ORGANIZATION' })
    expect([names(body).toSorted(), body.total_nodes]).toEqual([['Acme', 'Initech'], 2])
  })

  test('shows nothing of another workspace, and to a key of one user that user alone', async () => {
    const { account } = await idleService()
    const stranger = await account()
    expect((await stranger.client.get('/v1/graph/overview')).body.nodes).toEqual([])
    const zoe = await world.account.key({ permissions: ['memory.read'], subject: { userId: 'zoe' } })
    expect(names((await zoe.get('/v1/graph/overview')).body).toSorted()).toEqual(['Initech', 'Zoe'])
    expect((await zoe.get('/v1/graph/overview', { query: { user_id: 'ada' } })).status).toBe(403)
  })

  test.each<[Query, string]>([
    [{ limit: 0 }, 'limit'],
    [{ limit: 5001 }, 'limit'],
    [{ edges_limit: 20_001 }, 'edges_limit'],
    [{ min_weight: 1.1 }, 'min_weight'],
    [{ min_weight: 'heavy' }, 'min_weight'],
    [{ entity_type: 'ANIMAL' }, 'entity_type'],
    [{ relationship_type: 'ADMIRES' }, 'relationship_type'],
    [{ as_of: 'once' }, 'as_of'],
    [{ user_id: ' ' }, 'user_id'],
    [{ depth: 2 }, 'depth'],
  ])('refuses %j and names the parameter', async (query, path) => {
    const { status, body } = await get(query)
    expect([status, body.error_code, body.details[0].path]).toEqual([400, 'VALIDATION_ERROR', path])
  })
})

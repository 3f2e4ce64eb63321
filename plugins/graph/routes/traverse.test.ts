import { beforeAll, describe, expect, test } from 'bun:test'
import { randomUUID } from 'node:crypto'
import type { Json } from '../../../test/support/client.ts'
import { RELATION_TYPES } from '../contract.ts'
import { type GraphWorld, graphWorld } from '../world.test-support.ts'

let world: GraphWorld
let ada: string

/** Ada and Bob work at Initech in Lisbon, Bob knows Eve, Eve knows Ada: a cycle of four. */
beforeAll(async () => {
  world = await graphWorld()
  ada = await world.entity('Ada')
  const bob = await world.entity('Bob')
  const eve = await world.entity('Eve')
  const initech = await world.entity('Initech', 'ORGANIZATION')
  const acme = await world.entity('Acme', 'ORGANIZATION')
  const lisbon = await world.entity('Lisbon', 'PLACE')
  const portugal = await world.entity('Portugal', 'PLACE')
  await world.edge(ada, 'WORKS_AT', initech, { weight: 0.5 })
  await world.edge(bob, 'WORKS_AT', initech, { weight: 0.8 })
  await world.edge(bob, 'KNOWS', eve, { weight: 0.7 })
  await world.edge(eve, 'KNOWS', ada, { weight: 0.6 })
  await world.edge(initech, 'LOCATED_IN', lisbon, { weight: 0.9 })
  await world.edge(lisbon, 'LOCATED_IN', portugal, { weight: 0.9 })
  await world.edge(ada, 'WORKS_AT', acme, { weight: 0.9, to: '2026-02-01' })
})

const walk = async (query: Record<string, string | number | boolean> = {}) =>
  (await world.client.get('/v1/graph/traverse', { query: { from: ada, ...query } })).body
const edgesOf = ({ nodes, edges }: Json): string[] => {
  const nameOf = (id: string) => nodes.find((node: Json) => node.id === id).name
  return edges.map(({ source, type, target }: Json) => `${nameOf(source)} ${type} ${nameOf(target)}`)
}
const namesOf = ({ nodes }: Json) => nodes.map(({ name }: Json) => name)

const NEAR = ['Eve KNOWS Ada', 'Ada WORKS_AT Initech']
const SECOND = ['Initech LOCATED_IN Lisbon', 'Bob WORKS_AT Initech', 'Bob KNOWS Eve']

describe('GET /v1/graph/traverse', () => {
  test('follows relationships both ways, the nearest first, and keeps their direction', async () => {
    const body = await walk()
    expect(edgesOf(body)).toEqual([...NEAR, ...SECOND])
    expect(namesOf(body)).toEqual(['Ada', 'Eve', 'Initech', 'Lisbon', 'Bob'])
    expect(body.nodes[0]).toEqual({ id: ada, name: 'Ada', type: 'PERSON' })
    expect(body.edges[1]).toEqual({
      id: expect.any(String),
      source: ada,
      target: body.nodes[2].id,
      type: 'WORKS_AT',
      weight: expect.any(Number),
      current: true,
      valid_from: null,
      valid_to: null,
      memory_ids: [expect.any(String)],
    })
  })

  test('goes as far as asked, through cycles, and names nothing twice', async () => {
    expect(edgesOf(await walk({ depth: 1 }))).toEqual(NEAR)
    const far = await walk({ depth: 3 })
    expect(edgesOf(far)).toEqual([...NEAR, ...SECOND, 'Lisbon LOCATED_IN Portugal'])
    expect(new Set(namesOf(far)).size).toBe(far.nodes.length)
  })

  test('has as many edges as asked at most, the nearest and strongest', async () => {
    expect(edgesOf(await walk({ limit: 1 }))).toEqual(['Eve KNOWS Ada'])
    const body = await walk({ depth: 3, limit: 4 })
    expect(edgesOf(body)).toEqual([...NEAR, ...SECOND.slice(0, 2)])
    expect(namesOf(body)).toEqual(['Ada', 'Eve', 'Initech', 'Lisbon', 'Bob'])
  })

  test('keeps to a type of relationship', async () => {
    expect(edgesOf(await walk({ relationship_type: 'WORKS_AT', depth: 3 }))).toEqual([
      'Ada WORKS_AT Initech',
      'Bob WORKS_AT Initech',
    ])
    const unknown = await walk({ relationship_type: 'ADMIRES' })
    expect(unknown.details).toEqual([
      { path: 'relationship_type', message: `must be one of ${RELATION_TYPES.join(', ')}` },
    ])
  })

  test('walks over entities of one type only, wherever it starts', async () => {
    const body = await walk({ entity_type: 'PERSON', depth: 3 })
    expect(edgesOf(body)).toEqual(['Eve KNOWS Ada', 'Bob KNOWS Eve'])
    expect((await walk({ entity_type: 'ANIMAL' })).details[0].path).toBe('entity_type')
  })

  test('leaves out what has ended unless it is asked for', async () => {
    const body = await walk({ depth: 1, include_history: true })
    expect(edgesOf(body)).toEqual(['Ada WORKS_AT Acme', ...NEAR])
    expect(body.edges[0]).toMatchObject({ current: false, valid_to: '2026-02-01T00:00:00.000Z' })
  })

  test('shows the graph as it was known at as_of', async () => {
    expect(edgesOf(await walk({ depth: 1, as_of: '2026-01-15' }))).toEqual(['Ada WORKS_AT Acme', ...NEAR])
    expect((await walk({ as_of: '2025-12-31' })).error_code).toBe('ENTITY_NOT_FOUND')
  })

  test('is one node where there is nothing to follow', async () => {
    const hermit = await world.entity('Hermit')
    const { body } = await world.client.get('/v1/graph/traverse', { query: { from: hermit } })
    expect(body).toEqual({ nodes: [{ id: hermit, name: 'Hermit', type: 'PERSON' }], edges: [] })
  })

  test('reads no more of an entity than there is room for', async () => {
    const hub = await world.entity('Hub', 'THING')
    for (let n = 0; n < 12; n++) {
      await world.edge(await world.entity(`Leaf ${n}`, 'THING'), 'PART_OF', hub, { weight: 0.3 + n / 20 })
    }
    const { body } = await world.client.get('/v1/graph/traverse', { query: { from: hub, limit: 3, depth: 3 } })
    expect(edgesOf(body)).toEqual(['Leaf 11 PART_OF Hub', 'Leaf 10 PART_OF Hub', 'Leaf 9 PART_OF Hub'])
  })

  test('refuses a start that is not there, and what it does not understand', async () => {
    const status = async (query: Record<string, string | number>) =>
      (await world.client.get('/v1/graph/traverse', { query })).status
    expect((await walk({ from: randomUUID() })).error_code).toBe('ENTITY_NOT_FOUND')
    expect(await status({})).toBe(400)
    for (const query of [{ depth: 0 }, { depth: 4 }, { limit: 0 }, { limit: 101 }, { from: 'ada' }, { to: ada }])
      expect([query, await status({ from: ada, ...query })]).toEqual([query, 400])
  })
})

import { beforeAll, describe, expect, test } from 'bun:test'
import { randomUUID } from 'node:crypto'
import type { Json } from '../../../test/support/client.ts'
import { type GraphWorld, graphWorld } from '../world.test-support.ts'

let world: GraphWorld
let ada: string
let bob: string
let eve: string
const older = randomUUID()
const newer = randomUUID()

beforeAll(async () => {
  world = await graphWorld()
  ada = await world.entity('Ada', 'PERSON')
  bob = await world.entity('Bob', 'PERSON')
  eve = await world.entity('Eve', 'PERSON', { at: '2026-02-01' })
  const initech = await world.entity('Initech', 'ORGANIZATION')
  const acme = await world.entity('Acme', 'ORGANIZATION')
  await world.edge(ada, 'WORKS_AT', acme, { weight: 0.95, to: '2026-03-01' })
  await world.edge(ada, 'WORKS_AT', initech, {
    weight: 0.4,
    from: '2026-03-01',
    validFrom: '2026-02-20',
    memories: [older, newer],
  })
  await world.edge(bob, 'MARRIED_TO', ada, { weight: 0.9 })
  await world.edge(eve, 'MANAGES', ada, { weight: 0.8, from: '2026-02-01' })
})

const get = (query: Record<string, string | boolean> = {}, id = ada) =>
  world.client.get(`/v1/graph/entities/${id}/relationships`, { query })
const briefly = ({ outgoing, incoming }: Json) => ({
  outgoing: outgoing.map(({ type, target }: Json) => `${type} ${target.name}`),
  incoming: incoming.map(({ type, source }: Json) => `${type} ${source.name}`),
})

describe('GET /v1/graph/entities/:id/relationships', () => {
  test('shows what holds, the strongest first, with the memories that say so', async () => {
    const { status, body } = await get()
    expect(status).toBe(200)
    expect(body).toMatchObject({ entity_id: ada, entity_name: 'Ada', outgoing_total: 2, incoming_total: 1 })
    expect(briefly(body)).toEqual({ outgoing: ['MARRIED_TO Bob', 'WORKS_AT Initech'], incoming: ['MANAGES Eve'] })
    expect(body.outgoing[1]).toEqual({
      id: expect.any(String),
      type: 'WORKS_AT',
      weight: expect.any(Number),
      current: true,
      valid_from: '2026-02-20T00:00:00.000Z',
      valid_to: null,
      memory_ids: [newer, older],
      target: { id: expect.any(String), name: 'Initech', type: 'ORGANIZATION' },
    })
    // Two memories that say so weigh more than one, and less than they did when they were new.
    expect(body.outgoing[1].weight).toBeGreaterThan(0.4)
    expect(body.outgoing[1].weight).toBeLessThan(0.64)
  })

  test('shows what is the same from either end once, as outgoing, from either end', async () => {
    expect(briefly((await get({}, bob)).body)).toEqual({ outgoing: ['MARRIED_TO Ada'], incoming: [] })
  })

  test('adds what has ended with include_history, after what holds', async () => {
    const { body } = await get({ include_history: true })
    expect(briefly(body).outgoing).toEqual(['MARRIED_TO Bob', 'WORKS_AT Initech', 'WORKS_AT Acme'])
    expect(body.outgoing[2]).toMatchObject({ current: false, valid_to: '2026-03-01T00:00:00.000Z' })
    expect(body.outgoing_total).toBe(3)
  })

  test('shows the graph as it was known at as_of', async () => {
    const { body } = await get({ as_of: '2026-02-15' })
    expect(briefly(body)).toEqual({ outgoing: ['WORKS_AT Acme', 'MARRIED_TO Bob'], incoming: ['MANAGES Eve'] })
    expect(body.outgoing[0]).toMatchObject({ current: true, valid_to: null })
    expect(briefly((await get({ as_of: '2026-01-15', include_history: true })).body)).toEqual({
      outgoing: ['WORKS_AT Acme', 'MARRIED_TO Bob'],
      incoming: [],
    })
    expect((await get({ as_of: '2026-01-15' }, eve)).body.error_code).toBe('ENTITY_NOT_FOUND')
  })

  test('refuses what it does not know', async () => {
    expect((await get({}, randomUUID())).body.error_code).toBe('ENTITY_NOT_FOUND')
    expect((await get({}, 'x')).body.error_code).toBe('VALIDATION_ERROR')
    expect((await get({ include_history: 'perhaps' })).status).toBe(400)
    expect((await get({ as_of: 'once' })).status).toBe(400)
    expect((await get({ depth: '2' })).status).toBe(400)
  })
})

import { beforeAll, describe, expect, test } from 'bun:test'
import type { Json } from '../../../test/support/client.ts'
import { type GraphWorld, graphWorld } from '../world.test-support.ts'

let world: GraphWorld

beforeAll(async () => {
  world = await graphWorld()
  await world.entity('Ada Moreau', 'PERSON', { aliases: ['Ada', 'Dr. Moreau'] })
  await world.entity('Adam', 'PERSON', { userId: 'bob' })
  await world.entity('Initech', 'ORGANIZATION', { description: 'A software company' })
  await world.entity('New York', 'PLACE')
})

const find = (query: Record<string, string | number>) => world.client.get('/v1/graph/search', { query })
const scores = async (query: Record<string, string | number>) =>
  (await find(query)).body.map(({ name, score }: Json) => `${name} ${score}`)

describe('GET /v1/graph/search', () => {
  test('finds names at once, whatever their case, and scores how well they fit', async () => {
    const { status, body } = await find({ query: 'INITECH' })
    expect([status, body]).toEqual([
      200,
      [{ id: expect.any(String), name: 'Initech', type: 'ORGANIZATION', description: 'A software company', score: 1 }],
    ])
    expect(await scores({ query: ' ada ' })).toEqual(['Ada Moreau 1', 'Adam 0.8'])
    expect(await scores({ query: 'york' })).toEqual(['New York 0.75'])
    expect(await scores({ query: 'ada mor' })).toEqual(['Ada Moreau 0.8'])
    expect(await scores({ query: 'who are Dr. Moreau and Initech?' })).toEqual(
      expect.arrayContaining(['Ada Moreau 0.7', 'Initech 0.7']),
    )
    expect(await scores({ query: 'Zanzibar' })).toEqual([])
  })

  test('keeps to a user, a type and a number', async () => {
    expect(await scores({ query: 'ada', user_id: 'bob' })).toEqual(['Adam 0.8'])
    expect(await scores({ query: 'ada', type: 'PLACE' })).toEqual([])
    expect(await scores({ query: 'ada', limit: 1 })).toEqual(['Ada Moreau 1'])
  })

  test('finds nothing of another workspace', async () => {
    const other = await graphWorld()
    const { body } = await other.client.get('/v1/graph/search', { query: { query: 'Initech' } })
    expect(body).toEqual([])
  })

  test.each([
    [{}, 'query'],
    [{ query: ' ' }, 'query'],
    [{ query: 'x'.repeat(501) }, 'query'],
    [{ query: 'x', type: 'ANIMAL' }, 'type'],
    [{ query: 'x', limit: 0 }, 'limit'],
    [{ query: 'x', limit: 51 }, 'limit'],
    [{ query: 'x', page: 1 }, 'page'],
  ])('refuses %j and names the parameter', async (query, path) => {
    const { status, body } = await find(query)
    expect([status, body.details[0].path]).toEqual([400, path])
  })
})

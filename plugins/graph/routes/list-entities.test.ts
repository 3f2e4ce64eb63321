import { beforeAll, describe, expect, test } from 'bun:test'
import type { Json } from '../../../test/support/client.ts'
import { type GraphWorld, graphWorld } from '../world.test-support.ts'

let world: GraphWorld

beforeAll(async () => {
  world = await graphWorld()
  await world.entity('Ada Moreau', 'PERSON', { at: '2026-01-01' })
  await world.entity('Initech', 'ORGANIZATION', { at: '2026-02-01', description: 'A software company' })
  await world.entity('Lisbon', 'PLACE', { at: '2026-03-01' })
  await world.entity('Bob', 'PERSON', { at: '2026-04-01', userId: 'bob' })
})

const list = (query: Record<string, string | number>) => world.client.get('/v1/graph/entities', { query })
const names = (body: Json) => body.data.map(({ name }: Json) => name)

describe('GET /v1/graph/entities', () => {
  test('lists the newest first in the envelope, with the fields of the list form', async () => {
    const { status, body } = await list({})
    expect(status).toBe(200)
    const { data, ...envelope } = body
    expect(envelope).toEqual({ total: 4, page: 1, page_size: 20 })
    expect(names(body)).toEqual(['Bob', 'Lisbon', 'Initech', 'Ada Moreau'])
    expect(data[2]).toEqual({
      id: expect.any(String),
      name: 'Initech',
      type: 'ORGANIZATION',
      description: 'A software company',
      created_at: '2026-02-01T00:00:00.000Z',
    })
  })

  test.each([
    [{ user_id: 'ada' }, ['Lisbon', 'Initech', 'Ada Moreau']],
    [{ type: 'PERSON' }, ['Bob', 'Ada Moreau']],
    [{ type: 'PERSON', user_id: 'bob' }, ['Bob']],
    [{ as_of: '2026-02-15' }, ['Initech', 'Ada Moreau']],
    [{ as_of: '2026-02-01T00:00:00+01:00' }, ['Ada Moreau']],
    [{ as_of: '2200-01-01' }, ['Bob', 'Lisbon', 'Initech', 'Ada Moreau']],
    [{ as_of: '1900-01-01' }, []],
    [{ type: 'THING' }, []],
  ])('filters by %j', async (query, expected) => {
    const { body } = await list(query)
    expect([names(body), body.total]).toEqual([expected, expected.length])
  })

  test('comes in pages', async () => {
    const pages = await Promise.all([1, 2, 3].map(page => list({ page, page_size: 2 })))
    expect(pages.map(({ body }) => names(body))).toEqual([['Bob', 'Lisbon'], ['Initech', 'Ada Moreau'], []])
    expect(pages.map(({ body }) => body.total)).toEqual([4, 4, 4])
  })

  test.each([
    [{ type: 'ANIMAL' }, 'type'],
    [{ page: 0 }, 'page'],
    [{ page_size: 101 }, 'page_size'],
    [{ as_of: 'yesterday' }, 'as_of'],
    [{ as_of: '9999-12-31T23:59:59-12:00' }, 'as_of'],
    [{ as_of: '0001-01-01' }, 'as_of'],
    [{ user_id: ' ' }, 'user_id'],
    [{ name: 'x' }, 'name'],
    [{ workspace_id: 'mine' }, 'workspace_id'],
  ])('refuses %j and names the parameter', async (query, path) => {
    const { status, body } = await list(query)
    expect([status, body.error_code, body.details[0].path]).toEqual([400, 'VALIDATION_ERROR', path])
  })
})

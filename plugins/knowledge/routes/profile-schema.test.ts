import { beforeAll, describe, expect, test } from 'bun:test'
import { service, type TestAccount } from '../../../test/support/service.ts'

const PATH = '/v1/profiles/schema'
let account: TestAccount

beforeAll(async () => {
  account = await (await service()).account()
})

const object = (properties: object) => ({ type: 'object', properties })
const string = { type: 'string' }

test('the schema of a workspace is set, read, replaced and deleted, and is its own', async () => {
  const { client } = await (await service()).account()
  expect((await client.get(PATH)).body.error_code).toBe('PROFILE_SCHEMA_NOT_FOUND')
  const first = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Customer',
    ...object({ z: string, a: string }),
  }
  expect((await client.put(PATH, first)).status).toBe(200)
  expect(Object.keys((await client.get(PATH)).body.properties)).toEqual(['z', 'a'])
  await client.put(PATH, object({ plan: { type: 'string', enum: ['free', 'paid'] } }))
  expect((await client.get(PATH)).body).toEqual(object({ plan: { type: 'string', enum: ['free', 'paid'] } }))
  expect((await account.client.get(PATH)).status).toBe(404)
  expect((await client.delete(PATH)).status).toBe(204)
  expect([(await client.get(PATH)).status, (await client.delete(PATH)).status]).toEqual([404, 404])
})

describe('a schema is refused', () => {
  const deep = object({ a: object({ b: object({ c: object({ d: string }) }) }) })
  const many = object(Object.fromEntries(Array.from({ length: 51 }, (_, n) => [`p${n}`, string])))
  test.each([
    ['without an object', { type: 'string' }, 'properties'],
    ['without properties', object({}), 'properties'],
    ['with more than 50 properties', many, 'properties'],
    ['deeper than three levels', deep, 'properties.a.properties.b.properties.c.properties'],
    ['with a pattern', object({ a: { type: 'string', pattern: '(a+)+$' } }), 'properties.a.pattern'],
    ['with a reference', object({ a: { $ref: '#/x' } }), 'properties.a.type'],
    [
      'with lists of objects',
      object({ a: { type: 'array', items: object({ b: string }) } }),
      'properties.a.items.type',
    ],
    ['with a name that is a path', object({ 'a.b': string }), 'properties.a.b'],
    ['with a bound that is no number', object({ a: { type: 'number', minimum: 'x' } }), 'properties.a.minimum'],
  ])('%s', async (_, schema, path) => {
    const { status, body } = await account.client.put(PATH, schema)
    expect([status, body.error_code]).toEqual([400, 'VALIDATION_ERROR'])
    expect(body.details.map((detail: { path: string }) => detail.path)).toContain(path)
  })
})

test('who may not write knowledge sets no schema', async () => {
  const reader = await account.key({ permissions: ['knowledge.read', 'memory.read'] })
  expect((await reader.put(PATH, object({ a: string }))).status).toBe(403)
  expect((await reader.delete(PATH)).status).toBe(403)
  expect((await reader.get(PATH)).status).toBe(404)
})

import { expect, test } from 'bun:test'
import { serviceWithClaude } from '../../../test/support/claude.ts'
import type { Client, Json } from '../../../test/support/client.ts'
import { service } from '../../../test/support/service.ts'
import { until } from '../../../test/support/wait.ts'

const SCHEMA = {
  type: 'object',
  properties: {
    fullName: { type: 'string' },
    home: { type: 'object', properties: { city: { type: ['string', 'null'], description: 'City of residence' } } },
    employer: { type: 'string' },
    tools: { type: 'array', items: { type: 'string' }, description: 'Programming languages and tools in use' },
    favourite_colour: { type: 'string' },
    age: { type: 'integer', minimum: 0, maximum: 130 },
    shoe_size: { type: 'number' },
    diet: { type: 'string', enum: ['vegan', 'vegetarian', 'none'] },
  },
}
const SHAPE = { query: { shape: 'schema' } }

async function tell(client: Client, texts: readonly string[]): Promise<string[]> {
  const memories = texts.map((memory, n) => ({
    user_id: 'ada',
    memory,
    metadata: { said_at: `2026-0${n + 1}-03T10:00:00.000Z` },
  }))
  const { body } = await client.post('/v1/memories/batch', { memories })
  return body.results.map(({ memory }: Json) => memory.id)
}

test('without a model, graph and knowledge fill the schema, each value with its memory and day, and null where nothing is known', async () => {
  const { client, workspaceId } = await (await service()).account()
  const path = `/v1/memories/profile/${workspaceId}/ada`
  expect((await client.get(path, SHAPE)).body).toEqual({ profile: null, sources: {} })
  expect((await client.put('/v1/profiles/schema', SCHEMA)).body).toEqual(SCHEMA)
  const ids = await tell(client, [
    'My name is Ada Okafor.',
    'I live in Utrecht.',
    'I work at Initech.',
    'I use Rust and Postgres.',
    'My favourite colour is green.',
  ])
  const { profile, sources } = await until('everything is read', async () => {
    const { body } = await client.get(path, SHAPE)
    return Object.keys(body.sources).length >= 6 ? body : undefined
  })
  expect(profile).toEqual({
    fullName: 'Ada Okafor',
    home: { city: 'Utrecht' },
    employer: 'Initech',
    tools: expect.arrayContaining(['Rust', 'Postgres']),
    favourite_colour: 'green',
    age: null,
    shoe_size: null,
    diet: null,
  })
  expect(sources['home.city']).toEqual({ memory_id: ids[1], said_at: '2026-02-03T10:00:00.000Z' })
  expect(sources['tools.1']).toEqual({ memory_id: ids[3], said_at: '2026-04-03T10:00:00.000Z' })
  await client.delete(`/v1/memories/${ids[2]}`)
  await until('the employer is forgotten', async () => (await client.get(path, SHAPE)).body.profile.employer === null)
  expect((await client.get(`/v1/memories/profile/${workspaceId}/bob`, SHAPE)).body).toMatchObject({
    profile: { home: { city: null }, tools: null },
    sources: {},
  })
  await until('the summary is compiled', async () => (await client.get(path)).body.profile?.userId === 'ada')
})

const { claude, service: modelService } = serviceWithClaude()

test('a model fills the schema; what does not fit it, or stands in no memory, is dropped', async () => {
  const { client, workspaceId } = await modelService().account()
  const text = 'I turned 34 on Monday and eat no animals at all.'
  const given = (path: string, value: string, quote: string, n = 0) => ({ path, value, n, quote })
  claude.respond(({ messages, system }) => {
    if (JSON.stringify(system).includes('Fill a profile'))
      return {
        values: [
          given('age', '34', 'I turned 34 on Monday'),
          given('diet', 'vegan', 'eat no animals at all'),
          given('employer', 'Globex', 'I turned 34'),
          given('shoe_size', '34', 'shoes of size 34'),
          given('home.city', 'Rome', 'I turned 34', 7),
          given('fullName', '', 'I turned 34'),
        ],
      }
    return JSON.stringify(messages).includes('34')
      ? { memories: [{ n: 0, entities: [], relations: [], statements: [{ quote: text, category: 'personal' }] }] }
      : { memories: [] }
  })
  await client.put('/v1/profiles/schema', SCHEMA)
  const [id] = await tell(client, [text])
  const { profile, sources } = await until('the memory is read', async () => {
    const { body } = await client.get(`/v1/memories/profile/${workspaceId}/ada`, SHAPE)
    return body.profile.age === null ? undefined : body
  })
  expect(profile).toMatchObject({
    age: 34,
    diet: 'vegan',
    employer: null,
    shoe_size: null,
    home: { city: null },
    fullName: null,
  })
  expect(sources).toEqual({
    age: { memory_id: id, said_at: '2026-01-03T10:00:00.000Z' },
    diet: { memory_id: id, said_at: '2026-01-03T10:00:00.000Z' },
  })
})

import { beforeAll, describe, expect, test } from 'bun:test'
import { randomUUID } from 'node:crypto'
import type { Client, Json } from '../../../test/support/client.ts'
import { inlined } from '../../../test/support/inlined.ts'
import { service } from '../../../test/support/service.ts'
import { until } from '../../../test/support/wait.ts'

let client: Client
let initech: string

beforeAll(async () => {
  client = (await (await service()).account()).client
  for (const memory of [
    'Priya Nair works at Initech and keeps a kettle there.',
    'Tom Okafor works for Initech in Lisbon.',
    'A kettle without a company.',
  ])
    await client.post('/v1/memories', { memory, user_id: 'ada' })
  initech = await until('the graph knows the company', async () => {
    const { body } = await client.get('/v1/graph/search', { query: { query: 'Initech', type: 'ORGANIZATION' } })
    const [found] = body
    if (!found) return undefined
    const { body: entity } = await client.get(`/v1/graph/entities/${found.id}`)
    return entity.related_memories_count === 2 ? found.id : undefined
  })
})

const texts = async (query: Record<string, string>) => {
  const { body } = await client.get('/v1/memories', { query })
  return body.data.map(({ memory }: Json) => memory).toSorted()
}

const NAMED = ['Priya Nair works at Initech and keeps a kettle there.', 'Tom Okafor works for Initech in Lisbon.']

describe('entity_id, entity_name and relationship_id', () => {
  test('keep lists to the memories that name the entity', async () => {
    expect(await texts({ entity_id: initech })).toEqual(NAMED)
    expect(await texts({ entity_id: initech.toUpperCase() })).toEqual(NAMED)
    expect(await texts({ entity_name: '  INITECH! ' })).toEqual(NAMED)
    expect(await texts({ entity_name: 'priya  nair' })).toEqual([NAMED[0] ?? ''])
    expect(await texts({ entity_name: 'Lisbon', entity_id: initech })).toEqual([NAMED[1] ?? ''])
    expect(await texts({ entity_id: initech, user_id: 'bob' })).toEqual([])
  })

  test('keep searches to them as well', async () => {
    expect(await texts({ search: 'kettle', mode: 'keyword', entity_name: 'Initech' })).toEqual([NAMED[0] ?? ''])
    const { body } = await client.get('/v1/memories/search', { query: { query: 'kettle', entity_id: initech } })
    expect(body.data.map(({ memory }: Json) => memory)).not.toContain('A kettle without a company.')
  })

  test('are taken by every other way to search, and named by the reference', async () => {
    const asked = { query: 'kettle', entity_name: 'Initech' }
    const { status, body } = await client.post('/v1/memories/search', { ...asked, mode: 'keyword' })
    expect([status, body.data.map(({ memory }: Json) => memory)]).toEqual([200, [NAMED[0] ?? '']])
    const stray = (await client.get('/v1/memories', { query: { search: 'company', mode: 'keyword' } })).body.data[0]
    const why = await client.post('/v1/memories/search/why', { ...asked, memory_id: stray.id })
    expect(why).toMatchObject({ status: 200, body: { found: false } })
    expect(why.body.reasons.map(({ code }: Json) => code)).toContain('FILTERED')
    const refused = await client.post('/v1/memories/search', { query: 'kettle', entity_id: 'ada', entity_name: 7 })
    expect([refused.status, refused.body.details.map(({ path }: Json) => path).toSorted()]).toEqual([
      400,
      ['entity_id', 'entity_name'],
    ])
    const { paths } = inlined((await client.get('/openapi.json')).body)
    const fields = paths['/v1/memories/search'].post.requestBody.content['application/json'].schema.properties
    expect(fields.entity_name.description).toStartWith('Memories that name an entity')
    expect(paths['/v1/memories/search'].get.parameters.map(({ name }: Json) => name)).toContain('entity_id')
  })

  test('lead to nothing for what is not known, and refuse what is no id', async () => {
    expect(await texts({ entity_id: randomUUID() })).toEqual([])
    expect(await texts({ entity_name: 'Nobody' })).toEqual([])
    const refused = await client.get('/v1/memories', { query: { entity_id: 'ada', entity_name: ' ' } })
    expect([refused.status, refused.body.details.map(({ path }: Json) => path).toSorted()]).toEqual([
      400,
      ['entity_id', 'entity_name'],
    ])
  })

  test('relationship_id keeps lists and searches to the memories that say a relationship, or its end', async () => {
    const worksAt = async (name: string) => {
      const { body } = await client.get(`/v1/graph/entities/${initech}/relationships`, {
        query: { include_history: true },
      })
      return body.incoming.find(({ source }: Json) => source.name === name).id
    }
    const priya = await worksAt('Priya Nair')
    expect(await texts({ relationship_id: priya })).toEqual([NAMED[0] ?? ''])
    expect(await texts({ relationship_id: priya, entity_name: 'Lisbon' })).toEqual([])
    expect(await texts({ relationship_id: await worksAt('Tom Okafor'), entity_id: initech })).toEqual([NAMED[1] ?? ''])
    expect(await texts({ search: 'kettle', mode: 'keyword', relationship_id: priya })).toEqual([NAMED[0] ?? ''])
    expect(await texts({ relationship_id: randomUUID() })).toEqual([])
    const { body } = await client.get('/v1/memories', { query: { relationship_id: 'works' } })
    expect(body.details[0].path).toBe('relationship_id')
    const other = (await (await service()).account()).client
    expect((await other.get('/v1/memories', { query: { relationship_id: priya } })).body.total).toBe(0)
    await client.post('/v1/memories', { memory: 'Priya Nair left Initech.', user_id: 'ada' })
    await until('the end is known', async () => (await texts({ relationship_id: priya })).length === 2)
  })

  test('find nothing of another workspace', async () => {
    const other = (await (await service()).account()).client
    const { body } = await other.get('/v1/memories', { query: { entity_id: initech } })
    expect([body.data, body.total]).toEqual([[], 0])
  })
})

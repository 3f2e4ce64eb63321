import { beforeAll, describe, expect, test } from 'bun:test'
import { randomUUID } from 'node:crypto'
import type { Json } from '../../../test/support/client.ts'
import { type GraphWorld, graphWorld } from '../world.test-support.ts'

let world: GraphWorld
let initech: string

beforeAll(async () => {
  world = await graphWorld()
  initech = await world.entity('Initech Labs', 'ORGANIZATION', { aliases: ['Initech'] })
  const ada = await world.entity('Ada')
  await world.mention(await world.remember('Initech has a blue kettle.'), initech, 'Initech')
  const both = await world.remember('Ada works at Initech Labs.')
  await world.mention(both, initech, 'Initech Labs')
  await world.mention(both, ada, 'Ada')
  await world.remember('A kettle without a company.')
})

const texts = async (query: Record<string, string>) => {
  const { body } = await world.client.get('/v1/memories', { query })
  return body.data.map(({ memory }: Json) => memory)
}

describe('entity_id and entity_name', () => {
  test('keep lists to the memories that name the entity', async () => {
    const named = ['Ada works at Initech Labs.', 'Initech has a blue kettle.']
    expect(await texts({ entity_id: initech })).toEqual(named)
    expect(await texts({ entity_id: initech.toUpperCase() })).toEqual(named)
    expect(await texts({ entity_name: '  INITECH   labs! ' })).toEqual(named)
    expect(await texts({ entity_name: 'initech' })).toEqual(named)
    expect(await texts({ entity_name: 'Ada', entity_id: initech })).toEqual(['Ada works at Initech Labs.'])
  })

  test('keep searches to them as well', async () => {
    expect(await texts({ search: 'kettle', mode: 'keyword', entity_name: 'Initech' })).toEqual([
      'Initech has a blue kettle.',
    ])
    const { body } = await world.client.get('/v1/memories/search', { query: { query: 'kettle', entity_id: initech } })
    expect(body.data.map(({ memory }: Json) => memory)).not.toContain('A kettle without a company.')
  })

  test('lead to nothing for what is not known, and refuse what is no id', async () => {
    expect(await texts({ entity_id: randomUUID() })).toEqual([])
    expect(await texts({ entity_name: 'Nobody' })).toEqual([])
    const refused = await world.client.get('/v1/memories', { query: { entity_id: 'ada', entity_name: ' ' } })
    expect([refused.status, refused.body.details.map(({ path }: Json) => path).toSorted()]).toEqual([
      400,
      ['entity_id', 'entity_name'],
    ])
  })
})

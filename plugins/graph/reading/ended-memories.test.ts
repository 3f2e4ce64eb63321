import { beforeAll, describe, expect, test } from 'bun:test'
import { randomUUID } from 'node:crypto'
import { type GraphWorld, graphWorld } from '../world.test-support.ts'
import { graphEnded } from './ended-memories.ts'

let world: GraphWorld
const [berlin, oslo, porto, again, both, hiking] = [
  randomUUID(),
  randomUUID(),
  randomUUID(),
  randomUUID(),
  randomUUID(),
  randomUUID(),
]

beforeAll(async () => {
  world = await graphWorld()
  const ada = await world.entity('Ada', 'PERSON')
  const place = async (name: string) => world.entity(name, 'PLACE')
  const over = { from: '2026-01-01', to: '2026-02-01' }
  await world.edge(ada, 'LIVES_IN', await place('Oslo'), { ...over, to: '2026-01-15', memories: [oslo] })
  await world.edge(ada, 'LIVES_IN', await place('Berlin'), { ...over, memories: [berlin, both] })
  await world.edge(ada, 'LIVES_IN', await place('Porto'), { from: '2026-02-01', memories: [porto, again] })
  const acme = await world.entity('Acme', 'ORGANIZATION')
  await world.edge(ada, 'WORKS_AT', acme, { memories: [both] })
  const tea = await world.entity('hiking', 'THING')
  await world.edge(ada, 'LIKES', tea, { ...over, memories: [hiking] })
  await world.edge(ada, 'LIKES', await world.entity('tea', 'THING'), { from: '2026-02-01' })
})

const ended = async (query: string, memoryIds = [berlin, oslo, porto, both, hiking]) =>
  Object.fromEntries(await world.read(tx => graphEnded.ended(tx, { workspaceId: world.workspaceId, query, memoryIds })))

describe('what has ended, for a search', () => {
  test('are memories of which no statement holds, with those that tell what holds instead, the newest first', async () => {
    const instead = [again, porto]
    expect(await ended('Where does Ada live?')).toEqual({
      [berlin]: instead,
      [oslo]: instead,
      // Other things that she likes did not take its place.
      [hiking]: [],
    })
    expect(await ended('Where does Ada live?', [])).toEqual({})
  })

  test('is nothing where the query asks for the past, or names what it was with', async () => {
    for (const query of ['Where did Ada live?', 'Wo wohnte Ada früher?', 'Ada in 2025'])
      expect([query, await ended(query)]).toEqual([query, {}])
    expect(Object.keys(await ended('Ada, Berlin')).toSorted()).toEqual([oslo, hiking].toSorted())
  })
})

import { beforeAll, describe, expect, test } from 'bun:test'
import { randomUUID } from 'node:crypto'
import { type GraphWorld, graphWorld } from '../world.test-support.ts'
import { graphAliases, graphEvidence } from './search-evidence.ts'

let world: GraphWorld
const [rare, common, both, unnamed] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()]

beforeAll(async () => {
  world = await graphWorld()
  const robert = await world.entity('Robert Kwan', 'PERSON', { aliases: ['Bob'] })
  const acme = await world.entity('Acme', 'ORGANIZATION')
  await world.mention(rare, robert, 'Bob')
  await world.mention(both, robert, 'Robert Kwan')
  await world.mention(both, acme, 'Acme')
  await world.mention(common, acme, 'Acme')
  for (let n = 0; n < 20; n++) await world.mention(randomUUID(), acme, 'Acme')
  await world.edge(robert, 'WORKS_AT', acme, { memories: [unnamed] })
})

const evidence = (query: string, userId?: string) =>
  world.read(tx => graphEvidence.evidence(tx, { workspaceId: world.workspaceId, query, userId }))
const aliases = (query: string) => world.read(tx => graphAliases.aliases(tx, { workspaceId: world.workspaceId, query }))

describe('what the graph tells a search', () => {
  test('are memories that speak of what the query names, but not by that name, the rarer the stronger', async () => {
    const found = await evidence("what is Bob's job at Acme?")
    const strength = (id: string) => found.get(id)?.strength ?? 0
    expect(strength(both)).toBeGreaterThan(strength(unnamed))
    expect(strength(unnamed)).toBeGreaterThan(0)
    // The word itself finds these.
    expect([strength(rare), strength(common)]).toEqual([0, 0])
    expect(found.get(both)?.names).toEqual(['bob'])
    expect((await evidence('Robert Kwan')).has(rare)).toBe(true)
    for (const { strength } of found.values()) expect([strength > 0, strength <= 1]).toEqual([true, true])
  })

  test('is nothing where nothing is named, or only for another user', async () => {
    expect((await evidence('what is the weather like?')).size).toBe(0)
    expect((await evidence('Bob', 'somebody else')).size).toBe(0)
    expect((await evidence('Bob', 'ada')).size).toBe(2)
    expect((await evidence('?!')).size).toBe(0)
  })

  test('are the other names of what the query names', async () => {
    expect(await aliases('where is Bob?')).toEqual(['robert kwan'])
    expect(await aliases('where is Robert Kwan?')).toEqual(['bob'])
    expect(await aliases('where is it?')).toEqual([])
  })
})

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { until } from '../../../../test/support/wait.ts'
import { Corpus } from '../conformance/corpus.test-support.ts'
import { openWorld, settle, type TypesenseWorld } from './world.test-support.ts'

let world: TypesenseWorld

beforeAll(async () => {
  world = await openWorld({ nodes: 3, host: 'cluster.test', graceMs: 3_600_000 })
  await settle(world.engine)
})

afterAll(() => world.fake.stop())

const waiting = (corpus: Corpus) =>
  corpus.write(tx => tx`select from search.typesense_queue where workspace_id = ${corpus.workspaceId}`)

/** Ends the time that followers may lag behind. */
async function waitOut(corpus: Corpus): Promise<void> {
  await corpus.write(
    tx => tx`
      update search.typesense_queue
      set due_at = due_at - interval '1 day'
      where workspace_id = ${corpus.workspaceId} and acknowledged`,
  )
  await world.engine.upkeep.run()
}

/** Repeats the search often enough for every node to serve it. */
async function foundByAll(corpus: Corpus, query: string): Promise<string[][]> {
  const responses: string[][] = []
  for (let n = 0; n < 6; n++) responses.push(await corpus.found(query))
  return responses
}

test('followers that lag behind hide nothing and bring nothing back', async () => {
  const corpus = await Corpus.of(world, 'old apples', 'removed apples')
  await settle(world.engine)
  await waitOut(corpus)
  world.fake.lagging = true
  await corpus.add('new apples')
  await corpus.remove('removed apples')
  await settle(world.engine)
  expect(await foundByAll(corpus, 'apples')).toEqual(Array(6).fill(['new apples', 'old apples']))
  expect((await waiting(corpus)).length).toBe(2)
  world.fake.lagging = false
  world.fake.catchUp()
  await waitOut(corpus)
  expect(await waiting(corpus)).toHaveLength(0)
  expect(await foundByAll(corpus, 'apples')).toEqual(Array(6).fill(['new apples', 'old apples']))
})

test('without a leader searches continue and writes wait', async () => {
  const corpus = await Corpus.of(world, 'before')
  await settle(world.engine)
  world.fake.leader = false
  await corpus.add('after')
  await world.engine.upkeep.run()
  expect(world.engine.upkeep.away).toBe(true)
  const { candidates, warning } = await corpus.candidates('before after')
  expect([candidates.length, warning]).toEqual([2, undefined])
  world.fake.leader = true
  await until('the write is taken', async () => {
    await world.engine.upkeep.run()
    return !world.engine.upkeep.away && world.engine.upkeep.size.waiting === 0
  })
  const id = corpus.idsOf('after')[0]?.replaceAll('-', '')
  expect(world.fake.documents('mneme_memories').some(({ memory }) => memory === id)).toBe(true)
})

test('the failure of one node goes unnoticed', async () => {
  const corpus = await Corpus.of(world, 'apples')
  await settle(world.engine)
  world.fake.fail('closed', [1])
  for (let n = 0; n < 6; n++) expect((await corpus.candidates('apples')).warning).toBeUndefined()
  await corpus.add('more apples')
  await settle(world.engine)
  expect(world.engine.upkeep.away).toBe(false)
  world.fake.fail(undefined)
})

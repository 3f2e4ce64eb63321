import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { Corpus } from '../conformance/corpus.test-support.ts'
import { openPostgresEngine } from '../postgres/index.ts'
import type { TypesenseEngine } from './index.ts'
import { createIndexEraser, markIndexStale } from './index-state.ts'
import { rebuild } from './upkeep.ts'
import { verifyIndex } from './verify.ts'
import { openWorld, settle, type TypesenseWorld } from './world.test-support.ts'

let world: TypesenseWorld
const quiet = { print: () => undefined, signal: new AbortController().signal }

beforeAll(async () => {
  world = await openWorld({ host: 'rebuild.test' })
  await settle(world.engine)
})

afterAll(() => world.fake.stop())

const verify = (engine: TypesenseEngine = world.engine) =>
  verifyIndex({ database: world.database, server: engine.server, index: engine.alias }, quiet.signal)

const collections = () => [...world.fake.store.collections.keys()]
const aliased = () => world.fake.store.aliases.get('mneme_memories')

describe('a rebuild', () => {
  test('makes a new collection, switches to it and drops the old one', async () => {
    const corpus = await Corpus.of(world, { text: 'red apples', vector: [1, 0] }, 'plums')
    await settle(world.engine)
    const before = aliased()
    expect(await rebuild(world.engine.upkeep, quiet)).toBe(true)
    expect(aliased()).not.toBe(before)
    expect(collections()).toEqual([`${aliased()}`, `${aliased()}_vectors`])
    expect((await verify()).drifts).toEqual([])
    expect(await corpus.found('apples')).toEqual(['red apples'])
  })

  test('misses no concurrent write of any process, and searches continue', async () => {
    const corpus = await Corpus.of(world, ...Array.from({ length: 30 }, (_, n) => `stock ${n} of apples`))
    await settle(world.engine)
    const before = aliased()
    const other = await world.another()
    let writes = 0
    world.fake.onRequest = async ({ path }) => {
      if (!path.endsWith('/import') || writes >= 8) return
      writes++
      // A memory is added, one changed and one deleted, each while something is in flight.
      await corpus.add(`late ${writes} apples`)
      await corpus.add({
        text: `changed ${writes} pears`,
        fields: { memoryId: corpus.idsOf(`stock ${writes} of apples`)[0] ?? '' },
      })
      await corpus.remove(`stock ${writes + 10} of apples`)
      expect((await corpus.candidates('apples', { mode: 'keyword' })).total).toBe(30 - writes)
      await other.upkeep.run()
    }
    expect(await rebuild(world.engine.upkeep, quiet)).toBe(true)
    world.fake.onRequest = () => undefined
    await settle(world.engine)
    expect(writes).toBeGreaterThan(0)
    expect(aliased()).not.toBe(before)
    const { drifts, waiting, orphans } = await verify()
    expect([drifts, waiting, orphans]).toEqual([[], 0, []])
  })

  test('with many concurrent writers leaves no drift, and no write fails', async () => {
    const other = await world.another()
    const corpora = await Promise.all(Array.from({ length: 4 }, () => Corpus.of(world)))
    let writing = true
    const writers = corpora.map(async (corpus, writer) => {
      const ids = await corpus.add('one', 'two', 'three')
      for (let round = 0; round < 12; round++) {
        // Two statements of one transaction update the same rows of the queue in different orders.
        const texts = ids.map((memoryId, n) => ({
          text: `writer ${writer} round ${round} ${n}`,
          vector: [1, n],
          fields: { memoryId },
        }))
        await corpus.add(...(round % 2 ? texts.toReversed() : texts))
        if (round % 4 === 3) await corpus.remove(`writer ${writer} round ${round} 1`)
      }
    })
    const upkeeps = [world.engine, other].map(async ({ upkeep }) => {
      while (writing) await upkeep.run()
    })
    await world.engine.upkeep.begin()
    await Promise.all(writers)
    writing = false
    await Promise.all(upkeeps)
    await settle(world.engine)
    expect((await verify()).drifts).toEqual([])
    expect(await corpora[0]?.found('round')).toEqual(['writer 0 round 11 0', 'writer 0 round 11 2'])
  })

  test('resumes in another process after a kill', async () => {
    const corpus = await Corpus.of(world, ...Array.from({ length: 20 }, (_, n) => `survivor ${n}`))
    await settle(world.engine)
    const before = aliased()
    const killed = await world.another()
    const reached = Promise.withResolvers<void>()
    world.fake.onRequest = ({ path }) => {
      if (!path.endsWith('/import') || path.includes(`/${before}/`) || path.includes(`/${before}_vectors/`)) return
      reached.resolve()
      // The process is gone, so its pending work never happens.
      return new Promise(() => undefined)
    }
    void rebuild(killed.upkeep, quiet).catch(() => undefined)
    await reached.promise
    killed.upkeep.stop()
    world.fake.onRequest = () => undefined
    expect(aliased()).toBe(before)
    expect((await corpus.candidates('survivor')).total).toBe(20)
    const claimed = await world.database.system(
      tx =>
        tx`update search.typesense_queue set due_at = now() - interval '1 second' where lease is not null returning 1`,
    )
    expect(claimed.length).toBeGreaterThan(0)
    const next = await world.another()
    expect(await rebuild(next.upkeep, quiet)).toBe(true)
    expect(aliased()).not.toBe(before)
    expect(collections()).toEqual([`${aliased()}`, `${aliased()}_vectors`])
    expect((await verify(next)).drifts).toEqual([])
  })

  test('after a restore fills a collection of a new name, without memories that the database no longer has', async () => {
    const corpus = await Corpus.of(world, 'restored plums')
    await settle(world.engine)
    const [backup] = await world.database.system(tx => tx`select * from search.typesense_index`)
    await corpus.add('plums since the backup')
    expect(await rebuild(world.engine.upkeep, quiet)).toBe(true)
    const lost = aliased()
    // The queue of the restored database is empty, so nothing removes the memory from the index.
    const restored = await openPostgresEngine(world.database)
    await corpus.in({ database: world.database, engine: restored }).remove('plums since the backup')
    await world.database.system(tx => tx`update search.typesense_index set ${tx(backup ?? {})}`)
    const engine = await world.another()
    expect(await rebuild(engine.upkeep, quiet)).toBe(true)
    expect(aliased()).not.toBe(lost)
    expect(collections()).toEqual([`${aliased()}`, `${aliased()}_vectors`])
    expect((await verify(engine)).drifts).toEqual([])
  })

  test('starts automatically after writes that no process queued', async () => {
    await settle(world.engine)
    const before = aliased()
    await world.database.system(markIndexStale)
    await settle(world.engine)
    expect(aliased()).not.toBe(before)
  })
})

test('after an upgrade new collections are filled and replace the former one, and searches say so until then', async () => {
  const corpus = await Corpus.of(world, 'from before the upgrade')
  await settle(world.engine)
  const before = aliased()
  await world.database.system(tx => tx`update search.typesense_index set live_schema = 1`)
  const upgraded = await world.another()
  await upgraded.upkeep.run()
  const there = corpus.in({ engine: upgraded, database: world.database })
  // A run starts the collections; until the next one completes them Postgres serves.
  const { candidates, warning } = await there.candidates('upgrade')
  expect([candidates.length, warning]).toEqual([1, expect.stringContaining('is being filled')])
  await settle(upgraded)
  expect(aliased()).not.toBe(before)
  expect(collections()).toEqual([`${aliased()}`, `${aliased()}_vectors`])
  expect((await there.candidates('upgrade')).warning).toBeUndefined()
  await settle(world.engine)
})

test('an older version leaves the index of a newer one alone', async () => {
  const corpus = await Corpus.of(world, 'for the new code')
  await world.database.system(tx => tx`update search.typesense_index set live_schema = live_schema + 1`)
  const before = world.fake.requests.length
  await world.engine.upkeep.run()
  expect(await corpus.found('code')).toEqual(['for the new code'])
  expect(world.fake.requests.length).toBe(before)
  await world.database.system(tx => tx`update search.typesense_index set live_schema = live_schema - 1`)
  await settle(world.engine)
})

describe('a deleted workspace', () => {
  test('is removed from the index too', async () => {
    const corpus = await Corpus.of(world, 'left behind')
    await settle(world.engine)
    const token = corpus.workspaceId.replaceAll('-', '')
    const count = () => world.fake.documents('mneme_memories').filter(({ workspace }) => workspace === token).length
    expect(count()).toBe(1)
    await createIndexEraser(world.database).erase(corpus.workspaceId, new AbortController().signal)
    await settle(world.engine)
    expect(count()).toBe(0)
  })
})

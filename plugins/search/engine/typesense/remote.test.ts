import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createLog } from '../../../../core/log.ts'
import { ownDatabaseUrl } from '../../../../test/support/database.ts'
import { Corpus } from '../conformance/corpus.test-support.ts'
import { type RemoteWorld, remoteConformance } from '../conformance/remote.conformance.ts'
import { FAKE_KEY } from './fake/cluster.test-support.ts'
import type { TypesenseEngine } from './index.ts'
import { RecallCheck } from './searches.ts'
import { rebuild } from './upkeep.ts'
import { openDatabase, openOn, openWorld, settle, type TypesenseWorld } from './world.test-support.ts'

const quiet = { print: () => undefined, signal: new AbortController().signal }

remoteConformance('Typesense', async () => remoteWorld(await openWorld({ nodes: 3, host: 'remote.test' })))

function remoteWorld(world: TypesenseWorld): RemoteWorld {
  const { fake, engine } = world
  return {
    database: world.database,
    engine,
    settle: () => settle(engine),
    async another() {
      const other = await world.another()
      return remoteWorld({ ...world, engine: await serving(other) })
    },
    async foreign() {
      const database = await openDatabase(await ownDatabaseUrl())
      // Databases of tests are copies of one, and a copy has the same id.
      await database.system(tx => tx`update search.typesense_owner set id = gen_random_uuid()`)
      const foreign = await openOn(database, fake.urls, FAKE_KEY)
      await foreign.upkeep.run()
      expect(foreign.upkeep.problem).toContain('belongs to another database')
      return remoteWorld({ ...world, database, engine: foreign })
    },
    restart: nodes => fake.restart(nodes),
    replay: entries => fake.replay(entries),
    lag() {
      fake.lagging = true
    },
    catchUp: () => fake.catchUp(),
    async rebuild() {
      const before = fake.requests.length
      expect(await rebuild(engine.upkeep, quiet)).toBe(true)
      const created = fake.requests
        .slice(before)
        .filter(({ method, path }) => method === 'POST' && path === '/collections')
      // Each is of words or of vectors.
      return created.length / 2
    },
    close: () => fake.stop(),
  }
}

/** A process reads the state of the index before its first run sends anything, which a replay can delay. */
async function serving(engine: TypesenseEngine): Promise<TypesenseEngine> {
  const running = engine.upkeep.run()
  const first = Promise.withResolvers<void>()
  const look = () => (engine.upkeep.serving ? first.resolve() : setTimeout(look, 1))
  look()
  await Promise.race([running, first.promise])
  return engine
}

describe('Typesense', () => {
  let world: TypesenseWorld
  beforeAll(async () => {
    world = await openWorld({ host: 'settings.test' })
    await settle(world.engine)
  })
  afterAll(() => world.fake.stop())

  test('a new process searches the index before its first upkeep', async () => {
    const corpus = await Corpus.of(world, 'there before')
    await settle(world.engine)
    const fresh = corpus.in({
      database: world.database,
      engine: await openOn(world.database, world.fake.urls, FAKE_KEY),
    })
    const { candidates, warning } = await fresh.candidates('before')
    expect([candidates.length, warning]).toEqual([1, undefined])
  })

  test('a wrong key is said at once, in the state and by a rebuild', async () => {
    const locked = await openOn(world.database, world.fake.urls, 'wrong')
    const lines: string[] = []
    expect(await rebuild(locked.upkeep, { ...quiet, print: line => lines.push(line) })).toBe(false)
    expect(lines).toEqual([expect.stringContaining('rejects the key in TYPESENSE_API_KEY (401)')])
    expect([locked.upkeep.problem, locked.upkeep.serving]).toEqual([lines[0], false])
  })

  test('a floor of -1 lets every vector match, also the opposite one', async () => {
    const corpus = await Corpus.of(world, { text: 'same', vector: [1, 0] }, { text: 'opposite', vector: [-1, 0] })
    await settle(world.engine)
    const before = world.engine.proposals.fallbacks
    expect(await corpus.found('zebra', { vector: [1, 0], floor: -1 })).toEqual(['opposite', 'same'])
    expect(world.engine.proposals.fallbacks).toBe(before)
  })

  test('a model without any vectors yet is no failure', async () => {
    const corpus = await Corpus.of(world, 'words alone')
    await settle(world.engine)
    const before = world.engine.proposals.fallbacks
    expect(await corpus.found('words', { vector: [1, 0, 0, 0, 0], model: 31_000 })).toEqual(['words alone'])
    expect(world.engine.proposals.fallbacks).toBe(before)
  })

  test('a vector index that overlooks memories is noticed, and every vector is compared instead', async () => {
    const recall = new RecallCheck(createLog('silent'), () => 20, 0)
    const engine = await openOn(world.database, world.fake.urls, FAKE_KEY, 0, { recall })
    const texts = Array.from({ length: 150 }, (_, n) => ({ text: `dish ${n}`, vector: [1, n / 1000] }))
    const corpus = (await Corpus.of(world, ...texts)).in({ engine, database: world.database })
    await settle(world.engine)
    await settle(engine)
    // The index finds a hundred, so only the comparison tells that nearer ones are missing.
    world.fake.overlooked = ({ stamp }) => String(stamp).charCodeAt(0) % 4 === 0
    const nearest = async () => {
      const { candidates } = await corpus.candidates('zebra', { vector: [1, 0] })
      return candidates.length
    }
    expect(await nearest()).toBeGreaterThan(90)
    for (let run = 0; run < 5; run++) {
      await nearest()
      await engine.upkeep.run()
    }
    expect(recall.cutoff).toBeGreaterThan(1_000_000)
    expect(await corpus.found('zebra', { vector: [1, 0] })).toEqual(
      Array.from({ length: 100 }, (_, n) => `dish ${n}`).sort(),
    )
    world.fake.overlooked = () => false
  })

  test('where the vector index finds too few, every vector is compared at once', async () => {
    const recall = new RecallCheck(createLog('silent'), () => 10)
    const engine = await openOn(world.database, world.fake.urls, FAKE_KEY, 0, { recall })
    const texts = Array.from({ length: 30 }, (_, n) => ({ text: `stone ${n}`, vector: [1, n / 1000] }))
    const corpus = (await Corpus.of(world, ...texts)).in({ engine, database: world.database })
    await settle(world.engine)
    await settle(engine)
    world.fake.overlooked = () => true
    const { candidates, total } = await corpus.candidates('zebra', { vector: [1, 0] })
    expect([candidates.length, total]).toEqual([30, 30])
    world.fake.overlooked = () => false
  })
})

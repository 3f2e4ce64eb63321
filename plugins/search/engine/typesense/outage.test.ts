import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { until } from '../../../../test/support/wait.ts'
import { Corpus } from '../conformance/corpus.test-support.ts'
import { FakeFault } from './fake/filter.test-support.ts'
import type { TypesenseEngine } from './index.ts'
import { rebuild } from './upkeep.ts'
import { openWorld, settle, type TypesenseWorld } from './world.test-support.ts'

let world: TypesenseWorld

beforeAll(async () => {
  world = await openWorld({ host: 'outage.test' })
})

beforeEach(async () => {
  world.fake.fail(undefined)
  world.fake.refuse = () => undefined
  await back()
})

afterAll(() => world.fake.stop())

/** Waits until the pauses of an earlier outage are over. */
function back(): Promise<true> {
  return until('Typesense has everything', async () => {
    await settle(world.engine).catch(() => undefined)
    const corpus = await Corpus.of(world)
    const { warning } = await corpus.candidates('anything')
    return warning === undefined && !world.engine.upkeep.away && world.engine.upkeep.size.waiting === 0
  })
}

const stored = (corpus: Corpus, text: string) =>
  world.fake.documents('mneme_memories').some(({ memory }) => memory === corpus.idsOf(text)[0]?.replaceAll('-', ''))

describe('while Typesense is unavailable', () => {
  test.each(['closed', 'busy', 'silent'] as const)(
    'searches find everything in Postgres, say so, and do not wait each time (%s)',
    async failure => {
      const corpus = await Corpus.of(world, { text: 'red apples', vector: [1, 0] }, { text: 'plums', vector: [1, 1] })
      await settle(world.engine)
      world.fake.fail(failure)
      // A silent server never responds, so a caller that waited for it would hang too.
      const first = await corpus.candidates('apples', { vector: [1, 0] })
      expect(first.warning).toContain('not available')
      expect(first.candidates.map(({ memoryId }) => corpus.textOf(memoryId)).sort()).toEqual(['plums', 'red apples'])
      const asked = world.fake.requests.length
      expect((await corpus.candidates('apples', { mode: 'keyword' })).total).toBe(1)
      expect(world.fake.requests.length - asked).toBeLessThanOrEqual(1)
    },
  )

  test('a rebuild waits for a while, says why it gives up, and is resumed', async () => {
    await settle(world.engine)
    world.fake.fail('closed')
    const lines: string[] = []
    const progress = { print: (line: string) => void lines.push(line), signal: new AbortController().signal }
    expect(await rebuild(world.engine.upkeep, { ...progress, awayMs: 1000 })).toBe(false)
    expect(lines.at(-1)).toMatch(/^Typesense does not accept writes: .+ Servers or the next rebuild resume it/)
    world.fake.fail(undefined)
    expect(await rebuild(world.engine.upkeep, progress)).toBe(true)
  })

  test('writes are accepted, found at once, and sent after the outage', async () => {
    const corpus = await Corpus.of(world, 'old text', 'goes away')
    await settle(world.engine)
    world.fake.fail('closed')
    await corpus.add('new text')
    await corpus.remove('goes away')
    await world.engine.upkeep.run()
    expect(world.engine.upkeep.away).toBe(true)
    expect(await corpus.found('text away', { mode: 'keyword' })).toEqual([])
    expect(await corpus.found('text away')).toEqual(['new text', 'old text'])
    expect([stored(corpus, 'new text'), stored(corpus, 'goes away')]).toEqual([false, true])
    world.fake.fail(undefined)
    await back()
    expect([stored(corpus, 'new text'), stored(corpus, 'goes away')]).toEqual([true, false])
    const { candidates, warning } = await corpus.candidates('text away')
    expect([candidates.length, warning]).toEqual([2, undefined])
  })

  test('searches say so and are counted with hundreds of pending memories too', async () => {
    const corpus = await Corpus.of(world, 'first')
    await settle(world.engine)
    world.fake.fail('closed')
    await corpus.add(...Array.from({ length: 301 }, (_, n) => `pending ${n}`))
    await world.engine.upkeep.run()
    const before = world.engine.proposals.fallbacks
    const { total, warning } = await corpus.candidates('pending')
    expect([total, warning]).toEqual([301, expect.stringContaining('not available')])
    expect(world.engine.proposals.fallbacks).toBe(before + 1)
  })

  test('nothing is lost when the response to an import never arrives', async () => {
    const corpus = await Corpus.of(world, 'on its way')
    let dropped = false
    world.fake.onRequest = ({ path }) => {
      // The request takes effect although its response is lost, so the retry must be harmless.
      if (!path.endsWith('/import') || dropped) return
      dropped = true
      world.fake.fail('closed')
    }
    await world.engine.upkeep.run()
    expect(world.engine.upkeep.away).toBe(true)
    world.fake.onRequest = () => undefined
    world.fake.fail(undefined)
    await back()
    expect(stored(corpus, 'on its way')).toBe(true)
  })
})

test.each([
  ['writes', [1, 0, 0, 0, 0, 0]],
  ['schemas', [1, 0, 0, 0, 0, 0, 0]],
] as const)('while Typesense rejects %s they wait, and searches use it', async (rejects, vector) => {
  await settle(world.engine)
  world.fake.rejects = rejects
  // A vector of another length needs a new field.
  const corpus = await Corpus.of(world, { text: 'waiting', vector })
  await world.engine.upkeep.run()
  expect([world.engine.upkeep.away, world.engine.upkeep.failure]).toEqual([true, expect.stringContaining('422')])
  const { candidates, warning } = await corpus.candidates('waiting')
  expect([candidates.length, warning, stored(corpus, 'waiting')]).toEqual([1, undefined, false])
  world.fake.rejects = undefined
  await back()
  expect(stored(corpus, 'waiting')).toBe(true)
})

describe('a document that Typesense refuses', () => {
  test('does not block others, is found meanwhile, and is retried', async () => {
    const corpus = await Corpus.of(world)
    const [bad = ''] = await corpus.add('bad apple', 'good apple')
    world.fake.refuse = ({ memory }) =>
      memory === bad.replaceAll('-', '') ? 'Field `words` is not to my taste.' : undefined
    await world.engine.upkeep.run()
    expect([stored(corpus, 'good apple'), stored(corpus, 'bad apple')]).toEqual([true, false])
    expect(await corpus.found('apple')).toEqual(['bad apple', 'good apple'])
    const row = () =>
      corpus.write(
        tx => tx<{ attempts: number; error: string; later: boolean }[]>`
          select attempts, error, due_at > now() as later from search.typesense_queue where workspace_id = ${corpus.workspaceId}`,
      )
    expect((await row())[0]).toMatchObject({ attempts: 1, later: true })
    expect((await row())[0]?.error).toContain('400 Field `words` is not to my taste.')
    world.fake.refuse = () => undefined
    await corpus.write(
      tx =>
        tx`update search.typesense_queue set due_at = now() - interval '1 second' where workspace_id = ${corpus.workspaceId}`,
    )
    await settle(world.engine)
    expect(stored(corpus, 'bad apple')).toBe(true)
    expect(await row()).toHaveLength(0)
  })

  test('is not restored when it changes while it is being sent', async () => {
    const corpus = await Corpus.of(world)
    const [memoryId = ''] = await corpus.add('first version')
    let changed = false
    world.fake.onRequest = async ({ path }) => {
      if (!path.endsWith('/import') || changed) return
      changed = true
      await corpus.add({ text: 'second version', fields: { memoryId } })
    }
    await world.engine.upkeep.run()
    world.fake.onRequest = () => undefined
    await settle(world.engine)
    const [document] = world.fake
      .documents('mneme_memories')
      .filter(({ memory }) => memory === memoryId.replaceAll('-', ''))
    expect(String(document?.words)).toContain('second')
    expect(await corpus.found('first', { mode: 'keyword' })).toEqual([])
  })
})

test('the longest query is accepted, and a refused one does not stop others from using Typesense', async () => {
  const corpus = await Corpus.of(world, 'alpha beta', 'gamma')
  await settle(world.engine)
  const { proposals } = world.engine
  const before = proposals.fallbacks
  const letters = 'abcdefghijklmnopqrstuvwxyz'
  const words = Array.from({ length: 250 }, (_, n) => `${letters[n % 26]}${letters[Math.floor(n / 26)]}`)
  expect((await corpus.candidates(words.join(' OR '), { mode: 'keyword' })).total).toBe(0)
  expect((await corpus.candidates(`alpha -${words.join(' -')}`)).total).toBe(1)
  expect((await corpus.candidates(`"${words.join(' ')}"`)).total).toBe(0)
  expect(proposals.fallbacks).toBe(before)
  world.fake.onRequest = ({ path }) =>
    path === '/multi_search' ? new FakeFault(400, 'Something about this search.') : undefined
  const refused = await corpus.candidates('beta', { mode: 'keyword' })
  expect([refused.total, refused.warning, proposals.away]).toEqual([1, undefined, false])
  world.fake.onRequest = () => undefined
})

describe('a server that lost its latest writes', () => {
  /** Sends a memory, loses it and everything after it in Typesense, and searches with an engine. */
  async function lost(engine: () => Promise<TypesenseEngine>) {
    const corpus = await Corpus.of(world, 'stays there')
    await settle(world.engine)
    const { entries } = world.fake
    await corpus.add('lost there')
    await settle(world.engine)
    world.fake.rollBack(entries)
    expect(stored(corpus, 'lost there')).toBe(false)
    const asked = corpus.in({ database: world.database, engine: await engine() })
    const search = () => asked.candidates('there', { mode: 'keyword' })
    await until('searches use Typesense again', async () => {
      const { candidates, warning } = await search()
      expect(candidates.length).toBe(2)
      await world.engine.upkeep.run()
      return warning === undefined && world.engine.upkeep.size.waiting === 0
    })
    return corpus
  }

  test('is refilled, and every search finds everything', async () => {
    const corpus = await lost(async () => world.engine)
    expect(stored(corpus, 'lost there')).toBe(true)
  })

  test('is refilled when a new process is the first that writes to it', async () => {
    const corpus = await lost(async () => {
      const fresh = await world.another()
      await fresh.upkeep.run()
      await settle(fresh)
      return fresh
    })
    expect(stored(corpus, 'lost there')).toBe(true)
  })

  test('is refilled when the next thing is a write', async () => {
    const corpus = await lost(async () => {
      await Corpus.of(world, 'written later')
      await world.engine.upkeep.run()
      return world.engine
    })
    expect(stored(corpus, 'lost there')).toBe(true)
  })

  test('one that lost nothing is left alone, however often it is checked and by whom', async () => {
    await settle(world.engine)
    const before = world.fake.store.aliases.get('mneme_memories')
    const other = await world.another()
    for (let round = 0; round < 6; round++) {
      const { upkeep } = round % 3 === 1 ? other : world.engine
      if (round % 2 === 0) await Corpus.of(world, `round ${round}`)
      upkeep.checkSoon()
      await upkeep.run()
    }
    await settle(other)
    expect(world.fake.store.aliases.get('mneme_memories')).toBe(before)
  })
})

describe('a server that lost its data', () => {
  test('is refilled, and Postgres serves searches until then', async () => {
    const corpus = await Corpus.of(world, 'kept in Postgres')
    await settle(world.engine)
    world.fake.wipe()
    const { candidates, warning } = await corpus.candidates('postgres')
    expect([candidates.length, warning]).toEqual([1, expect.stringContaining('not available')])
    await back()
    expect(stored(corpus, 'kept in Postgres')).toBe(true)
  })
})

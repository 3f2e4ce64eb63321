import { beforeAll, describe, expect, test } from 'bun:test'
import { v7 } from 'uuid'
import { NATIVE_URL } from '../../../../test/support/database.ts'
import { type CandidateSet, type EngineQuery, TOTAL_MAX, type WordCandidates } from '../engine.ts'
import { fillIndexed } from './indexed.test-support.ts'

const byId = <T extends { readonly memoryId: string }>(all: readonly T[] = []) =>
  all.toSorted((a, b) => (a.memoryId < b.memoryId ? -1 : 1))

// The embedded database has no HNSW indexes.
if (NATIVE_URL !== undefined)
  describe('candidates by words that were retrieved before the vector was known', () => {
    const workspaceId = v7()
    let world: Awaited<ReturnType<typeof fillIndexed>>
    beforeAll(async () => {
      world = await fillIndexed(workspaceId)
      await world.indexed.upkeep()
      await world.indexed.indexesBuilt()
    })

    /** Retrieves them in a transaction of their own, as a search does. */
    const early = ({ vector: _, ...query }: EngineQuery, engine = world.indexed) =>
      world.database.workspace(workspaceId, tx => engine.wordCandidates(tx, query))

    const given = async (query: EngineQuery): Promise<{ query: EngineQuery; words: WordCandidates }> => {
      const words = await early(query)
      if (!words) throw new Error('there are none')
      return { query: beside(query, words), words }
    }

    const beside = (query: EngineQuery, words: WordCandidates) => ({ ...query, worded: Promise.resolve(words) })

    const ask = (query: EngineQuery) => world.database.workspace(workspaceId, tx => world.indexed.candidates(tx, query))

    const comparable = ({ candidates, total, corpus }: CandidateSet) => ({
      candidates: byId(candidates),
      total,
      corpus,
    })

    test.each([
      ['a common word', 'note 7 19', 0.2],
      ['rare words', '7 19 250', 0.2],
      ['a common word, and few near memories', 'note 7 19', 0.995],
      ['rare words, and few near memories', '7 19 250', 0.995],
      ['a word that no text has', 'zebra', 0.2],
    ])('make the same result with %s', async (_, text, floor) => {
      for (let n = 0; n < 5; n++) {
        const query = world.query(text, n, {}, floor)
        expect(comparable(await ask((await given(query)).query))).toEqual(comparable(await ask(query)))
      }
    })

    test('prove the total only if words alone do', async () => {
      const [common, rare] = await Promise.all(['note 7', '7 19'].map(text => given(world.query(text, 1, {}))))
      expect([common?.words.provesTotal, rare?.words.provesTotal]).toEqual([true, false])
      expect((await ask(world.query('note 7', 1, {}))).total).toBe(TOTAL_MAX)
    })

    test('are not retrieved again', async () => {
      const { query, words } = await given(world.query('note 7 19', 2, {}))
      const { candidates: all } = await ask(query)
      const { candidates: nearest } = await ask(beside(query, { ...words, candidates: [] }))
      const near = new Set(nearest.map(({ memoryId }) => memoryId))
      const { candidates } = words
      expect(all.length).toBeGreaterThan(nearest.length)
      expect(new Set([...near, ...candidates.map(({ memoryId }) => memoryId)])).toEqual(
        new Set(all.map(({ memoryId }) => memoryId)),
      )
    })

    test('are void for other words', async () => {
      const { words } = await given(world.query('7 19', 3, {}))
      const query = world.query('8 19', 3, {})
      expect(comparable(await ask(beside(query, words)))).toEqual(comparable(await ask(query)))
    })

    test('are left out once they are deleted', async () => {
      const [memoryId = ''] = await world.add(world.query('zebra', 4, {}).vector?.values ?? new Float32Array())
      const { query, words } = await given(world.query('note 3000', 4, {}))
      expect(words.candidates.map(candidate => candidate.memoryId)).toContain(memoryId)
      await world.database.workspace(workspaceId, tx => world.indexed.remove(tx, workspaceId, [memoryId]))
      expect((await ask(query)).candidates.map(candidate => candidate.memoryId)).not.toContain(memoryId)
    })

    test('are retrieved where an index over vectors is expected to serve', async () => {
      const query = (filter: EngineQuery['filter']) => world.query('note 7', 6, filter)
      expect(await early(query({}), world.exact)).toBeUndefined()
      expect(await early(query({ categories: ['tenth'] }))).toBeUndefined()
      expect(await early({ ...query({}), match: 'all' })).toBeUndefined()
      await ask(query({ userId: 'half' }))
      expect(await early(query({ userId: 'half' }))).toBeDefined()
      await ask(query({ userId: 'few' }))
      expect(await early(query({ userId: 'few' }))).toBeUndefined()
    })
  })

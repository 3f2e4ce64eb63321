import { describe, expect, test } from 'bun:test'
import { Corpus, type EngineWorld, type Question } from './corpus.test-support.ts'

const NEAR = [1, 0]
const FAR = [-1, 1]

/** The features of given memories, and whether they match, must equal those of a search for them. */
export function examinedConformance(world: () => EngineWorld): void {
  describe('features of given memories', () => {
    const texts = ['red apples', 'green apples', 'plums', 'plums of another user', 'plums of yesterday', 'unrelated']
    const corpusOfFruit = () =>
      Corpus.of(
        world(),
        { text: 'red apples', vector: NEAR, fields: { metadata: { n: 1 } } },
        { text: 'green apples', vector: FAR },
        { text: 'plums', vector: FAR, fields: { categories: ['stone'] } },
        { text: 'plums of another user', vector: NEAR, fields: { userId: 'bob' } },
        { text: 'plums of yesterday', vector: NEAR, fields: { expiresAt: new Date(Date.now() - 1000) } },
        { text: 'unrelated', vector: FAR },
      )
    const questions: [what: string, text: string, question: Question][] = [
      ['words alone', 'apples', {}],
      ['words in keyword mode', 'apples', { mode: 'keyword' }],
      ['words and meaning', 'plums', { vector: NEAR }],
      ['words, one of them excluded', 'plums -green', { mode: 'keyword' }],
      ['meaning alone', 'zebra', { vector: NEAR }],
      ['a word that nothing has', 'zebra', {}],
      ['words, a phrase and meaning', 'fruit "red apples"', { vector: NEAR }],
      ['what another user said', 'plums', { vector: NEAR, filter: { userId: 'bob' } }],
      ['what no agent said', 'plums', { vector: NEAR, filter: { agentId: 'none' } }],
      ['a category in keyword mode', 'plums', { mode: 'keyword', filter: { categories: ['stone'] } }],
      ['metadata', 'apples', { vector: NEAR, filter: { metadata: [{ path: ['n'], op: 'eq', value: 1 }] } }],
      ['an exclusion alone', '-apples', { mode: 'keyword' }],
      ['a model that nothing was embedded with', 'apples', { vector: NEAR, model: 31_999 }],
    ]

    test.each(questions)('of %s: the same ones match, with the same features', async (_, text, question) => {
      const corpus = await corpusOfFruit()
      const ids = corpus.idsOf(...texts)
      const set = await corpus.candidates(text, question)
      const examined = await corpus.write((tx, engine) => engine.features(tx, corpus.query(text, question), ids))
      expect(examined.candidates.map(({ memoryId }) => memoryId)).toEqual(ids)
      const matching = examined.candidates.filter(({ matches }) => matches)
      expect(matching.map(({ memoryId }) => memoryId).sort()).toEqual(
        set.candidates.map(({ memoryId }) => memoryId).sort(),
      )
      expect(examined.total).toBe(set.total)
      expect(examined.corpus).toEqual(set.corpus)
      for (const candidate of set.candidates) {
        const found = matching.find(({ memoryId }) => memoryId === candidate.memoryId)
        // Keyword mode omits cosines.
        if (candidate.cosine !== null) expect(found?.cosine).toBeCloseTo(candidate.cosine, 5)
        expect(found).toMatchObject({ ...candidate, cosine: found?.cosine ?? null })
      }
    })

    test('unknown ids and those of other workspaces are omitted, and the order is that of the ids', async () => {
      const corpus = await Corpus.of(world(), 'one cat', 'two cats')
      const other = await Corpus.of(world(), 'three cats')
      const [one = '', two = ''] = corpus.idsOf('one cat', 'two cats')
      const [three = ''] = other.idsOf('three cats')
      const stray = '00000000-0000-7000-8000-000000000001'
      const examine = (ids: string[]) => corpus.write((tx, engine) => engine.features(tx, corpus.query('cat'), ids))
      const { candidates } = await examine([stray, two, three, one])
      expect(candidates.map(({ memoryId }) => memoryId)).toEqual([two, one])
      expect((await examine([])).candidates).toEqual([])
    })

    test('statistics may be given along, as long as they cover the words', async () => {
      const corpus = await Corpus.of(world(), 'one cat', 'two cats', 'a dog')
      const query = corpus.query('cat')
      const ids = corpus.idsOf('one cat')
      const corpora = await corpus.write(async (tx, engine) => {
        const own = await engine.statistics(tx, query)
        const statistics = { ...own, documents: 1000 }
        const given = [
          { ...query, statistics },
          { ...corpus.query('cat dog'), statistics },
        ] as const
        const [same, others] = await Promise.all(given.map(one => engine.features(tx, one, ids)))
        return {
          own,
          same: same?.corpus,
          found: (await engine.candidates(tx, given[0])).corpus,
          others: others?.corpus,
        }
      })
      expect(corpora.own).toEqual((await corpus.candidates('cat')).corpus)
      expect(corpora.same?.documents).toBe(1000)
      expect(corpora.found.documents).toBe(1000)
      expect(corpora.others).toEqual((await corpus.candidates('cat dog')).corpus)
    })

    test('session neighbours of given memories, each once, and whether they match', async () => {
      const turn = (text: string, sessionId: string, fields = {}) => ({
        text,
        vector: FAR,
        fields: { sessionId, ...fields },
      })
      const corpus = await Corpus.of(
        world(),
        turn('apple one', 's'),
        turn('apple two', 's'),
        turn('plum three', 's'),
        turn('apple four', 's', { userId: 'bob' }),
        turn('apple five', 's', { expiresAt: new Date(Date.now() - 1000) }),
        turn('apple six', 't'),
        'apple of no session',
      )
      const sessionNeighbours = async (...texts: string[]) => {
        const found = await corpus.write((tx, engine) =>
          engine.sessionNeighbours(tx, corpus.query('apple', { vector: NEAR }), corpus.idsOf(...texts)),
        )
        return found.map(({ memoryId, matches }) => `${corpus.textOf(memoryId)} ${matches}`).sort()
      }
      expect(await sessionNeighbours('apple two')).toEqual(['apple one true', 'plum three false'])
      expect(await sessionNeighbours('apple one', 'plum three')).toEqual(['apple five false', 'apple two true'])
      expect(await sessionNeighbours('apple four', 'apple six', 'apple of no session')).toEqual([])
      expect(await sessionNeighbours()).toEqual([])
    })
  })
}

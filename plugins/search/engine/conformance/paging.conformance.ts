import { beforeAll, describe, expect, test } from 'bun:test'
import { type EngineQuery, TOTAL_MAX } from '../engine.ts'
import { folded } from '../postgres/folded.test-support.ts'
import { Corpus, type EngineWorld } from './corpus.test-support.ts'

/** Totals and pages beyond the head must be complete. */
export function pagingConformance(world: () => EngineWorld): void {
  describe('paging', () => {
    let corpus: Corpus
    beforeAll(async () => {
      corpus = await Corpus.of(world())
      for (let part = 0; part < 11; part++) {
        await corpus.add(
          ...Array.from({ length: 100 }, (_, n) => ({
            text: `item ${n % 2 ? 'odd' : 'even'} number ${part}x${n}${part < 3 ? ' early' : ''}`,
            // Half of them lie near the query, at different distances.
            vector: [1, n < 50 ? (part * 100 + n) / 1000 : 10 + n],
            fields: { userId: `u${part}`, metadata: { half: n < 50 ? 1 : 2 } },
          })),
        )
      }
      await corpus.add({ text: 'item alone', fields: { userId: 'solo' } })
      // Statistics leave out some of more than a thousand texts that wait to be counted, so counting them meanwhile would change them.
      await folded(world().database, corpus.workspaceId)
    })

    test('behind a filter a common term finds what the rarer ones, frequent elsewhere, do not', async () => {
      expect(await corpus.found('odd number item', { filter: { userId: 'solo' } })).toEqual(['item alone'])
    })

    test('the total is exact below the cap, with any filter, and capped above', async () => {
      expect((await corpus.candidates('item', { mode: 'keyword' })).total).toBe(TOTAL_MAX)
      expect((await corpus.candidates('item')).total).toBe(TOTAL_MAX)
      expect((await corpus.candidates('odd')).total).toBe(550)
      expect((await corpus.candidates('odd', { mode: 'keyword' })).total).toBe(550)
      expect((await corpus.candidates('zebra', { vector: [1, 0], floor: 0.5 })).total).toBe(550)
      expect((await corpus.candidates('odd', { vector: [1, 0], floor: 0.5 })).total).toBe(825)
      expect((await corpus.candidates('odd number', { filter: { userId: 'u3' } })).total).toBe(100)
      const filter = { metadata: [{ path: ['half'], op: 'eq' as const, value: 2 }] }
      expect((await corpus.candidates('item odd number even', { filter })).total).toBe(550)
    })

    test.each([
      ['keyword', corpusQuery => corpusQuery('odd', { mode: 'keyword' })],
      ['words and meaning', corpusQuery => corpusQuery('odd', { vector: [1, 0], floor: 0.5 })],
      ['meaning', corpusQuery => corpusQuery('zebra', { vector: [1, 0], floor: 0.5 })],
    ] as [string, (query: Corpus['query']) => EngineQuery][])(
      'head and tail together are every match once (%s)',
      async (_, make) => {
        const query = await corpus.proposed(make((text, question) => corpus.query(text, question)))
        const ids = await corpus.write(async (tx, engine) => {
          const { candidates, total } = await engine.candidates(tx, query)
          const head = candidates.map(candidate => candidate.memoryId)
          const tail = await engine.tail(tx, query, head)
          const found = [...head, ...tail.map(candidate => candidate.memoryId)]
          expect(found).toHaveLength(total)
          return found
        })
        expect(new Set(ids).size).toBe(ids.length)
      },
    )

    test.each(['odd', 'item'])('an answer to fewer words may be given along (%s)', async words => {
      const fewer = await corpus.proposed(corpus.query(words, { vector: [1, 0], floor: 0.5 }))
      const more = corpus.query(`${words} number`, { vector: [1, 0], floor: 0.5 })
      const [fresh, helped] = await corpus.write(async (tx, engine) => {
        const before = await engine.candidates(tx, fewer)
        return [await engine.candidates(tx, more), await engine.candidates(tx, more, before)]
      })
      expect(helped.total).toBe(fresh.total)
      expect(helped.corpus).toEqual(fresh.corpus)
      // Among equally near memories any may be retrieved, so the cosines are compared.
      const nearest = (set: typeof fresh) =>
        set.candidates
          .map(({ cosine }) => cosine ?? 0)
          .sort((a, b) => b - a)
          .slice(0, 50)
      expect(nearest(helped)).toEqual(nearest(fresh))
    })

    test('a tail carries the same features as the head', async () => {
      const query = corpus.query('odd', { vector: [1, 0], floor: 0.5 })
      const tail = await corpus.write((tx, engine) => engine.tail(tx, query, []))
      const candidate = tail.find(({ memoryId }) => corpus.textOf(memoryId) === 'item odd number 0x1 early')
      expect(candidate?.positions.get('odd')).toEqual([2])
      expect(candidate?.cosine).toBeGreaterThan(0.5)
    })

    test('of texts with the same words the newest are in the head', async () => {
      const { candidates } = await corpus.candidates('early')
      const parts = candidates.map(({ memoryId }) => corpus.textOf(memoryId).split(' ').at(-2)?.split('x')[0])
      expect(parts).toEqual(Array(100).fill('2'))
    })

    test('the nearest and the rarest are in the head', async () => {
      await corpus.add('a zebra item')
      const near = await corpus.candidates('item zebra', { vector: [1, 0], floor: 0.2 })
      const texts = near.candidates.map(candidate => corpus.textOf(candidate.memoryId))
      expect(texts).toContain('a zebra item')
      expect(texts).toContain('item even number 0x0 early')
    })
  })
}

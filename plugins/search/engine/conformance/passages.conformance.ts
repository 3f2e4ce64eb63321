import { describe, expect, test } from 'bun:test'
import { Corpus, type EngineWorld, type Question } from './corpus.test-support.ts'

/** Passages of long texts must lead to them, the nearest of each. */
export function passagesConformance(world: () => EngineWorld): void {
  describe('passages', () => {
    const near = async (corpus: Corpus, text: string, question: Question) => {
      const query = corpus.query(text, question)
      const found = await corpus.write((tx, engine) => engine.nearestPassages(tx, query))
      return [...found].map(([id, { start, end, passages, cosine }]) => ({
        text: corpus.textOf(id),
        place: [start, end],
        passages,
        cosine: Math.round(100 * cosine) / 100,
      }))
    }

    test('the nearest one of each text is found, from the floor on, whatever the whole is like', async () => {
      const corpus = await Corpus.of(
        world(),
        {
          text: 'two',
          vector: [0, 1],
          passages: [
            [0, 1],
            [3, 4],
            [1, 0],
          ],
        },
        {
          text: 'one',
          vector: [0, 1],
          passages: [
            [0, 1],
            [4, 3],
          ],
        },
        {
          text: 'far',
          vector: [1, 0],
          passages: [
            [0, 1],
            [-1, 1],
          ],
        },
        { text: 'short', vector: [1, 0] },
      )
      expect(await near(corpus, 'zebra', { vector: [1, 0], floor: 0.2 })).toEqual([
        { text: 'two', place: [20, 30], passages: 3, cosine: 1 },
        { text: 'one', place: [10, 20], passages: 2, cosine: 0.8 },
      ])
    })

    test('a workspace tells whether it has any', async () => {
      const corpus = await Corpus.of(world(), { text: 'short', vector: [1, 0] })
      const has = async () => (await corpus.candidates('short', { vector: [1, 0] })).corpus.hasPassages
      expect(await has()).toBe(false)
      await corpus.add({
        text: 'long',
        vector: [1, 0],
        passages: [
          [1, 0],
          [0, 1],
        ],
      })
      expect(await has()).toBe(true)
      await corpus.remove('long')
      expect(await has()).toBe(false)
    })

    test('filters apply, and quotations do not', async () => {
      const passages = [
        [1, 0],
        [0, 1],
      ]
      const corpus = await Corpus.of(
        world(),
        { text: 'red apples', vector: [0, 1], passages },
        { text: 'green apples', vector: [0, 1], passages, fields: { userId: 'bob', metadata: { kind: 'fruit' } } },
        { text: 'expired', vector: [0, 1], passages, fields: { expiresAt: new Date(0) } },
      )
      const texts = async (query: string, filter: Question['filter'] = {}) =>
        (await near(corpus, query, { vector: [1, 0], filter })).map(({ text }) => text).sort()
      expect(await texts('fruit')).toEqual(['green apples', 'red apples'])
      expect(await texts('fruit', { userId: 'bob' })).toEqual(['green apples'])
      expect(await texts('fruit', { metadata: [{ path: ['kind'], op: 'eq', value: 'fruit' }] })).toEqual([
        'green apples',
      ])
      expect(await texts('"green apples"')).toEqual(['green apples', 'red apples'])
    })

    test('go with the text they belong to, and with vectors of their model', async () => {
      const corpus = await Corpus.of(world())
      const passages = [
        [1, 0],
        [0, 1],
      ]
      const [memoryId = ''] = await corpus.add({ text: 'old', vector: [0, 1], passages })
      const count = async (model?: number) =>
        (await near(corpus, 'zebra', { vector: [1, 0], ...(model ? { model } : {}) })).length
      expect([await count(), await count(31_997)]).toEqual([1, 0])
      const others = new Map([[memoryId, [{ start: 0, end: 9, vector: Float32Array.of(1, 0) }]]])
      await corpus.write((tx, engine) => engine.setPassages(tx, corpus.workspaceId, 31_997, others))
      expect([await count(), await count(31_997)]).toEqual([1, 1])
      await corpus.write((tx, engine) => engine.keepEmbeddings(tx, corpus.workspaceId, 31_997, [memoryId]))
      expect([await count(), await count(31_997)]).toEqual([0, 1])
      await corpus.add({ text: 'old', isSame: true, fields: { memoryId } })
      expect([await count(), await count(31_997)]).toEqual([0, 1])
      await corpus.add({ text: 'new', fields: { memoryId } })
      expect([await count(), await count(31_997)]).toEqual([0, 0])
    })

    test('those of a document that is not indexed are ignored', async () => {
      const corpus = await Corpus.of(world(), 'only this')
      const stray = '00000000-0000-7000-8000-000000000002'
      const passages = new Map([[stray, [{ start: 0, end: 9, vector: Float32Array.of(1, 0) }]]])
      await corpus.write((tx, engine) => engine.setPassages(tx, corpus.workspaceId, 32_000, passages))
      expect(await near(corpus, 'zebra', { vector: [1, 0] })).toEqual([])
    })
  })
}

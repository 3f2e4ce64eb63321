import { describe, expect, test } from 'bun:test'
import type { MemoryFilter } from '../../../memories/contract.ts'
import { Corpus, type EngineWorld } from './corpus.test-support.ts'

/** Vectors must match by cosine. */
export function meaningConformance(world: () => EngineWorld): void {
  describe('meaning', () => {
    test('retrieves memories that are near enough, with their cosine', async () => {
      const corpus = await Corpus.of(
        world(),
        { text: 'same', vector: [1, 0, 0] },
        { text: 'near', vector: [3, 4, 0] },
        { text: 'far', vector: [0.1, 1, 0] },
        { text: 'opposite', vector: [-1, 0, 0] },
        'without a vector',
      )
      const { candidates, total } = await corpus.candidates('zebra', { vector: [1, 0, 0], floor: 0.2 })
      const cosines = new Map(candidates.map(({ memoryId, cosine }) => [corpus.textOf(memoryId), cosine]))
      expect([...cosines.keys()].sort()).toEqual(['near', 'same'])
      expect(cosines.get('same')).toBeCloseTo(1, 3)
      expect(cosines.get('near')).toBeCloseTo(0.6, 3)
      expect(total).toBe(2)
    })

    test('completes the cosine of candidates by words alone', async () => {
      const corpus = await Corpus.of(world(), { text: 'zebra far away', vector: [-1, 1] }, 'zebra without a vector')
      const { candidates } = await corpus.candidates('zebra', { vector: [1, 1], floor: 0.2 })
      const cosines = new Map(candidates.map(({ memoryId, cosine }) => [corpus.textOf(memoryId), cosine]))
      expect(cosines.get('zebra far away')).toBeCloseTo(0, 3)
      expect(cosines.get('zebra without a vector')).toBeNull()
    })

    test('never compares vectors of different models', async () => {
      const corpus = await Corpus.of(world(), { text: 'near', vector: [1, 0] })
      expect(await corpus.found('zebra', { vector: [1, 0], model: 31_999 })).toEqual([])
    })

    test('a replaced document has no vector until it gets a new one', async () => {
      const corpus = await Corpus.of(world())
      const [memoryId = ''] = await corpus.add({ text: 'old text', vector: [1, 0] })
      await corpus.add({ text: 'new text', fields: { memoryId } })
      expect(await corpus.found('zebra', { vector: [1, 0] })).toEqual([])
    })

    test('a document that is replaced with the same text keeps its vectors, and passes the filters of its new fields', async () => {
      const corpus = await Corpus.of(world())
      const fields = { priority: 'LOW' as const, categories: ['home'], createdAt: new Date('2026-01-01T00:00:00.000Z') }
      const [memoryId = ''] = await corpus.add({ text: 'the text', vector: [1, 0], fields })
      const changed = {
        priority: 'HIGH' as const,
        categories: ['work'],
        createdAt: new Date('2026-02-01T00:00:00.000Z'),
      }
      await corpus.add({ text: 'the text', isSame: true, fields: { ...changed, memoryId } })
      const found = (filter: MemoryFilter) => corpus.found('zebra', { vector: [1, 0], filter })
      const fitting = [{ priorities: ['HIGH'] }, { categories: ['work'] }, { createdAfter: changed.createdAt }] as const
      const others = [{ priorities: ['LOW'] }, { categories: ['home'] }, { createdBefore: fields.createdAt }] as const
      expect(await Promise.all(fitting.map(found))).toEqual([['the text'], ['the text'], ['the text']])
      expect(await Promise.all(others.map(found))).toEqual([[], [], []])
    })

    test('a vector of a document that is not indexed is ignored', async () => {
      const corpus = await Corpus.of(world(), 'only this')
      const stray = '00000000-0000-7000-8000-000000000001'
      await corpus.write((tx, engine) =>
        engine.setEmbeddings(tx, corpus.workspaceId, 32_000, new Map([[stray, Float32Array.of(1, 0)]])),
      )
      expect(await corpus.found('zebra', { vector: [1, 0] })).toEqual([])
    })

    test('stores vectors of several models and lengths until all but one are removed', async () => {
      const corpus = await Corpus.of(world())
      const [memoryId = '', other = ''] = await corpus.add(
        { text: 'both', vector: [1, 0, 0] },
        { text: 'other', vector: [0, 1, 0] },
      )
      const vectors = new Map([memoryId, other].map(id => [id, Float32Array.of(0, 1)]))
      await corpus.write((tx, engine) => engine.setEmbeddings(tx, corpus.workspaceId, 31_998, vectors))
      expect(await corpus.found('zebra', { vector: [1, 0, 0] })).toEqual(['both'])
      expect(await corpus.found('zebra', { vector: [0, 1], model: 31_998 })).toEqual(['both', 'other'])
      await corpus.write((tx, engine) => engine.keepEmbeddings(tx, corpus.workspaceId, 31_998, [memoryId]))
      expect(await corpus.found('zebra', { vector: [1, 0, 0] })).toEqual([])
      expect(await corpus.found('zebra', { vector: [0, 1, 0] })).toEqual(['other'])
      expect(await corpus.found('zebra', { vector: [0, 1], model: 31_998 })).toEqual(['both', 'other'])
    })

    test.each([2048, 3072, 4096])(
      'stores and compares vectors of %i dimensions, and those of passages',
      async length => {
        // No pattern repeats, so that nothing of a vector can be compressed.
        const waves = (pace: number) => Array.from({ length }, (_, n) => Math.sin(pace * n))
        const corpus = await Corpus.of(
          world(),
          { text: 'near', vector: waves(1), passages: [waves(2), waves(1)] },
          { text: 'far', vector: waves(2) },
        )
        const question = { vector: waves(1), floor: 0.2 }
        const { candidates } = await corpus.candidates('zebra', question)
        expect(candidates.map(({ memoryId }) => corpus.textOf(memoryId))).toEqual(['near'])
        expect(candidates[0]?.cosine).toBeCloseTo(1, 3)
        const passages = await corpus.write((tx, engine) => engine.nearestPassages(tx, corpus.query('zebra', question)))
        expect([...passages.values()].map(({ start, end }) => [start, end])).toEqual([[10, 20]])
      },
    )

    test('a quotation or a hyphen takes nothing from the matches by meaning', async () => {
      const corpus = await Corpus.of(
        world(),
        { text: 'red apples', vector: [1, 0] },
        { text: 'green apples', vector: [1, 0] },
      )
      for (const query of ['fruit -green', '"green apples"', '"a phrase of no text"']) {
        expect(await corpus.found(query, { vector: [1, 0] })).toEqual(['green apples', 'red apples'])
      }
    })
  })
}

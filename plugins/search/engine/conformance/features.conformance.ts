import { describe, expect, test } from 'bun:test'
import { Corpus, type EngineWorld } from './corpus.test-support.ts'

/** A candidate must carry every input of the ranker, exactly. */
export function featuresConformance(world: () => EngineWorld): void {
  describe('features', () => {
    test('include positions of terms, the length and the ranking columns', async () => {
      const [createdAt, saidAt] = [new Date('2026-05-05T05:05:05.005Z'), new Date('2024-05-05T05:05:05.005Z')]
      const corpus = await Corpus.of(world(), {
        text: "the dogs chase a dog and O'Brien",
        fields: { priority: 'HIGH', userId: 'bob', sessionId: 's', createdAt, saidAt },
      })
      const { candidates } = await corpus.candidates("dog o'brien zebra")
      expect(candidates).toHaveLength(1)
      expect(candidates[0]).toMatchObject({
        length: 8,
        priority: 'HIGH',
        userId: 'bob',
        sessionId: 's',
        sessionPosition: 0,
        statedAt: saidAt,
        isDated: true,
        cosine: null,
      })
      expect(candidates[0]?.positions.get('dog')).toEqual([2, 5])
      expect(candidates[0]?.positions.has('zebra')).toBe(false)
    })

    test('speakers are recognised by their full name or its first word', async () => {
      const thrice = (name: string) => ['hello', 'yes', 'bye'].map(word => `${name}: ${word}`)
      const corpus = await Corpus.of(world(), ...['Ada', 'Bob Byron', 'Adam', 'no one'].flatMap(thrice), 'Rent: 900')
      await Corpus.of(world(), ...thrice('Zoe'))
      const speakers = (...names: string[]) =>
        corpus.write((tx, engine) => engine.speakers(tx, corpus.workspaceId, names))
      expect(await speakers('ada', 'bob', 'byron', 'ad', 'no', 'zoe', 'rent', "'", '\\"')).toEqual(['ada', 'bob byron'])
      expect(await speakers()).toEqual([])
      await corpus.remove('Ada: hello')
      expect(await speakers('ada')).toEqual([])
    })

    test('positions of a word that occurs a thousand times are bounded', async () => {
      const corpus = await Corpus.of(world(), 'echo '.repeat(1000))
      const { candidates } = await corpus.candidates('echo')
      expect(candidates[0]?.length).toBe(1000)
      expect(candidates[0]?.positions.get('echo')?.length).toBeGreaterThan(200)
    })

    test('places in a session follow the input order over several writes, counted per user', async () => {
      const corpus = await Corpus.of(world())
      const session = (text: string, userId: string) => ({ text, fields: { sessionId: 'same', userId } })
      await corpus.add(session('turn one', 'ada'), session('turn two', 'ada'), session('turn one of bob', 'bob'))
      await corpus.add(session('turn three', 'ada'), 'turn of none')
      const { candidates } = await corpus.candidates('turn')
      const places = new Map(
        candidates.map(({ memoryId, sessionPosition }) => [corpus.textOf(memoryId), sessionPosition]),
      )
      expect(Object.fromEntries(places)).toEqual({
        'turn one': 0,
        'turn two': 1,
        'turn three': 2,
        'turn one of bob': 0,
        'turn of none': null,
      })
    })

    test('a replaced document keeps its place in the session', async () => {
      const corpus = await Corpus.of(world())
      const [memoryId = ''] = await corpus.add({ text: 'turn one', fields: { sessionId: 's' } })
      await corpus.add({ text: 'turn two', fields: { sessionId: 's' } })
      await corpus.add({ text: 'turn one again', fields: { memoryId, sessionId: 's' } })
      const { candidates } = await corpus.candidates('turn one again')
      const changed = candidates.find(candidate => candidate.memoryId === memoryId)
      expect(changed?.sessionPosition).toBe(0)
    })

    test('document frequencies are exact after every write', async () => {
      const corpus = await Corpus.of(world(), 'cat and dog', 'cat', 'a bird sings')
      const [memoryId = ''] = await corpus.add('cat cat cat')
      expect((await corpus.candidates('cat dog zebra')).corpus).toEqual({
        documents: 4,
        averageLength: (3 + 1 + 3 + 3) / 4,
        hasPassages: false,
        documentFrequency: new Map([
          ['cat', 3],
          ['dog', 1],
          ['zebra', 0],
        ]),
      })
      await corpus.add({ text: 'a dog', fields: { memoryId } })
      await corpus.remove('cat')
      const { corpus: statistics } = await corpus.candidates('cat dog')
      expect(statistics.documents).toBe(3)
      expect(statistics.averageLength).toBeCloseTo((3 + 3 + 2) / 3, 10)
      expect(Object.fromEntries(statistics.documentFrequency)).toEqual({ cat: 1, dog: 2 })
    })
  })
}

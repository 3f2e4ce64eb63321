import { describe, expect, test } from 'bun:test'
import { Corpus, type EngineWorld } from './corpus.test-support.ts'

/** Words must match at once, exactly, and in any script. */
export function wordsConformance(world: () => EngineWorld): void {
  describe('words', () => {
    test('a document is found once its transaction has committed, and by no other workspace', async () => {
      const corpus = await Corpus.of(world(), 'Ada drinks green tea')
      const other = await Corpus.of(world(), 'Bob drinks coffee')
      expect(await corpus.found('tea', { mode: 'keyword' })).toEqual(['Ada drinks green tea'])
      expect(await other.found('tea', { mode: 'keyword' })).toEqual([])
      expect(await other.found('drinks tea')).toEqual(['Bob drinks coffee'])
    })

    test.each([
      ['running shoes', ['He runs in old shoes', 'She ran; her shoes were red']],
      ['"running"', ['Running is fun']],
      ['"old shoes"', ['He runs in old shoes']],
      ['shoes -red', ['He runs in old shoes']],
      ['"old shoes" OR fun', ['He runs in old shoes', 'Running is fun']],
      ['run zebra', []],
      ['-run', []],
      ['!!!', []],
    ])('keyword mode finds %p in exactly the texts that contain it', async (query, expected) => {
      const corpus = await Corpus.of(world(), 'He runs in old shoes', 'She ran; her shoes were red', 'Running is fun')
      expect(await corpus.found(query, { mode: 'keyword' })).toEqual(expected)
    })

    test.each([
      ['src/queue/worker.ts', 'Fixed src/queue/worker.ts today'],
      ['TS2345', 'error TS2345: not assignable'],
      ['v4.1.12', 'upgraded to v4.1.12'],
      ['getUserById', 'call getUserById() first'],
      ['C++', 'written in C++'],
      ["O'Brien\\x", "met O'Brien\\x at noon"],
      ['寿司', '東京で寿司を食べるのが好きです'],
      ['커피', '아침에 커피를 마신다'],
      ['กาแฟ', 'ฉันชอบดื่มกาแฟตอนเช้า'],
    ])('finds %p as it was typed', async (query, text) => {
      const corpus = await Corpus.of(world(), text, 'something else entirely')
      expect(await corpus.found(query, { mode: 'keyword' })).toEqual([text])
    })

    test('hybrid mode needs one term, of a quotation too', async () => {
      const corpus = await Corpus.of(world(), 'red apples', 'apples and pears', 'plums', 'green pears')
      expect(await corpus.found('apples plums')).toEqual(['apples and pears', 'plums', 'red apples'])
      expect(await corpus.found('plums "red pears"')).toEqual([
        'apples and pears',
        'green pears',
        'plums',
        'red apples',
      ])
      expect(await corpus.found('plums -pears')).toEqual(['apples and pears', 'green pears', 'plums'])
    })

    test('exclusions alone find everything else of the workspace, behind any filter', async () => {
      const corpus = await Corpus.of(
        world(),
        'red apples',
        { text: 'green pears', fields: { userId: 'bob', metadata: { n: 1 } } },
        { text: 'yellow plums', fields: { metadata: { n: 1 } } },
        { text: 'plums of yesterday', fields: { expiresAt: new Date(Date.now() - 1000) } },
      )
      await Corpus.of(world(), 'blue plums of another workspace')
      const others = (query: string, filter = {}) => corpus.found(query, { mode: 'keyword', filter })
      expect(await others('-apples')).toEqual(['green pears', 'yellow plums'])
      expect(await others('-apple -"green pears"')).toEqual(['yellow plums'])
      expect(await others('-"pears green" -plum')).toEqual(['green pears', 'red apples'])
      expect(await others('-apples', { userId: 'bob' })).toEqual(['green pears'])
      expect(await others('-pears', { metadata: [{ path: ['n'], op: 'eq', value: 1 }] })).toEqual(['yellow plums'])
    })

    test('a replaced document is found by its new words alone', async () => {
      const corpus = await Corpus.of(world())
      const [memoryId] = await corpus.add('the cat sleeps')
      await corpus.add({ text: 'the dog barks', fields: memoryId ? { memoryId } : {} })
      expect(await corpus.found('cat', { mode: 'keyword' })).toEqual([])
      expect(await corpus.found('dog', { mode: 'keyword' })).toEqual(['the dog barks'])
    })

    test('a document without any words is one, and takes the place of the former', async () => {
      const corpus = await Corpus.of(world())
      const [memoryId] = await corpus.add('the cat sleeps')
      await corpus.add({ text: '!!!', vector: [1, 0], fields: memoryId ? { memoryId } : {} })
      expect(await corpus.found('cat', { mode: 'keyword' })).toEqual([])
      expect(await corpus.found('dog', { vector: [1, 0] })).toEqual(['!!!'])
    })

    test('a removed document is not found', async () => {
      const corpus = await Corpus.of(world(), { text: 'one cat', vector: [1, 0] }, { text: 'two cats', vector: [1, 0] })
      await corpus.remove('one cat')
      expect(await corpus.found('cat', { vector: [1, 0] })).toEqual(['two cats'])
    })
  })
}

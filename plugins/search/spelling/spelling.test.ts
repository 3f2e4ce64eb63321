import { beforeAll, describe, expect, test } from 'bun:test'
import type { Client, Json } from '../../../test/support/client.ts'
import { service } from '../../../test/support/service.ts'
import { until } from '../../../test/support/wait.ts'

const TEXTS = {
  garden: 'Ada spends every weekend gardening behind the cottage',
  lisbon: 'The conference takes place in Lisbon',
  restaurant: 'A new restaurant opened near the harbour',
  code: 'The build fails with error TS2345 in worker.ts',
  german: 'Die Geburtstagsfeier war im Schrebergarten der Großeltern',
  russian: 'Мы купили новый холодильник в большом магазине',
  ukrainian: 'Уночі цвіркун співав у траві',
  georgian: 'გამარჯობა ყველას',
}

async function found(client: Client, query: string, mode: string): Promise<string[]> {
  const { body } = await client.get('/v1/memories/search', { query: { query, mode } })
  return body.data.map((memory: { memory: string }) => memory.memory)
}

describe('typing errors', () => {
  let client: Client
  // These texts have another topic, so that nothing is found by meaning alone.
  beforeAll(async () => {
    const account = await (await service()).account()
    client = account.client
    await client.post('/v1/memories/batch', { memories: Object.values(TEXTS).map(memory => ({ memory })) })
    await until('the words are counted', async () => (await found(client, 'gardning', 'hybrid'))[0] === TEXTS.garden)
  })

  test.each([
    ['gardning', TEXTS.garden],
    ['agrdening', TEXTS.garden],
    ['grdeening', TEXTS.garden],
    ['cotage', TEXTS.garden],
    ['cottges', TEXTS.garden],
    ['ottage', TEXTS.garden],
    ['Lisbin', TEXTS.lisbon],
    ['Lsibon', TEXTS.lisbon],
    ['restuarant', TEXTS.restaurant],
    ['restorant', TEXTS.restaurant],
    ['habrour', TEXTS.restaurant],
    ['Geburtstgasfeier', TEXTS.german],
    ['Schrebergraten', TEXTS.german],
    ['холодильинк', TEXTS.russian],
    ['могазин', TEXTS.russian],
    ['цверкун', TEXTS.ukrainian],
    ['გარარჯობა', TEXTS.georgian],
  ])('%s is corrected in hybrid mode, and in no other', async (query, text) => {
    expect((await found(client, query, 'hybrid'))[0]).toBe(text)
    expect(await found(client, query, 'keyword')).toEqual([])
  })

  test.each([['TS2344'], ['"gardning"'], ['gardxxxg'], ['wrker.ts'], ['libn']])(
    '%s is taken as it stands',
    async query => {
      const { body } = await client.post('/v1/memories/search', { query, mode: 'hybrid' })
      const byWords = body.data.filter(
        (memory: { memory: string }) => memory.memory === TEXTS.garden || memory.memory === TEXTS.code,
      )
      const exact = await client.post('/v1/memories/search', { query, mode: 'semantic' })
      expect(byWords.length).toBeLessThanOrEqual(exact.body.data.length)
    },
  )

  test('a word that occurs is never replaced, and a correction does not count as containing every term', async () => {
    await client.post('/v1/memories', { memory: 'The cottas of the region' })
    await until('it is counted', async () => (await found(client, 'cottas', 'hybrid')).length > 0)
    const [first] = await found(client, 'cottas', 'hybrid')
    expect(first).toBe('The cottas of the region')
    const { body } = await client.get('/v1/memories/search', { query: { query: 'Lisbin', mode: 'hybrid' } })
    const exact = await client.get('/v1/memories/search', { query: { query: 'Lisbon', mode: 'hybrid' } })
    expect(exact.body.data[0].relevance).toBe('HIGH')
    expect(body.data[0].score).toBeLessThan(exact.body.data[0].score)
  })

  test('an ordinary word that no text contains is kept, except for its other spelling', async () => {
    const { client } = await (await service()).account()
    const texts = ['Remember to tune the piano', 'Sarah painted the harbor', 'The hikers were organized']
    await client.post('/v1/memories/batch', { memories: texts.map(memory => ({ memory })) })
    /** Returns the memories that contain a correction of a query word. */
    const byWords = async (query: string) => {
      const { body } = await client.get('/v1/memories/search', { query: { query, explain: true } })
      return body.data
        .filter(({ explanation }: Json) => explanation.terms.some(({ occurrences }: Json) => occurrences > 0))
        .map(({ memory }: Json) => memory)
    }
    await until('the words are counted', async () => (await byWords('pianno')).length > 0)
    const { body } = await client.get('/v1/memories/search', { query: { query: 'pianno', explain: true } })
    expect(body.data[0].explanation.terms).toMatchObject([{ term: 'pianno', matched: ['piano'], occurrences: 1 }])
    for (const [query, text] of [
      ['harbour', texts[1]],
      ['Sara', texts[1]],
      ['organised', texts[2]],
    ]) {
      expect([query, await byWords(query ?? '')]).toEqual([query, [text]])
    }
    for (const query of ['June', 'December', 'state', 'larger', 'pointed']) {
      expect([query, await byWords(query)]).toEqual([query, []])
    }
  })

  test('a word is corrected however many others of the workspace begin like it', async () => {
    const { client } = await (await service()).account()
    // All of them come before it in the dictionary.
    const others = Array.from({ length: 1100 }, (_, n) => {
      const letters = [n % 17, Math.floor(n / 17) % 17, Math.floor(n / 289)].map(at => 97 + at)
      return `co${String.fromCharCode(...letters)}xq`
    })
    const memories = ['Her correspondence lies on the piano', ...chunksOf(others, 100).map(words => words.join(' '))]
    await client.post('/v1/memories/batch', { memories: memories.map(memory => ({ memory })) })
    const corrected = async (query: string) => {
      const { body } = await client.get('/v1/memories/search', { query: { query, explain: true } })
      return body.data
        .flatMap(({ explanation }: Json) => explanation.terms)
        .flatMap(({ matched }: Json) => matched ?? [])
    }
    await until('the words are counted', async () => (await corrected('pianno')).length > 0)
    // Each of them has its error in another place.
    for (const query of ['corespondence', 'correspondnece', 'corrrespondence', 'cortespondence', 'coorespondence']) {
      expect([query, await corrected(query)]).toEqual([
        query,
        expect.arrayContaining([expect.stringMatching(/^correspond(ence)?$/)]),
      ])
    }
  })
})

function chunksOf<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, n) => items.slice(n * size, (n + 1) * size))
}

import { beforeAll, describe, expect, test } from 'bun:test'
import type { Client, Json } from '../support/client.ts'
import { ISO, processed, type Subject, subject, UUID } from './subject.ts'

let service: Subject
let client: Client

const TEXTS = {
  tea: 'Ada drinks green tea every morning before work.',
  invoice: 'Invoice INV-2024-0042 was paid by bank transfer.',
  typescript: 'The build fails with TS2345 in src/queue/worker.ts since v4.1.12.',
  rent: 'Die Miete für die Wohnung in Lissabon steigt im Mai.',
  sushi: '明日の会議は東京駅の近くの寿司屋で行います。',
  running: 'Grace was running along the river with her dogs.',
} as const

const ids: Record<string, string> = {}
const nameOf = (id: string) => Object.entries(ids).find(([, known]) => known === id)?.[0]
const names = (response: Json): (string | undefined)[] => response.body.data.map((memory: Json) => nameOf(memory.id))

const METADATA: Record<string, object> = {
  tea: { lang: 'en', pages: 3, source: { kind: 'note' }, draft: true },
  invoice: { lang: 'en', pages: 12, source: { kind: 'mail' }, paid: '2024-05-01' },
  rent: { lang: 'de', pages: 1, source: { kind: 'note' } },
}

beforeAll(async () => {
  service = await subject()
  client = (await service.account()).client
  for (const [name, memory] of Object.entries(TEXTS)) {
    const user_id = name === 'tea' ? 'ada' : 'default'
    const body = {
      memory,
      user_id,
      metadata: METADATA[name] ?? null,
      priority: name === 'rent' ? 'HIGH' : 'MEDIUM',
      categories: [name],
    }
    const response = await client.post('/v1/memories', body)
    ids[name] = response.body.id
  }
  for (const id of Object.values(ids)) await processed(client, id)
})

const search = (search: string, mode: string, more: object = {}) =>
  client.get('/v1/memories', { query: { search, mode, ...more } })

describe('a search', () => {
  test('answers with scores, the relevance, metadata and a name for the query', async () => {
    const { status, body } = await search('what does Ada drink', 'hybrid')
    expect(status).toBe(200)
    const { data, total, query_hash, ...envelope } = body
    expect(envelope).toMatchObject({ page: 1, page_size: 10 })
    expect(query_hash).toMatch(/^\S{1,64}$/)
    expect(total).toBe(data.length)
    expect(nameOf(data[0].id)).toBe('tea')
    expect(data[0]).toMatchObject({ memory: TEXTS.tea, metadata: METADATA.tea, user_id: 'ada', source: 'API' })
    for (const memory of data) {
      expect(memory.score >= 0 && memory.score <= 1).toBe(true)
      const relevance = memory.score >= 0.66 ? 'HIGH' : memory.score >= 0.33 ? 'MEDIUM' : 'LOW'
      // A first result that holds every term is HIGH whatever its score.
      if (memory !== data[0]) expect(memory.relevance).toBe(relevance)
    }
    const scores = data.map((memory: Json) => memory.score)
    expect(scores).toEqual(scores.toSorted((a: number, b: number) => b - a))
    expect(data[0]).toMatchObject({ id: UUID, created_at: ISO, updated_at: ISO })
  })

  test('finds a paraphrase by meaning, in semantic and hybrid mode', async () => {
    for (const mode of ['semantic', 'hybrid']) {
      expect(names(await search('favourite hot beverage at breakfast', mode))[0]).toBe('tea')
      expect(names(await search('jogging near the water with pets', mode))[0]).toBe('running')
    }
  })

  test('finds words as typed: identifiers, versions, paths, codes', async () => {
    for (const mode of ['keyword', 'hybrid'])
      for (const word of ['TS2345', 'src/queue/worker.ts', 'v4.1.12', 'INV-2024-0042'])
        expect([mode, word, names(await search(word, mode))[0]]).toEqual([
          mode,
          word,
          word.startsWith('INV') ? 'invoice' : 'typescript',
        ])
  })

  test('finds texts in languages with other inflections and without spaces', async () => {
    expect(names(await search('寿司', 'keyword'))).toEqual(['sushi'])
    expect(names(await search('東京駅', 'hybrid'))[0]).toBe('sushi')
    expect(names(await search('Wohnung', 'keyword'))).toEqual(['rent'])
  })

  test('by keyword wants every term, in any of its inflected forms', async () => {
    expect(names(await search('river dog', 'keyword'))).toEqual(['running'])
    expect(names(await search('run along rivers', 'keyword'))).toEqual(['running'])
    expect(names(await search('river elephant', 'keyword'))).toEqual([])
  })

  test('understands phrases, exclusions and OR', async () => {
    expect(names(await search('"green tea"', 'keyword'))).toEqual(['tea'])
    expect(names(await search('"tea green"', 'keyword'))).toEqual([])
    expect(names(await search('invoice OR river', 'keyword')).toSorted()).toEqual(['invoice', 'running'])
    expect(names(await search('invoice OR river -bank', 'keyword'))).toEqual(['running'])
    expect(names(await search('"runs"', 'keyword'))).toEqual([])
  })

  test('takes phrases and hyphens for text where meaning counts, as the operators are of keyword mode', async () => {
    for (const mode of ['hybrid', 'semantic']) {
      expect(names(await search('drinks in the morning, as in "a phrase of no text"', mode))[0]).toBe('tea')
      expect(names(await search('which drink -tea', mode))).toContain('tea')
    }
  })

  test('takes every filter in every mode', async () => {
    for (const mode of ['hybrid', 'semantic', 'keyword']) {
      expect(names(await search('tea', mode, { user_id: 'default' }))).not.toContain('tea')
      expect(names(await search('tea', mode, { user_id: 'ada' }))).toEqual(['tea'])
      expect(names(await search('tea', mode, { categories: 'tea,rent' }))).toContain('tea')
      expect(names(await search('Wohnung', mode, { priorities: 'HIGH' }))).toEqual(['rent'])
      expect(names(await search('tea', mode, { created_after: '2199-01-01' }))).toEqual([])
    }
  })

  test('comes in pages that neither repeat nor drop anything', async () => {
    const all = names(await search('invoice OR river OR tea OR Miete', 'keyword', { page_size: 100 }))
    expect(all).toHaveLength(4)
    const paged = []
    for (let page = 1; page <= 4; page++)
      paged.push(...names(await search('invoice OR river OR tea OR Miete', 'keyword', { page, page_size: 1 })))
    expect(paged).toEqual(all)
    const beyond = await search('tea', 'keyword', { page: 5 })
    expect(beyond.body).toMatchObject({ data: [], page: 5, total: 1 })
  })

  test('with expand never loses what it finds without', async () => {
    for (const query of ['what does Ada drink', 'jogging', 'INV-2024-0042']) {
      const plain = names(await search(query, 'hybrid'))
      const expanded = names(await search(query, 'hybrid', { expand: true }))
      expect(plain.length === 0 || expanded.length > 0).toBe(true)
      expect(expanded[0]).toBe(plain[0])
    }
  })

  test('finds a memory by its words the moment it is accepted', async () => {
    const { body } = await client.post('/v1/memories', { memory: 'The xylograph hangs in the hall.' })
    for (const mode of ['keyword', 'hybrid']) {
      const found = await search('xylograph', mode)
      expect(found.body.data.map((memory: Json) => memory.id)).toContain(body.id)
    }
  })

  test('is refused when it is too long, blank or of an unknown mode', async () => {
    expect((await search('x'.repeat(1000), 'keyword')).status).toBe(200)
    for (const text of ['x'.repeat(1001), ' ', '']) expect((await search(text, 'hybrid')).status).toBe(400)
    expect((await search('x', 'exact')).status).toBe(400)
    expect((await client.get('/v1/memories', { query: { search: '😀'.repeat(1000) } })).status).toBe(200)
  })

  test('of odd text finds nothing or something, and never fails', async () => {
    const odd = [
      '"',
      '-',
      '- -',
      'OR',
      'OR OR',
      '""',
      '"unclosed',
      '-"x',
      '***',
      ':*',
      'a & b | !c',
      '(((',
      '<->',
      '\\',
      "'",
      '%_',
      '💥💥',
      '-tea',
    ]
    for (const text of odd)
      for (const mode of ['hybrid', 'semantic', 'keyword'])
        expect([text, mode, (await search(text, mode)).status]).toEqual([text, mode, 200])
  })
})

describe('the separate search endpoints', () => {
  const post = (body: object) => client.post('/v1/memories/search', body)

  test('answer like the list', async () => {
    const listed = await search('green tea', 'hybrid')
    const posted = await post({ query: 'green tea' })
    const got = await client.get('/v1/memories/search', { query: { query: 'green tea', mode: 'hybrid' } })
    for (const response of [posted, got]) {
      expect(response.status).toBe(200)
      expect(names(response)).toEqual(names(listed))
      expect(Object.keys(response.body).toSorted()).toEqual(['data', 'page', 'page_size', 'query_hash', 'total'])
    }
  })

  test('take limit in place of page_size, ten when left out', async () => {
    expect((await post({ query: 'tea' })).body.page_size).toBe(10)
    expect((await post({ query: 'tea', limit: 1 })).body).toMatchObject({ page: 1, page_size: 1 })
    const got = await client.get('/v1/memories/search', { query: { query: 'tea', limit: 3, page: 2, user_id: 'ada' } })
    expect(got.body).toMatchObject({ page: 2, page_size: 3 })
    for (const limit of [0, 101, 1.5, '10'])
      expect([limit, (await post({ query: 'tea', limit })).status]).toEqual([limit, 400])
  })

  test('filter by the fields of a memory', async () => {
    expect(
      names(await post({ query: 'tea', user_id: 'ada', categories: ['tea'], priority: 'MEDIUM', mode: 'keyword' })),
    ).toEqual(['tea'])
    expect(names(await post({ query: 'tea', user_id: 'bob' }))).toEqual([])
  })

  const filters: [filter: object, expected: string[]][] = [
    [{ lang: 'en' }, ['invoice', 'tea']],
    [{ lang: { ne: 'en' } }, ['rent']],
    [{ pages: { gte: 3 } }, ['invoice', 'tea']],
    [{ pages: { gt: 3, lt: 100 } }, ['invoice']],
    [{ pages: { lte: 3 } }, ['rent', 'tea']],
    [{ 'source.kind': 'note' }, ['rent', 'tea']],
    [{ 'source.kind': { in: ['mail', 'fax'] } }, ['invoice']],
    [{ draft: { exists: true } }, ['tea']],
    [{ draft: { exists: false }, lang: { exists: true } }, ['invoice', 'rent']],
    [{ draft: true }, ['tea']],
    [{ lang: 'en', 'source.kind': 'note' }, ['tea']],
    [{ pages: '3' }, []],
    [{ paid: { gte: '2024-01-01' } }, ['invoice']],
  ]
  for (const [filter, expected] of filters) {
    test(`filter metadata by ${JSON.stringify(filter)}`, async () => {
      for (const mode of ['keyword', 'hybrid']) {
        const response = await post({ query: 'tea OR invoice OR Miete', filter, mode, limit: 100 })
        const found = names(response).filter(name => name && name in METADATA)
        // Memories without metadata may pass a "not" in no mode that names a key they lack.
        expect([mode, found.toSorted()]).toEqual([mode, expected])
      }
    })
  }

  test('refuse a filter they do not understand, and no query', async () => {
    for (const filter of ['x', [], { a: { like: 'x' } }, { a: { in: 'x' } }, { a: { exists: 'yes' } }, { a: {} }])
      expect([filter, (await post({ query: 'x', filter })).status]).toEqual([filter, 400])
    for (const body of [
      {},
      { query: '' },
      { query: 7 },
      { query: 'x'.repeat(1001) },
      { query: 'x', search: 'y' },
      { query: 'x', mode: 'x' },
    ])
      expect([body, (await post(body)).status]).toEqual([body, 400])
    expect((await client.get('/v1/memories/search')).status).toBe(400)
  })
})

test('nothing of another workspace is ever found', async () => {
  const other = await service.account()
  for (const mode of ['hybrid', 'semantic', 'keyword'])
    expect((await other.client.get('/v1/memories', { query: { search: 'green tea', mode } })).body).toMatchObject({
      total: 0,
      data: [],
    })
})

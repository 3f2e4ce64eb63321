import { beforeAll, describe, expect, test } from 'bun:test'
import { EmbedderUnavailableError, type Tenant, type Tx } from 'mneme/plugin'
import { createLog } from '../../../core/log.ts'
import { service } from '../../../test/support/service.ts'
import type { ListedMemory, SearchRequest } from '../../memories/contract.ts'
import type { EndedRequest, MemoryEvidence } from '../contract.ts'
import { Corpus } from '../engine/conformance/corpus.test-support.ts'
import { storedVectorType } from '../engine/postgres/embeddings.ts'
import { openPostgresEngine } from '../engine/postgres/index.ts'
import { localExpansion } from '../expansion/local.test-support.ts'
import { Learned, recordSignal } from '../feedback/feedback.ts'
import { englishOnly } from '../languages/english.test-support.ts'
import { QueryLog } from '../log/query-log.ts'
import { queryHash } from '../query/prepare.ts'
import { noReranking } from '../reranking/rerank.ts'
import { type SearchServices, search } from './search.ts'

// Starting the service takes seconds, so it happens outside the tests' time limits.
beforeAll(() => service())

const request = (query: string, fields: Partial<SearchRequest> = {}): SearchRequest => ({
  query,
  mode: 'hybrid',
  expand: false,
  timezone: 'UTC',
  filter: {},
  page: 1,
  pageSize: 10,
  ...fields,
})

/** Runs the real engine with a reader over the corpus and a model controlled by the test. */
async function world(
  embedder: SearchServices['embedder'],
  ended: SearchServices['ended'] = () => [],
  connected: ReadonlyMap<string, MemoryEvidence> = new Map(),
) {
  const { database } = await service()
  const engine = await openPostgresEngine(database)
  const vectorType = await storedVectorType(database)
  const corpus = await Corpus.of({ engine, database })
  const counted: string[] = []
  /** The plan mode that each statement of another plugin met. */
  const plans: string[] = []
  const notePlan = async (tx: Tx) => {
    const [row] = await tx<{ mode: string }[]>`select current_setting('plan_cache_mode') as mode`
    plans.push(row?.mode ?? '')
  }
  const evidence = async (tx: Tx) => {
    await notePlan(tx)
    await notePlan(tx)
    return connected
  }
  const log = new QueryLog(database, createLog('silent'))
  const services: SearchServices = {
    engine,
    embedder,
    languages: englishOnly,
    log,
    learned: new Learned(vectorType),
    similarityFloor: 0.2,
    evidence: () => [{ id: 'other', evidence }],
    ended: () =>
      ended().map(source => ({
        ...source,
        ended: async (tx, asked) => {
          await notePlan(tx)
          return source.ended(tx, asked)
        },
      })),
    expansion: localExpansion,
    without: new Set(),
    reranking: noReranking,
    reader: () => ({
      records: async () => [],
      visible: async () => [],
      countVisible: async () => 0,
      listed: async (tx, ids) => {
        await notePlan(tx)
        return new Map(ids.map(id => [id, listed(id, corpus.textOf(id))]))
      },
      statuses: async () => new Map(),
      standing: async () => ({ state: 'VISIBLE', status: 'COMPLETED' }),
      standings: async () => new Map(),
      textAt: async () => undefined,
      holdings: async () => new Map(),
      withFields: async (_, memories) => [...memories],
      countAccess: (_, ids) => counted.push(...ids),
    }),
  }
  const tenant = {
    workspaceId: corpus.workspaceId,
    transaction: work => database.workspace(corpus.workspaceId, work),
  } satisfies Omit<Tenant, 'workspace'> as Tenant
  const run = async (query: string, fields?: Partial<SearchRequest>) => {
    const response = await search(services, tenant, request(query, fields))
    return { ...response, texts: response.data.map(({ memory }) => memory) }
  }
  const judge = (signal: 'POSITIVE' | 'NEGATIVE' | 'NEUTRAL', query: string, memoryId: string) => {
    const given = { workspaceId: corpus.workspaceId, memoryId, signal, queryHash: queryHash(query) }
    services.learned.changed(corpus.workspaceId)
    return tenant.transaction(tx => recordSignal(tx, vectorType, given, undefined, new Date()))
  }
  return { corpus, run, judge, counted, plans, log, database }
}

function listed(id: string, memory: string): ListedMemory {
  return {
    id,
    memory,
    user_id: 'ada',
    agent_id: null,
    session_id: null,
    priority: 'MEDIUM',
    status: 'COMPLETED',
    categories: [],
    metadata: null,
    workspace_id: '',
    source: 'API',
    relevance: 'NONE',
    ended_at: null,
    superseded_by: [],
    newer: [],
    created_at: '',
    updated_at: '',
  }
}

const away: SearchServices['embedder'] = {
  embed: async () => ({ retryAfterSeconds: 7, cause: new EmbedderUnavailableError('away') }),
}
const pointing = (...values: number[]): SearchServices['embedder'] => ({
  embed: async () => ({ vector: { model: 32_000, values: Float32Array.from(values) } }),
})

test('statements of other plugins are planned as in any other transaction', async () => {
  const instead = new Map<string, string[]>()
  const { corpus, run, plans } = await world(pointing(1, 0), () => [{ id: 'other', ended: async () => instead }])
  const [was = '', now = ''] = await corpus.add(
    { text: 'green tea', vector: [1, 0] },
    { text: 'black coffee', vector: [0, 1] },
  )
  instead.set(was, [now])
  expect((await run('tea')).texts).toEqual(['black coffee', 'green tea'])
  expect(plans).toEqual(['auto', 'auto', 'auto', 'auto', 'auto'])
})

test('what another plugin connects with the query is found, however it was judged', async () => {
  const connected = new Map<string, MemoryEvidence>()
  const { corpus, run, judge } = await world(pointing(1, 0), undefined, connected)
  const ids = await corpus.add(
    { text: 'green tea', vector: [1, 0] },
    ...['plain', 'helpful', 'neither', 'unhelpful'].map(text => ({ text, vector: [0.19, 1] })),
  )
  for (const id of ids.slice(1)) connected.set(id, { strength: 0.5, names: ['Ada'] })
  const [, , helpful = '', neither = '', unhelpful = ''] = ids
  await judge('POSITIVE', 'tea', helpful)
  await judge('NEUTRAL', 'tea', neither)
  await judge('NEGATIVE', 'tea', unhelpful)
  const { texts, total } = await run('tea')
  expect([texts.toSorted(), total]).toEqual([['green tea', 'helpful', 'neither', 'plain', 'unhelpful'], 5])
  expect(texts.indexOf('helpful')).toBeLessThan(texts.indexOf('plain'))
  expect(texts.at(-1)).toBe('unhelpful')
})

describe('search without a model', () => {
  test('a hybrid search matches by words and warns', async () => {
    const { corpus, run } = await world(away)
    await corpus.add('green tea', 'black coffee')
    const response = await run('tea please')
    expect(response.texts).toEqual(['green tea'])
    expect(response.warning).toContain('by words only')
  })

  test('a keyword search needs no model', async () => {
    const { corpus, run } = await world(away)
    await corpus.add('green tea')
    const response = await run('tea', { mode: 'keyword' })
    expect(response.texts).toEqual(['green tea'])
    expect(response.warning).toBeUndefined()
  })

  test('a semantic search is 503 with Retry-After', async () => {
    const { run } = await world(away)
    await expect(run('tea', { mode: 'semantic' })).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      retryAfterSeconds: 7,
    })
  })
})

describe('pages', () => {
  test.each(['hybrid', 'semantic', 'keyword'] as const)(
    'every match comes once, in falling scores, also beyond the head (%s)',
    async mode => {
      const { corpus, run } = await world(pointing(1, 0))
      const texts = Array.from({ length: 330 }, (_, n) => ({ text: `item ${n}`, vector: [1, n / 200] }))
      await corpus.add(...texts)
      const seen: string[] = []
      const scores: number[] = []
      let total = 0
      for (let page = 1; page <= 4; page++) {
        const response = await run('item', { mode, page, pageSize: 100 })
        total = response.total
        seen.push(...response.texts)
        for (const { score } of response.data) scores.push(score)
      }
      expect(total).toBe(330)
      expect(seen).toHaveLength(330)
      expect(new Set(seen).size).toBe(330)
      expect(scores).toEqual([...scores].sort((a, b) => b - a))
      expect((await run('item', { mode, page: 5, pageSize: 100 })).data).toEqual([])
    },
  )

  test.each(['hybrid', 'semantic', 'keyword'] as const)(
    'min_score leaves out what scores less, and the total counts the others, also beyond the head (%s)',
    async mode => {
      const { corpus, run } = await world(pointing(1, 0))
      await corpus.add(...Array.from({ length: 330 }, (_, n) => ({ text: `item ${n}`, vector: [1, n / 200] })))
      const all = await Promise.all([1, 2, 3, 4].map(page => run('item', { mode, page, pageSize: 100 })))
      const scores = all.flatMap(({ data }) => data.map(({ score }) => score))
      for (const minScore of [scores[20], scores[250], 1, 0].flatMap(score => score ?? [])) {
        const expected = scores.filter(score => score >= minScore)
        const pages = await Promise.all([1, 2, 3, 4].map(page => run('item', { mode, page, pageSize: 100, minScore })))
        expect(pages.map(({ total }) => total)).toEqual(Array(4).fill(expected.length))
        expect(pages.flatMap(({ data }) => data.map(({ score }) => score))).toEqual(expected)
      }
    },
  )

  test('an odd page size splits head and tail consistently', async () => {
    const { corpus, run } = await world(pointing(1, 0))
    await corpus.add(...Array.from({ length: 300 }, (_, n) => ({ text: `item ${n}`, vector: [1, n / 100] })))
    const pages = await Promise.all([1, 2, 3, 4, 5].map(page => run('item', { page, pageSize: 67 })))
    expect(new Set(pages.flatMap(page => page.texts)).size).toBe(300)
  })
})

describe('results', () => {
  test('a first result with every term is HIGH; relevance follows the score', async () => {
    const { corpus, run } = await world(pointing(1, 0))
    await corpus.add({ text: 'tea', vector: [1, 2] }, { text: 'other', vector: [1, 3] }, 'more tea')
    const { data } = await run('tea')
    expect(data[0]).toMatchObject({ relevance: 'HIGH' })
    expect(data[0]?.score).toBeGreaterThanOrEqual(0.66)
    for (const { score, relevance } of data) {
      expect(relevance).toBe(score >= 0.66 ? 'HIGH' : score >= 0.33 ? 'MEDIUM' : 'LOW')
    }
  })

  test('hits are counted as accesses', async () => {
    const { corpus, run, counted } = await world(away)
    const ids = await corpus.add('tea one', 'tea two')
    await run('tea')
    expect(counted.sort()).toEqual(ids.sort())
  })

  test('expansion adds results and loses none', async () => {
    const { corpus, run } = await world(away)
    await corpus.add('the puppy is in its kennel', 'a puppy and a kennel', 'new paint for the kennel', 'paint is wet')
    const plain = await run('puppy')
    const expanded = await run('puppy', { expand: true })
    expect(plain.texts.sort()).toEqual(['a puppy and a kennel', 'the puppy is in its kennel'])
    expect(expanded.texts.sort()).toEqual([...plain.texts, 'new paint for the kennel'].sort())
    expect((await run('zebra', { expand: true })).data).toEqual([])
    expect((await run('puppy', { expand: true, mode: 'keyword' })).texts.sort()).toEqual(plain.texts)
  })
})

test('what holds instead is found first, as far as the filters let it, without a word in common', async () => {
  const asked: (readonly string[])[] = []
  const instead = new Map<string, readonly string[]>()
  const source = {
    id: 'other',
    ended: async (_: Tx, { memoryIds }: EndedRequest) => {
      asked.push(memoryIds)
      return new Map([...instead].filter(([memoryId]) => memoryIds.includes(memoryId)))
    },
  }
  const { corpus, run } = await world(pointing(1, 0), () => [source])
  const [was = '', , now = '', foreign = ''] = await corpus.add(
    { text: 'home in Berlin', vector: [1, 0] },
    { text: 'home alone', vector: [0.8, 0.6] },
    { text: 'moved to Porto', vector: [0, 1] },
    { text: 'moved to Rome', vector: [0, 1], fields: { userId: 'bob' } },
  )
  instead.set(was, [now, foreign])
  const filter = { userId: 'ada' }
  const { texts, total } = await run('home', { filter })
  expect([texts, total]).toEqual([['moved to Porto', 'home alone', 'home in Berlin'], 3])
  // Nothing is asked about twice.
  expect(new Set(asked.flat()).size).toBe(asked.flat().length)
  for (const query of ['home now', 'home today', 'home this year'])
    expect((await run(query, { filter })).texts[0], query).toBe('moved to Porto')
  asked.length = 0
  for (const other of [{ mode: 'keyword' as const }, { query: 'home in June 2024' }, { query: 'home since 2019' }]) {
    const { query = 'home', ...fields } = { filter, ...other }
    expect((await run(query, fields)).texts).not.toContain('moved to Porto')
  }
  expect(asked).toEqual([])
})

describe('queryHash', () => {
  test('ignores case, spaces and Unicode form, and fits into feedback', () => {
    const hash = queryHash('Café  au lait ')
    expect(queryHash(' café AU\tlait')).toBe(hash)
    expect(queryHash('cafe\u0301 au lait')).toBe(hash)
    expect(queryHash('cafe au lait')).not.toBe(hash)
    expect(hash).toMatch(/^[0-9a-f]{32}$/)
  })
})

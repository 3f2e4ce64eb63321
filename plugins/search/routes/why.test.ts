import { beforeAll, describe, expect, test } from 'bun:test'
import { service, type TestAccount } from '../../../test/support/service.ts'
import { until } from '../../../test/support/wait.ts'
import type { ScoreExplanation } from '../explanation/explain.ts'
import { recompute } from '../ranking/rank.ts'
import type { Balance } from '../ranking/signal.ts'

let account: TestAccount
let ids: Record<'tea' | 'worker' | 'report', string>

beforeAll(async () => {
  account = await (await service()).account()
  const { body } = await account.client.post('/v1/memories/batch', {
    memories: [
      { memory: 'Ada: I drink green tea every morning', user_id: 'ada', session_id: 's', priority: 'HIGH' },
      { memory: 'Bob fixed src/queue/worker.ts', user_id: 'bob' },
      { memory: 'Bob: The report is due on Friday. When do you drink tea?', user_id: 'ada', session_id: 's' },
    ],
  })
  const [tea, worker, report] = body.results.map((result: { memory: { id: string } }) => result.memory.id)
  ids = { tea, worker, report }
  await until('the memories are processed', async () => {
    const memories = await Promise.all(Object.values(ids).map(id => account.client.get(`/v1/memories/${id}`)))
    return memories.every(memory => memory.body.status === 'COMPLETED')
  })
})

/** Recomputes the score with the documented formula from the response alone. */
function recomputed({ balance, ...parts }: ScoreExplanation): number {
  const neighbours = parts.neighbours.map(({ memory_id, ...rest }) => ({ memoryId: memory_id, ...rest }))
  const session = parts.session && { memoryId: parts.session.memory_id, ...parts.session }
  const replaces = parts.replaces && { memoryId: parts.replaces.memory_id, ...parts.replaces }
  return recompute({ ...parts, neighbours, session, replaces }, balance satisfies Balance)
}

describe('explain=true', () => {
  const ask = {
    post: (query: string, fields: object) =>
      account.client.post('/v1/memories/search', { query, ...fields, explain: true }),
    get: (query: string, fields: object) =>
      account.client.get('/v1/memories/search', { query: { query, ...fields, explain: 'true' } }),
    list: (query: string, fields: object) =>
      account.client.get('/v1/memories', { query: { search: query, ...fields, explain: 'true' } }),
  }
  test.each(Object.entries(ask))('%s: the parts make each score again, exactly', async (_, run) => {
    for (const mode of ['hybrid', 'semantic', 'keyword']) {
      for (const query of ['When does Ada drink tea?', 'tea', 'report friday', 'zebra']) {
        const { body } = await run(query, { mode })
        for (const { score, explanation } of body.data) {
          expect(recomputed(explanation)).toBe(explanation.score)
          expect(Math.abs(explanation.score - score)).toBeLessThan(0.000_051)
        }
      }
    }
  })

  test('explains pages beyond the head, which are ranked separately', async () => {
    const { client } = await (await service()).account()
    const priorities = ['LOW', 'MEDIUM', 'HIGH']
    await client.post('/v1/memories/batch', {
      memories: Array.from({ length: 230 }, (_, n) => ({
        memory: `Plover ${n} was seen`,
        priority: priorities[n % 3],
      })),
    })
    const pages = await Promise.all(
      [2, 3].map(page =>
        client.post('/v1/memories/search', { query: 'plover', mode: 'keyword', limit: 100, page, explain: true }),
      ),
    )
    const [last, ...beyond] = pages
      .flatMap(({ body }) => body.data.map(({ explanation }: never) => explanation))
      .slice(99)
    expect(beyond).toHaveLength(30)
    for (const explanation of beyond) {
      expect(recomputed(explanation)).toBe(explanation.score)
      expect(explanation).toMatchObject({ lifted: false, ceiling: last.score })
    }
  })

  test('shows the terms, ranks, neighbours and factors of a score', async () => {
    const { body } = await ask.post('When does Ada drink tea?', { user_id: 'ada' })
    const [first, second] = body.data
    expect([first.id, second.id]).toEqual([ids.tea, ids.report])
    expect(first.explanation.terms.map(({ term }: { term: string }) => term).sort()).toContain('tea')
    expect(first.explanation.ranks).toMatchObject({ words: expect.any(Number), meaning: expect.any(Number) })
    expect(first.explanation.neighbours).toMatchObject([{ memory_id: ids.report, distance: 1 }])
    expect(first.explanation.session).toMatchObject({ memory_id: ids.report, weight: 0.2 })
    expect(first.explanation.priority).toBe(1)
    expect(second.explanation.factors.speaker).toBeLessThan(1)
    expect(second.explanation.factors.asking).toBeLessThan(1)
  })

  test('is omitted by default', async () => {
    const { body } = await account.client.post('/v1/memories/search', { query: 'tea' })
    expect(body.data[0]).not.toHaveProperty('explanation')
  })
})

describe('POST /v1/memories/search/why', () => {
  const why = (fields: object) => account.client.post('/v1/memories/search/why', fields)

  test.each([
    ['as it is given out', (id: string) => id],
    ['in upper case', (id: string) => id.toUpperCase()],
  ])('a result, by its id %s: its place and score', async (_, spelled) => {
    const { status, body } = await why({ query: 'green tea', memory_id: spelled(ids.tea) })
    expect(status).toBe(200)
    expect(body).toMatchObject({ memory_id: ids.tea, found: true, rank: 1, page: 1, relevance: 'HIGH' })
    expect(body.best_score).toBe(body.score)
    expect(body.reasons).toEqual([{ code: 'FOUND', message: 'It is result number 1.' }])
    expect(recomputed(body.explanation)).toBe(body.explanation.score)
  })

  test.each([
    ['a filter', { query: 'tea', user_id: 'bob' }, 'FILTERED', 'user_id'],
    ['a filter on metadata', { query: 'tea', filter: { a: 1 } }, 'FILTERED', 'filter'],
    ['an exclusion', { query: 'tea -morning', mode: 'keyword' }, 'EXCLUDED', 'exclusion'],
    ['a quotation', { query: 'tea "every evening"', mode: 'keyword' }, 'EXCLUDED', 'quotation'],
    ['a missing word', { query: 'tea evening', mode: 'keyword' }, 'NO_MATCH', 'It lacks evening.'],
    ['a missing function word', { query: 'tea for every morning', mode: 'keyword' }, 'NO_MATCH', 'It lacks for.'],
    ['missing alternatives', { query: 'tea evening OR night', mode: 'keyword' }, 'NO_MATCH', 'lacks evening OR night.'],
    ['no likeness', { query: 'quantum chromodynamics lattice' }, 'NO_MATCH', 'below the floor'],
  ])('not a result for %s', async (_, fields, code, word) => {
    const { body } = await why({ ...fields, memory_id: ids.tea })
    expect(body).toMatchObject({ found: false, rank: null, page: null })
    expect(body.reasons).toMatchObject([{ code, message: expect.stringContaining(word) }])
    expect(body.score).toBeWithin(0, 1.0001)
  })

  test('names every filter that excludes it', async () => {
    const { body } = await why({ query: 'tea', user_id: 'bob', priority: 'LOW', memory_id: ids.tea })
    expect(body.reasons.map(({ code }: { code: string }) => code)).toEqual(['FILTERED', 'FILTERED'])
  })

  test('an expired memory', async () => {
    const { body: task } = await account.client.post('/v1/memories', {
      memory: 'Kettle is on',
      layer: 'TASK',
      expires_at: new Date(Date.now() + 4000).toISOString(),
    })
    const codes = await until('it expires', async () => {
      const { body } = await why({ query: 'kettle', memory_id: task.id })
      return body.found ? undefined : body.reasons.map(({ code }: { code: string }) => code)
    })
    expect(codes).toEqual(['EXPIRED'])
  })

  test("404 for another workspace's memory, 400 with every fault", async () => {
    const stranger = await (await service()).account()
    const body = { query: 'tea', memory_id: ids.tea }
    const missing = await stranger.client.post('/v1/memories/search/why', body)
    expect([missing.status, missing.body.error_code]).toEqual([404, 'MEMORY_NOT_FOUND'])
    const bad = await why({ query: ' ', memory_id: 'x', page: 2 })
    expect([bad.status, bad.body.details.map(({ path }: { path: string }) => path).sort()]).toEqual([
      400,
      ['memory_id', 'page', 'query'],
    ])
  })

  test('names a score below min_score', async () => {
    const ask = (min_score?: number) =>
      account.client.post('/v1/memories/search/why', { query: 'green tea', memory_id: ids.report, min_score })
    const { body: found } = await ask()
    expect(found).toMatchObject({ found: true, reasons: [{ code: 'FOUND' }] })
    expect((await ask(found.score)).body).toMatchObject({ found: true, rank: found.rank })
    const { body } = await ask(found.best_score)
    expect(body).toMatchObject({ found: false, rank: null, page: null, total: 1, score: found.score })
    expect(body.reasons).toEqual([{ code: 'BELOW_MIN_SCORE', message: expect.stringContaining(`${found.best_score}`) }])
  })
})

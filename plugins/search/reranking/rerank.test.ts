import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { FAKE_RERANK_KEY, FakeRerank, failure } from '../../../core/models/rerank/fake-rerank.test-support.ts'
import type { Client, Json } from '../../../test/support/client.ts'
import { ownDatabaseUrl } from '../../../test/support/database.ts'
import { type HttpServer, serveHttp } from '../../../test/support/http-server.ts'
import { startService, type TestService } from '../../../test/support/service.ts'
import { until } from '../../../test/support/wait.ts'
import { textsIn } from '../pipeline/long-texts.test-support.ts'

const reranker = new FakeRerank()
let server: HttpServer
let service: TestService
let client: Client
let workspaceId: string

const TEXTS = ['Ada drinks tea.', 'Tea is what Ben drinks.', 'Tea, tea and tea.', 'Cleo drinks water.']

beforeAll(async () => {
  reranker.server = 'tei'
  server = await serveHttp(request => reranker.handle(request))
  service = await startService(
    {
      RERANK_URL: server.origin,
      RERANK_API_KEY: FAKE_RERANK_KEY,
      RERANK_CANDIDATES: '3',
      METRICS_TOKEN: 'metrics-token',
    },
    { url: await ownDatabaseUrl() },
  )
  ;({ client, workspaceId } = await service.account())
  for (const memory of TEXTS) await client.post('/v1/memories', { memory })
  await until('all memories to be processed', async () => {
    const { data } = (await client.get('/v1/memories')).body
    return data.length === TEXTS.length && data.every(({ status }: Json) => status === 'COMPLETED')
  })
})
afterAll(async () => {
  await service.kernel.stop()
  server.close()
})
beforeEach(() => reranker.respond(() => undefined))

async function find(body: object): Promise<Json> {
  const response = await client.post('/v1/memories/search', { mode: 'hybrid', ...body })
  expect(response.status).toBe(200)
  return response.body
}

const textsOf = (body: Json): string[] => body.data.map(({ memory }: Json) => memory)
const scoresOf = (body: Json): number[] => body.data.map(({ score }: Json) => score)

/** Scores the named text best, then the others by their places. */
function prefer(text: string): void {
  reranker.respond(({ texts }) =>
    texts ? Response.json(texts.map((one, index) => ({ index, score: one === text ? 1 : -index }))) : undefined,
  )
}

test('the reranker moves results, the scores stay with the places, and explain tells both', async () => {
  reranker.respond(request => failure(503, request))
  const before = await find({ query: 'tea' })
  const third = textsOf(before)[2] ?? ''
  prefer(third)
  const after = await find({ query: 'tea', explain: true })
  expect(textsOf(after).slice(0, 3)).toEqual([third, ...textsOf(before).slice(0, 2)])
  // Memories grow older between two searches.
  for (const [place, score] of scoresOf(before).entries()) expect(scoresOf(after)[place]).toBeCloseTo(score, 3)
  expect(scoresOf(after)).toHaveLength(scoresOf(before).length)
  expect(after.data[0].explanation.rerank).toEqual({ model: 'http/default', score: 1, rank: 3 })
  const judged = after.data.map(({ explanation }: Json) => explanation.rerank.score !== null)
  expect(judged).toEqual(after.data.map((_: Json, place: number) => place < 3))
  expect(after.warning).toBeUndefined()
})

test('pages agree, and one beyond the reranked results asks nobody', async () => {
  prefer('Tea, tea and tea.')
  const whole = await find({ query: 'tea drinks' })
  const pages = []
  for (let page = 1; page <= 4; page++) pages.push(...textsOf(await find({ query: 'tea drinks', limit: 1, page })))
  expect(pages).toEqual(textsOf(whole))
  prefer('Tea, tea and tea.')
  await find({ query: 'tea drinks', limit: 3, page: 2 })
  expect(reranker.requests).toHaveLength(0)
})

test('why tells the final place', async () => {
  prefer('Tea, tea and tea.')
  const found = await find({ query: 'tea drinks' })
  const { id, score } = found.data[0]
  const { body } = await client.post('/v1/memories/search/why', { query: 'tea drinks', mode: 'hybrid', memory_id: id })
  expect(body).toMatchObject({ found: true, rank: 1, page: 1, score })
  expect(body.reasons).toEqual([{ code: 'FOUND', message: 'It is result number 1.' }])
  expect(body.explanation.rerank).toMatchObject({ score: 1 })
})

test('of a long text it reads the nearest passage', async () => {
  const { long } = textsIn('English')
  const { client: writer } = await service.account()
  for (const memory of [long.text, 'The boathouse needs paint.']) await writer.post('/v1/memories', { memory })
  const body = { query: long.questions.middle, mode: 'semantic', explain: true }
  await until('the passages to be found', async () => {
    const found = await writer.post('/v1/memories/search', body)
    return found.body.data.length === 2 && found.body.data.some(({ explanation }: Json) => explanation.passage)
  })
  reranker.respond(() => undefined)
  await writer.post('/v1/memories/search', body)
  const read = reranker.requests[0]?.texts ?? []
  expect(read.find(text => text.includes('spare key of the boathouse'))).toHaveLength(1_500)
})

test('keyword searches, and those with a single result, are left as they are', async () => {
  await find({ query: 'tea', mode: 'keyword' })
  await find({ query: 'water', mode: 'keyword' })
  expect(reranker.requests).toHaveLength(0)
})

test('its tokens are counted and its calls measured', async () => {
  await find({ query: 'tea' })
  const counted = await until('the tokens to be counted', async () => {
    const rows = await service.database.workspace(
      workspaceId,
      tx => tx<{ input: number }[]>`
        select usage.input::integer as input
        from core.usage as usage
        where usage.workspace_id = ${workspaceId} and usage.metric = 'tokens' and usage.operation = 'search'`,
    )
    return rows[0]?.input
  })
  expect(counted).toBeGreaterThan(0)
  const headers = { authorization: 'Bearer metrics-token' }
  const { body } = await service.anonymous.get('/metrics', { headers })
  expect(body).toContain('mneme_search_rerank_duration_seconds_count{outcome="reranked"}')
})

// Last, since it leaves the reranker away for a while.
test('while it is away, searches keep their own order', async () => {
  reranker.respond(request => failure(503, request, { 'retry-after': '60' }))
  const first = await find({ query: 'tea', explain: true })
  expect(first.data[0].explanation.rerank).toEqual({ model: 'http/default', score: null, rank: 1 })
  expect(textsOf(await find({ query: 'tea' }))).toEqual(textsOf(first))
  expect(reranker.requests).toHaveLength(1)
})

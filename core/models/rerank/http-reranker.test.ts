import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { inspect } from 'node:util'
import {
  FAKE_RERANK_KEY,
  FAKE_RERANK_MODEL,
  FAKE_RERANK_URL,
  FakeRerank,
  failure,
  HttpResponse,
  RERANK_SERVERS,
} from './fake-rerank.test-support.ts'
import { createHttpReranker, type HttpRerankerSettings } from './http-reranker.ts'
import { type RerankProvider, rejection, rerankerConformance } from './reranker.conformance.ts'
import { RerankerUnavailableError } from './reranker.ts'

const server = new FakeRerank()
const lines: string[] = []
const log = {
  info: (said: unknown) => void lines.push(inspect(said)),
  warn: (said: unknown) => void lines.push(inspect(said)),
}
const SETTINGS = { url: FAKE_RERANK_URL, model: FAKE_RERANK_MODEL, apiKey: FAKE_RERANK_KEY }
const open = (settings: Partial<HttpRerankerSettings> = {}) => createHttpReranker({ ...SETTINGS, ...settings }, log)

beforeAll(() => server.start())
afterAll(() => server.stop())
beforeEach(() => {
  lines.length = 0
  server.server = 'cohere'
  server.respond(() => undefined)
})

const provider: RerankProvider = {
  judge: () => server.respond(() => undefined),
  fail: () => server.respond(request => failure(503, request)),
  hang: () => server.respond(() => new Promise(() => undefined)),
  requests: () => server.requests.length,
}

for (const kind of RERANK_SERVERS) {
  rerankerConformance(kind, provider, () => {
    server.server = kind
    return open()
  })
}

describe('what a server is asked', () => {
  test('has one form for most, and the other for Text Embeddings Inference, found out once', async () => {
    await open().score('tea', ['green tea', 'coffee'])
    expect(server.requests).toEqual([{ model: FAKE_RERANK_MODEL, query: 'tea', documents: ['green tea', 'coffee'] }])
    server.server = 'tei'
    const reranker = open()
    server.respond(() => undefined)
    for (let i = 0; i < 2; i++) await reranker.score('tea', ['green tea', 'coffee'])
    expect(server.requests.slice(1)).toEqual([
      { query: 'tea', texts: ['green tea', 'coffee'], truncate: true },
      { query: 'tea', texts: ['green tea', 'coffee'], truncate: true },
    ])
  })

  test('names no model where none is configured', async () => {
    server.server = 'llama.cpp'
    const reranker = createHttpReranker({ url: FAKE_RERANK_URL, apiKey: FAKE_RERANK_KEY }, log)
    await reranker.score('tea', ['green tea'])
    expect(server.requests).toEqual([{ query: 'tea', documents: ['green tea'] }])
    expect(reranker.modelId).toBe('http/default')
  })

  test.each(['', '/', '/rerank', '/rerank/'])('goes to the address with %j', async path => {
    await open({ url: `${FAKE_RERANK_URL}${path}` }).score('tea', ['green tea'])
    expect(server.requests).toHaveLength(1)
  })
})

describe('a response is not taken', () => {
  const half = { index: 0, relevance_score: 1 }
  test.each<[string, unknown]>([
    ['without results', {}],
    ['without all of them', { results: [half] }],
    ['with one of them twice', { results: [half, half] }],
    ['with an index too far', { results: [half, { index: 2, relevance_score: 1 }] }],
    ['with a score that is no number', { results: [half, { index: 1, relevance_score: 'high' }] }],
    ['without a score', [{ index: 0, score: 1 }, { index: 1 }]],
  ])('%s', async (_, body) => {
    server.respond(() => HttpResponse.json(Object(body)))
    expect(await rejection(open().score('tea', ['green tea', 'coffee']))).toBeInstanceOf(RerankerUnavailableError)
  })

  test('that is endless, a page, a redirect, or lost', async () => {
    const location = `${FAKE_RERANK_URL}/rerank`
    for (const bad of [
      () => new Response('x'.repeat(9_000_000)),
      () => new Response('<html>'),
      () => new Response(null, { status: 307, headers: { location } }),
      () => HttpResponse.error(),
    ]) {
      server.respond(bad)
      expect(await rejection(open().score('tea', ['green tea']))).toBeInstanceOf(RerankerUnavailableError)
      expect(server.requests).toHaveLength(1)
    }
  })
})

test.each([
  [401, 'RERANK_API_KEY'],
  [404, 'RERANK_URL'],
])('a server that answers with %d is not asked again, and one line says what to mend', async (status, advice) => {
  const reranker = open()
  server.respond(request => failure(status, request))
  for (let i = 0; i < 3; i++) await rejection(reranker.score('private tea', ['green tea']))
  expect(server.requests).toHaveLength(1)
  expect(lines).toHaveLength(1)
  expect(lines[0]).toContain(advice)
  expect(lines[0]).not.toContain('private')
  expect(lines[0]).not.toContain(FAKE_RERANK_KEY)
})

test('the pause that a server asks for is kept', async () => {
  const reranker = open()
  server.respond(request => failure(429, request, { 'retry-after': '30' }))
  await rejection(reranker.score('tea', ['green tea']))
  expect(reranker.available()).toBe(false)
})

test('a text that a proven server refuses does not stop the next search', async () => {
  const reranker = open()
  await reranker.score('tea', ['green tea'])
  server.respond(request => (request.query === 'bad' ? failure(400, request) : undefined))
  for (let i = 0; i < 5; i++) {
    expect(await rejection(reranker.score('bad', ['green tea']))).toBeInstanceOf(RerankerUnavailableError)
  }
  expect((await reranker.score('tea', ['green tea'])).scores).toHaveLength(1)
})

test('a server that became one of another form is asked in that form', async () => {
  const reranker = open()
  server.server = 'tei'
  await reranker.score('tea', ['green tea'])
  server.server = 'vllm'
  server.respond(() => undefined)
  for (let i = 0; i < 3; i++) await rejection(reranker.score('tea', ['green tea']))
  for (let i = 0; i < 2; i++) expect((await reranker.score('tea', ['green tea'])).scores).toHaveLength(1)
  expect(server.requests.map(({ texts }) => texts !== undefined)).toEqual([true, true, true, false, false])
})

test('a proven server that refuses everything since is left alone, and one line says so', async () => {
  const reranker = open()
  await reranker.score('tea', ['green tea'])
  server.respond(request => failure(400, request))
  for (let i = 0; i < 8; i++) {
    expect(await rejection(reranker.score('private tea', ['green tea']))).toBeInstanceOf(RerankerUnavailableError)
  }
  expect(server.requests).toHaveLength(3 + 3 * 2)
  expect(reranker.available()).toBe(false)
  expect(lines).toHaveLength(1)
  expect(lines[0]).toContain('400')
  expect(lines[0]).not.toContain('private')
})

test('settings that cannot work are told in a sentence without their value', () => {
  for (const settings of [{ apiKey: 'rk-bad\n' }, { url: `http://user:${FAKE_RERANK_KEY}@host` }, { url: 'rk-bad' }]) {
    expect(() => open(settings)).toThrow(/^RERANK_(?!.*rk-)/)
  }
})

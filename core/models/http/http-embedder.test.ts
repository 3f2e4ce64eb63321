import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { inspect } from 'node:util'
import { createEmbedder } from '../create-embedder.ts'
import { embedderConformance } from '../embedder.conformance.ts'
import type { OpenEmbedder } from '../embedder.ts'
import { EmbedderUnavailableError } from '../embedder.ts'
import { failure, HttpResponse, vectorsResponse } from './fake-endpoint.test-support.ts'
import { fakedEmbedders, KEY, rejection } from './faked-embedders.test-support.ts'
import { retryAfterMs } from './post-json.ts'

const { endpoint, create, open } = fakedEmbedders()
let local: OpenEmbedder

beforeAll(async () => {
  local = await createEmbedder({ kind: 'local' })
})
afterAll(() => local.close())

/** An endpoint has a vector for any text, also where the model behind ours has none. */
function someVector(text: string): number[] {
  const seed = Array.from(text).reduce((sum, character, at) => sum + (at + 1) * (character.codePointAt(0) ?? 0), 1)
  return Array.from({ length: 384 }, (_, i) => Math.sin(seed * (i + 1)))
}

embedderConformance('an HTTP endpoint', async settings => {
  // A real model stands behind it, because the suite asks about meaning.
  endpoint.respond(async ({ body }) => {
    const embeddings = await local.embed(body.input)
    const tokens = embeddings.reduce((sum, item) => sum + item.tokens, 0)
    return vectorsResponse(
      embeddings.map((item, index) => [...(item.vector ?? someVector(body.input[index] ?? ''))]),
      tokens,
    )
  })
  return create({ ...settings, batchSize: 8 })
})

describe('what the HTTP embedder sends', () => {
  test('is one OpenAI-compatible request with the key, the model and the inputs', async () => {
    const embedder = await open()
    endpoint.respond(({ body }) => vectorsResponse(body.input.map(() => [1, 0, 0])))
    await embedder.embed(['one', 'two'])
    expect(endpoint.requests.map(request => request.body)).toEqual([
      { model: 'test-model', input: ['one', 'two'], dimensions: 3 },
    ])
    expect(endpoint.requests[0]?.headers.get('authorization')).toBe(`Bearer ${KEY}`)
    expect(embedder.modelId).toBe('http/test-model')
  })

  test('leaves dimensions out where none are set, and learns them from one call', async () => {
    endpoint.respond(({ body }) => vectorsResponse(body.input.map(() => [3, 4])))
    const embedder = await create()
    expect(embedder.dimensions).toBe(2)
    await embedder.ready()
    expect(endpoint.requests).toHaveLength(1)
    expect(endpoint.requests[0]?.body).not.toHaveProperty('dimensions')
    await embedder.close()
  })

  test('is bounded, valid Unicode and never blank', async () => {
    const embedder = await open({ inputCharsMax: 10 })
    endpoint.respond(({ body }) => vectorsResponse(body.input.map(() => [1, 0, 0])))
    await embedder.embed(['x'.repeat(50), '', ' \n', '\ud800a\0b', `${'y'.repeat(9)}🦊`])
    expect(endpoint.requests[0]?.body.input).toEqual(['x'.repeat(10), '.', '.', '\ufffda b', `${'y'.repeat(9)}\ufffd`])
  })

  test('is batched, within the limit of requests at once and one more for queries', async () => {
    const embedder = await open({ batchSize: 10, concurrency: 2 })
    const gate = Promise.withResolvers<void>()
    endpoint.respond(async ({ body }) => {
      await gate.promise
      return vectorsResponse(body.input.map(() => [1, 0, 0]))
    })
    const documents = embedder.embed(Array.from({ length: 95 }, (_, i) => `text ${i}`))
    const query = embedder.embed(['query'], { priority: 'query' })
    gate.resolve()
    expect(await documents).toHaveLength(95)
    await query
    expect(endpoint.requests.map(request => request.body.input.length).sort()).toEqual([
      1, 10, 10, 10, 10, 10, 10, 10, 10, 10, 5,
    ])
    expect(endpoint.concurrencySeen).toBe(3)
  })
})

describe('the HTTP embedder takes from a response', () => {
  test('is in the order of `index`, of length 1, with the tokens spread over the texts', async () => {
    const embedder = await open()
    endpoint.respond(() =>
      HttpResponse.json({
        data: [
          { index: 1, embedding: [0, 0, 7] },
          { index: 0, embedding: [3, 4, 0] },
        ],
        usage: { prompt_tokens: 11 },
      }),
    )
    const [first, second] = await embedder.embed(['a long text of words', 'tiny'])
    expect([...(first?.vector ?? [])]).toEqual([Math.fround(0.6), Math.fround(0.8), 0])
    expect([...(second?.vector ?? [])]).toEqual([0, 0, 1])
    expect((first?.tokens ?? 0) + (second?.tokens ?? 0)).toBe(11)
    expect(first?.tokens).toBeGreaterThan(second?.tokens ?? 0)
  })

  test('is refused when its dimensions are others than expected', async () => {
    const embedder = await open()
    endpoint.respond(() => vectorsResponse([[1, 2, 3, 4]]))
    const error = await rejection(embedder.embed(['text']))
    expect(error).toBeInstanceOf(EmbedderUnavailableError)
    expect(error?.message).toContain('4 dimensions where 3')
    expect(endpoint.requests).toHaveLength(1)
  })

  test.each([
    ['no JSON', () => new Response('<html>')],
    ['too few vectors', () => vectorsResponse([[1, 0, 0]])],
    ['one index twice', () => HttpResponse.json({ data: [1, 1].map(index => ({ index, embedding: [1, 0, 0] })) })],
    [
      'a vector of zeros',
      () =>
        vectorsResponse([
          [1, 0, 0],
          [0, 0, 0],
        ]),
    ],
    [
      'vectors of two lengths',
      () =>
        vectorsResponse([
          [1, 0, 0],
          [1, 0],
        ]),
    ],
    ['text for numbers', () => HttpResponse.json({ data: [0, 1].map(index => ({ index, embedding: ['1'] })) })],
  ])('is tried again when it is %s', async (_, bad) => {
    const embedder = await open()
    endpoint.respond((_, attempt) =>
      attempt === 1
        ? bad()
        : vectorsResponse([
            [1, 0, 0],
            [0, 1, 0],
          ]),
    )
    expect(await embedder.embed(['one', 'two'])).toHaveLength(2)
    expect(endpoint.requests).toHaveLength(2)
  })
})

describe('when the endpoint fails, the HTTP embedder', () => {
  test.each([429, 500, 503])('tries again after status %d', async status => {
    const embedder = await open()
    endpoint.respond((request, attempt) => (attempt === 1 ? failure(status, request) : vectorsResponse([[1, 0, 0]])))
    expect(await embedder.embed(['text'])).toHaveLength(1)
  })

  test('tries again after a lost connection', async () => {
    const embedder = await open()
    endpoint.respond((_, attempt) => (attempt === 1 ? HttpResponse.error() : vectorsResponse([[1, 0, 0]])))
    expect(await embedder.embed(['text'])).toHaveLength(1)
  })

  test('waits as long as Retry-After says', async () => {
    const embedder = await open()
    endpoint.respond((request, attempt) =>
      attempt === 1 ? failure(429, request, { 'retry-after': '1' }) : vectorsResponse([[1, 0, 0]]),
    )
    const start = performance.now()
    await embedder.embed(['text'])
    expect(performance.now() - start).toBeGreaterThanOrEqual(990)
  })

  test('gives up at once, with the time, when Retry-After is past its budget', async () => {
    const embedder = await open()
    endpoint.respond(request => failure(503, request, { 'retry-after': '60' }))
    const error = await rejection(embedder.embed(['text']))
    expect(error).toBeInstanceOf(EmbedderUnavailableError)
    expect(error).toHaveProperty('retryAfterMs', 60_000)
    expect(endpoint.requests).toHaveLength(1)
  })

  test('does not repeat what an operator has to mend', async () => {
    const embedder = await open()
    endpoint.respond(request => failure(401, request))
    const error = await rejection(embedder.embed(['text']))
    expect(error).toBeInstanceOf(EmbedderUnavailableError)
    expect(error?.message).toContain('401')
    expect(endpoint.requests).toHaveLength(1)
  })

  test('ends a request that takes too long', async () => {
    const embedder = await open({ timeoutMs: 30, retryBudgetMs: 0 })
    const gate = Promise.withResolvers<Response>()
    endpoint.respond(() => gate.promise)
    const error = await rejection(embedder.embed(['text']))
    gate.resolve(vectorsResponse([[1, 0, 0]]))
    expect(error).toBeInstanceOf(EmbedderUnavailableError)
    expect(error?.message).toContain('in time')
  })

  test('is not created when its dimensions cannot be learned', async () => {
    endpoint.respond(request => failure(404, request))
    expect(await rejection(create())).toBeInstanceOf(EmbedderUnavailableError)
  })
})

describe('the HTTP embedder keeps secrets', () => {
  test.each([400, 401, 422, 500])('when a response of status %d quotes the text and the key', async status => {
    const embedder = await open({ retryBudgetMs: 0 })
    endpoint.respond(({ body }) => vectorsResponse(body.input.map(() => [1, 0, 0])))
    await embedder.ready()
    endpoint.respond(request => failure(status, request))
    const error = await rejection(embedder.embed(['a private text']))
    expect(error).toBeInstanceOf(Error)
    expect(inspect(error, { depth: 10, showHidden: true })).not.toContain('private')
    expect(inspect(error, { depth: 10, showHidden: true })).not.toContain(KEY)
  })

  test('when a setting cannot work', async () => {
    const bad = [{ apiKey: `${KEY}\n` }, { url: `http://user:${KEY}@host` }, { url: `ftp://${KEY}` }, { url: KEY }]
    for (const settings of bad) {
      const error = await rejection(create(settings))
      expect(error).toBeInstanceOf(Error)
      expect(inspect(error)).not.toContain(KEY)
    }
  })
})

test('Retry-After is understood as seconds and as a date', () => {
  const now = Date.parse('2026-01-01T00:00:00Z')
  expect(retryAfterMs('3', now)).toBe(3_000)
  expect(retryAfterMs('Thu, 01 Jan 2026 00:00:05 GMT', now)).toBe(5_000)
  expect(retryAfterMs('Wed, 31 Dec 2025 00:00:00 GMT', now)).toBe(0)
  expect(retryAfterMs('soon', now)).toBeUndefined()
  expect(retryAfterMs('', now)).toBeUndefined()
  expect(retryAfterMs(null, now)).toBeUndefined()
})

import { describe, expect, test } from 'bun:test'
import { EmbedderInputError, EmbedderUnavailableError } from '../embedder.ts'
import type { FakeRequest, Responder } from './fake-endpoint.test-support.ts'
import { failure, HttpResponse, vectorsResponse } from './fake-endpoint.test-support.ts'
import { fakedEmbedders, rejection } from './faked-embedders.test-support.ts'

const { endpoint, open } = fakedEmbedders()

describe('when the endpoint refuses an input, the HTTP embedder', () => {
  const served = ({ body }: FakeRequest) => vectorsResponse(body.input.map(() => [1, 0, 0]))
  const vectorFor = (bad: unknown, { body }: FakeRequest) =>
    HttpResponse.json({
      data: body.input.map((text, index) => ({ index, embedding: text === 'bad' ? bad : [1, 0, 0] })),
    })

  test.each<[string, Responder]>([
    ['status 400', request => failure(400, request)],
    ['status 500', request => failure(500, request)],
    ['a vector of zeros for it', request => vectorFor([0, 0, 0], request)],
    ['a vector of nulls for it', request => vectorFor([null, null, null], request)],
    ['null for its vector', request => vectorFor(null, request)],
  ])('with %s, blames the one text, and its neighbours of other calls are served', async (_, refuse) => {
    const embedder = await open({ concurrency: 1, retryBudgetMs: 0 })
    endpoint.respond((request, attempt) =>
      request.body.input.includes('bad') ? refuse(request, attempt) : served(request),
    )
    const [before, bad, after] = await Promise.all([
      rejection(embedder.embed(['fine', 'fine too'])),
      rejection(embedder.embed(['fine', 'bad'])),
      rejection(embedder.embed(['fine'])),
    ])
    expect(bad).toBeInstanceOf(EmbedderInputError)
    expect(bad).toHaveProperty('index', 1)
    expect([before, after]).toEqual([undefined, undefined])
  })

  test.each([
    [413, [8_000, 5, 4_000, 2_000]],
    [500, [8_000, 5, 8_000, 5, 4_000, 5, 4_000, 5, 2_000]],
  ])('with status %d, sends less and less of a text that is too long for the model', async (status, lengths) => {
    const embedder = await open({ retryBudgetMs: 0 })
    endpoint.respond(request =>
      (request.body.input[0]?.length ?? 0) > 2_500 ? failure(status, request) : vectorsResponse([[1, 0, 0]]),
    )
    expect(await embedder.embed(['word '.repeat(10_000)])).toHaveLength(1)
    expect(endpoint.requests.map(request => request.body.input[0]?.length)).toEqual(lengths)
  })

  test.each([8_000, 200])('sends all of a text of %d again where the trouble is over by the probe', async length => {
    const embedder = await open({ retryBudgetMs: 0 })
    endpoint.respond((request, attempt) => (attempt === 1 ? failure(500, request) : served(request)))
    expect(await embedder.embed(['a'.repeat(length)])).toHaveLength(1)
    expect(endpoint.requests.map(request => request.body.input[0]?.length)).toEqual([length, 5, length])
  })

  test('shortens no text while the endpoint is in trouble again', async () => {
    const embedder = await open({ retryBudgetMs: 0 })
    endpoint.respond((request, attempt) => (attempt === 2 ? served(request) : failure(500, request)))
    expect(await rejection(embedder.embed(['a'.repeat(8_000)]))).toBeInstanceOf(EmbedderUnavailableError)
    expect(endpoint.requests.map(request => request.body.input[0]?.length)).toEqual([8_000, 5, 8_000, 5])
  })

  test.each([500, 502, 503, 504])('blames no text while any is answered with status %d', async status => {
    const embedder = await open({ retryBudgetMs: 0 })
    endpoint.respond(served)
    await embedder.embed(['one'])
    endpoint.respond(request => failure(status, request))
    expect(await rejection(embedder.embed(['one', 'two', 'three']))).toBeInstanceOf(EmbedderUnavailableError)
    expect(endpoint.requests.map(({ body }) => body.input.length)).toEqual(status === 500 ? [3, 1] : [3])
  })

  test('blames no text while every request is refused', async () => {
    const embedder = await open()
    endpoint.respond(request => failure(400, request))
    expect(await rejection(embedder.embed(['one', 'two', 'three']))).toBeInstanceOf(EmbedderUnavailableError)
    expect(endpoint.requests.length).toBeLessThanOrEqual(2)
  })
})

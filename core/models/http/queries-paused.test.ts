import { describe, expect, test } from 'bun:test'
import { EmbedderUnavailableError } from '../embedder.ts'
import { failure, HttpResponse, vectorsResponse } from './fake-endpoint.test-support.ts'
import { fakedEmbedders, rejection } from './faked-embedders.test-support.ts'
import type { HttpEmbedderSettings } from './http-embedder.ts'

const { endpoint, open } = fakedEmbedders()

async function failing(respond: Parameters<typeof endpoint.respond>[0], settings: Partial<HttpEmbedderSettings> = {}) {
  const embedder = await open({ retryBudgetMs: 0, ...settings })
  endpoint.respond(respond)
  const ask = (text: string) => rejection(embedder.embed([text], { priority: 'query' }))
  return { embedder, ask }
}

describe('after the endpoint failed, the HTTP embedder refuses queries at once', () => {
  test.each([401, 503])('from the third status %d in a row on, until a document is served', async status => {
    const { embedder, ask } = await failing(request => failure(status, request))
    for (const text of ['one', 'two', 'three', 'four', 'five']) {
      expect(await ask(text)).toBeInstanceOf(EmbedderUnavailableError)
    }
    expect(endpoint.requests).toHaveLength(3)
    expect(await ask('six')).toHaveProperty('retryAfterMs', expect.any(Number))
    expect(await rejection(embedder.embed(['a document']))).toBeInstanceOf(EmbedderUnavailableError)
    expect(endpoint.requests).toHaveLength(4)
    endpoint.respond(() => vectorsResponse([[1, 0, 0]]))
    await embedder.embed(['a document'])
    expect(await ask('seven')).toBeUndefined()
    expect(endpoint.requests).toHaveLength(2)
  })

  test('for as long as it asks for, with one warning, or until it is ready', async () => {
    const warned: string[] = []
    const warn = (message: string) => void warned.push(message)
    const { embedder, ask } = await failing(request => failure(503, request, { 'retry-after': '60' }), { warn })
    await ask('one')
    expect(await ask('two')).toBeInstanceOf(EmbedderUnavailableError)
    expect(endpoint.requests).toHaveLength(1)
    expect(warned).toEqual([expect.stringMatching(/status 503.* 60 s$/)])
    endpoint.respond(() => vectorsResponse([[1, 0, 0]]))
    await embedder.ready()
    expect(await ask('three')).toBeUndefined()
  })

  test('but not for failures between which it served, nor for documents that failed, nor for texts it refuses', async () => {
    const { embedder, ask } = await failing(({ body, ...request }, attempt) => {
      if (body.input.includes('probe')) return vectorsResponse([[1, 0, 0]])
      if (body.input.includes('bad')) return failure(400, { body, ...request })
      return attempt % 3 === 0 ? vectorsResponse([[1, 0, 0]]) : HttpResponse.error()
    })
    for (let n = 0; n < 9; n++) await ask(`text ${n}`)
    expect(endpoint.requests).toHaveLength(9)
    for (let n = 0; n < 4; n++) await ask('bad')
    expect(endpoint.requests).toHaveLength(13)
    endpoint.respond(request => failure(503, request))
    for (let n = 0; n < 4; n++) await rejection(embedder.embed(['a document']))
    endpoint.respond(() => vectorsResponse([[1, 0, 0]]))
    expect(await ask('a query')).toBeUndefined()
  })
})

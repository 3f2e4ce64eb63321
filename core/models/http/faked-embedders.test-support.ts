import { afterAll, afterEach, beforeAll } from 'bun:test'
import { createEmbedder } from '../create-embedder.ts'
import type { OpenEmbedder } from '../embedder.ts'
import { FAKE_URL, FakeEndpoint } from './fake-endpoint.test-support.ts'
import type { HttpEmbedderSettings } from './http-embedder.ts'

export const KEY = 'sk-very-secret'

/** Fakes an endpoint for the tests of a file. What `open` makes is closed after each test, what `create` makes is not. */
export function fakedEmbedders() {
  const endpoint = new FakeEndpoint()
  const opened: OpenEmbedder[] = []
  beforeAll(() => endpoint.start())
  afterEach(async () => {
    await Promise.all(opened.splice(0).map(embedder => embedder.close()))
  })
  afterAll(() => endpoint.stop())

  const create = (settings: Partial<HttpEmbedderSettings> = {}): Promise<OpenEmbedder> =>
    createEmbedder({ kind: 'http', url: FAKE_URL, model: 'test-model', apiKey: KEY, ...settings })

  const open = async (settings: Partial<HttpEmbedderSettings> = {}): Promise<OpenEmbedder> => {
    const embedder = await create({ dimensions: 3, ...settings })
    opened.push(embedder)
    return embedder
  }

  return { endpoint, create, open }
}

export function rejection(promise: Promise<unknown>): Promise<Error | undefined> {
  return promise.then(
    () => undefined,
    (error: Error) => error,
  )
}

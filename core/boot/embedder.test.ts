import { afterAll, beforeAll, expect, test } from 'bun:test'
import { coreConfig, requireConfig } from '../config.ts'
import { createLog } from '../log.ts'
import { FAKE_URL, FakeEndpoint, failure, vectorsResponse } from '../models/http/fake-endpoint.test-support.ts'
import { createEmbedderSource, openEmbedder } from './embedder.ts'

const endpoint = new FakeEndpoint()
beforeAll(() => endpoint.start())
afterAll(() => endpoint.stop())

const known = { modelId: 'http/old', dimensions: 3 }
const old = { kind: 'http' as const, url: FAKE_URL, model: 'old', sendsDimensions: false }

function sourceOf(environment: Record<string, string>) {
  return createEmbedderSource(requireConfig(coreConfig, environment), createLog('silent'))
}

async function askedWith(environment: Record<string, string>, origin = old) {
  endpoint.respond(({ body }) => vectorsResponse(body.input.map(() => [1, 0, 0])))
  const embedder = await sourceOf(environment).open(origin, known)
  expect(endpoint.requests).toEqual([])
  await embedder.embed(['a text'])
  await embedder.close()
  const [request] = endpoint.requests
  return { key: request?.headers.get('authorization'), body: request?.body }
}

test('a former endpoint is asked as it was, with the key of its host', async () => {
  const environment = { EMBEDDINGS: 'http', EMBEDDINGS_URL: FAKE_URL, EMBEDDINGS_MODEL: 'new', EMBEDDINGS_API_KEY: 'k' }
  expect(await askedWith(environment)).toEqual({ key: 'Bearer k', body: { model: 'old', input: ['a text'] } })
  const sent = await askedWith(environment, { ...old, sendsDimensions: true })
  expect(sent.body).toEqual({ model: 'old', input: ['a text'], dimensions: 3 })
})

test('the key of one host never goes to another', async () => {
  const elsewhere = { EMBEDDINGS_URL: 'https://elsewhere.test/v1', EMBEDDINGS_API_KEY: 'k' }
  expect((await askedWith(elsewhere)).key).toBe(null)
  expect((await askedWith({ ...elsewhere, EMBEDDINGS_PREVIOUS_API_KEY: 'p' })).key).toBe('Bearer p')
})

test('what may be written down of the configured endpoint holds no key', () => {
  const { configured } = sourceOf({
    EMBEDDINGS: 'http',
    EMBEDDINGS_URL: 'https://api.test/v1?api-key=secret',
    EMBEDDINGS_MODEL: 'm',
    EMBEDDINGS_API_KEY: 'secret',
  })
  expect(configured).toEqual({ kind: 'http', url: 'https://api.test/v1', model: 'm', sendsDimensions: false })
})

test('another model than the one that was written down is not opened', async () => {
  const opening = sourceOf({}).open({ kind: 'local' }, { modelId: 'local/other', dimensions: 384 })
  expect(opening).rejects.toThrow('local/other is wanted')
})

test('a start while the endpoint fails names the setting with which it would succeed', async () => {
  endpoint.respond(request => failure(404, request))
  const environment = { EMBEDDINGS: 'http', EMBEDDINGS_URL: FAKE_URL, EMBEDDINGS_MODEL: 'm' }
  const opened = (more: Record<string, string> = {}) =>
    openEmbedder(requireConfig(coreConfig, { ...environment, ...more }), createLog('silent'))
  await expect(opened()).rejects.toThrow(/answered with status 404.*EMBEDDINGS_DIMENSIONS/)
  const embedder = await opened({ EMBEDDINGS_DIMENSIONS: '8' })
  expect(embedder.dimensions).toBe(8)
  await embedder.close()
})

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text as readText } from 'node:stream/consumers'
import { meaning, numbered, search, vectorOf } from '../../plugins/search/embedding/world.test-support.ts'
import { preparedStore, type ServerProcess, startServer } from '../support/process.ts'
import { until } from '../support/wait.ts'
import { readProcessed } from './writers.ts'

const COUNT = 300
const model = { seed: 'e2e', dimensions: 48 }
/** Records every text that the endpoint got. */
const asked: string[] = []
/** Tells the endpoint to respond only so often that a kill comes in the middle. */
let holding = true

const endpoint = createServer(async (request, response) => {
  const { input } = JSON.parse(await readText(request))
  asked.push(...input)
  if (holding && asked.length > COUNT / 2) return
  const data = input.map((text: string, index: number) => ({ index, embedding: vectorOf(model, text) }))
  response.setHeader('content-type', 'application/json').end(JSON.stringify({ data }))
})

beforeAll(() => new Promise<void>(resolve => endpoint.listen(0, '127.0.0.1', resolve)))
afterAll(() => {
  endpoint.closeAllConnections()
  endpoint.close()
})

const details = async (server: ServerProcess) => (await server.client('').get('/ready')).body.details.embeddings

test('kill -9 in the middle of re-embedding: the next start goes on where it was, and searches never stop', async () => {
  const store = await preparedStore()
  const first = await startServer(store)
  const { apiKey } = first
  const texts = numbered(COUNT)
  for (let from = 0; from < COUNT; from += 100) {
    const memories = texts.slice(from, from + 100).map(memory => ({ memory }))
    expect((await first.client().post('/v1/memories/batch', { memories })).status).toBe(207)
  }
  await readProcessed(first.client(), 120_000)
  expect(await first.stop()).toBe(0)

  const { port } = endpoint.address() as AddressInfo
  const settings = {
    ...store,
    LOG_LEVEL: 'info',
    EMBEDDINGS: 'http',
    EMBEDDINGS_URL: `http://127.0.0.1:${port}/v1`,
    EMBEDDINGS_MODEL: 'e2e',
    EMBEDDINGS_DIMENSIONS: String(model.dimensions),
  }
  const killed = await startServer(settings)
  await until('half of them are embedded', async () => asked.length > COUNT / 2)
  const during = await search(killed.client(apiKey), texts[COUNT - 1] ?? '')
  expect([during.texts[0], during.warning]).toEqual([texts[COUNT - 1] ?? '', undefined])
  await killed.kill()
  holding = false

  const second = await startServer(settings)
  const sought = texts[0] ?? ''
  expect((await search(second.client(apiKey), sought)).texts[0]).toBe(sought)
  await until('searches go by the new model', async () => (await details(second)).active === 'http/e2e', 60_000)
  expect((await search(second.client(apiKey), meaning(sought))).texts[0]).toBe(sought)
  const often = new Map(texts.map(text => [text, asked.filter(one => one === text).length]))
  expect([...often.values()].filter(times => times === 0)).toEqual([])
  // Requests that were under way when the process was killed are sent again.
  expect([...often.values()].filter(times => times > 1).length).toBeLessThanOrEqual(64)
  expect(killed.stderr()).toContain('the embedding model changed')
  for (const line of ['re-embedding resumes', 're-embedding: 100 %', 'searches now use the new embedding model']) {
    expect(second.stderr()).toContain(line)
  }
  expect(await second.stop()).toBe(0)
}, 420_000)

import { beforeAll, expect, test } from 'bun:test'
import type { Client } from '../../../test/support/client.ts'
import { until } from '../../../test/support/wait.ts'
import { bridged, held, processed } from '../world.test-support.ts'

let mneme: Client
let origin: string
let apiKey: string

beforeAll(async () => {
  const service = await bridged()
  origin = service.origin
  const account = await service.account()
  mneme = account.client
  apiKey = account.apiKey
})

/** Sends what clients of the server that people host themselves send, such as Hermes Agent. */
async function send(method: string, path: string, body?: object) {
  const response = await fetch(`${origin}/bridges/mem0${path}`, {
    method,
    headers: { 'X-API-Key': apiKey, ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  return { status: response.status, body: Object(await response.json()) }
}

test('memories are added, searched, listed, changed and deleted', async () => {
  const messages = [{ role: 'user', content: 'Ada likes green tea.' }]
  const metadata = { kind: 'drink' }
  const added = await send('POST', '/memories', { messages, user_id: 'ada', run_id: 'r', infer: false, metadata })
  const [{ id }] = added.body.results
  expect([added.status, added.body.results]).toEqual([
    200,
    [{ id, event: 'ADD', data: { memory: 'Ada likes green tea.' } }],
  ])
  await processed(mneme)
  const filters = { user_id: 'ada', kind: 'drink' }
  const found = await send('POST', '/search', { query: 'Which tea?', filters, top_k: 5, threshold: 0.1 })
  expect(found.body.results).toMatchObject([{ id, memory: 'Ada likes green tea.', run_id: 'r', metadata }])
  const other = await send('POST', '/search', { query: 'Which tea?', filters: { ...filters, kind: { ne: 'drink' } } })
  expect(other.body.results).toEqual([])
  expect((await send('GET', '/memories?user_id=ada&top_k=10')).body.results).toMatchObject([{ id }])
  expect((await send('PUT', `/memories/${id}`, { text: 'Ada likes black tea.' })).status).toBe(200)
  expect((await send('GET', `/memories/${id}`)).body.memory).toBe('Ada likes black tea.')
  const { body: history } = await send('GET', `/memories/${id}/history`)
  expect(history.map(({ event }: { event: string }) => event).sort()).toEqual(['ADD', 'UPDATE'])
  expect((await send('DELETE', `/memories/${id}`)).body).toMatchObject({ message: expect.any(String) })
  expect(await held(mneme, { user_id: 'ada' })).toEqual([])
})

test('a conversation is taken at once, and its memories come later', async () => {
  const messages = [{ role: 'user', content: 'I moved to Lisbon in May.' }]
  const added = await send('POST', '/memories', { messages, user_id: 'bob' })
  expect(added.body).toMatchObject({ results: [], status: 'PENDING', event_id: expect.any(String) })
  await until('it is read', async () => (await held(mneme, { user_id: 'bob' })).length === 1)
})

test('failures say in detail what is wrong', async () => {
  const deleted = await send('DELETE', '/memories?user_id=bob')
  expect([deleted.status, deleted.body.detail]).toEqual([400, expect.stringContaining('BRIDGES_DELETE_ALL')])
  const reset = await send('POST', '/reset', {})
  expect([reset.status, reset.body.error_code]).toEqual([501, 'BRIDGE_UNSUPPORTED'])
  const unknown = await send('GET', '/nothing')
  expect([unknown.status, unknown.body.error_code]).toEqual([404, 'NOT_FOUND'])
  const faulty = await fetch(`${origin}/bridges/mem0/search`, {
    method: 'POST',
    headers: { 'X-API-Key': apiKey },
    body: '{',
  })
  expect([faulty.status, Object.keys(Object(await faulty.json())).sort()]).toEqual([
    415,
    ['detail', 'error', 'error_code'],
  ])
})

import { beforeAll, describe, expect, test } from 'bun:test'
import type { Client, Json } from '../support/client.ts'
import { until } from '../support/wait.ts'
import { ISO, processed, remember, type Subject, subject } from './subject.ts'

let service: Subject
let client: Client

beforeAll(async () => {
  service = await subject()
  client = (await service.account()).client
})

describe('an update', () => {
  test('changes what it names, answers with the update form, and has the memory processed again', async () => {
    const { id } = await remember(client, 'Ships sail west.', {
      priority: 'LOW',
      categories: ['a'],
      metadata: { x: 1 },
    })
    await processed(client, id)
    const { status, body } = await client.put(`/v1/memories/${id}`, { memory: 'Ships sail east.' })
    expect(status).toBe(200)
    const { created_at, updated_at } = body
    expect(body).toMatchObject({
      id,
      memory: 'Ships sail east.',
      user_id: 'default',
      priority: 'LOW',
      status: 'PENDING',
      categories: ['a'],
    })
    expect(Date.parse(updated_at)).toBeGreaterThanOrEqual(Date.parse(created_at))
    expect(await processed(client, id)).toMatchObject({ memory: 'Ships sail east.', metadata: { x: 1 } })
    const found = async (search: string) =>
      (await client.get('/v1/memories', { query: { search, mode: 'keyword' } })).body.data.map((m: Json) => m.id)
    expect(await found('east')).toEqual([id])
    expect(await found('west')).toEqual([])
  })

  test('replaces lists and objects as a whole', async () => {
    const { id } = await remember(client, 'Boats float.', { categories: ['a', 'b'], metadata: { x: 1, y: 2 } })
    const put = (body: object) => client.put(`/v1/memories/${id}`, { memory: 'Boats float.', ...body })
    await put({ categories: ['c'], metadata: { z: 3 }, priority: 'HIGH' })
    const get = async () => (await client.get(`/v1/memories/${id}`)).body
    expect(await get()).toMatchObject({ categories: ['c'], priority: 'HIGH' })
    expect((await get()).metadata).toEqual({ z: 3 })
    await put({ categories: [] })
    expect((await get()).categories).toEqual([])
  })

  test('needs its text and is checked like a creation', async () => {
    const { id } = await remember(client, 'Rafts drift.')
    for (const body of [
      {},
      { memory: '' },
      { memory: 'x', content: 'y' },
      { memory: 'x'.repeat(50_001) },
      { memory: 'x', user_id: 'b' },
      { memory: 'x', layer: 'TASK' },
      { memory: 'x', priority: null },
    ]) {
      const response = await client.put(`/v1/memories/${id}`, body)
      expect([Object.keys(body), response.status]).toEqual([Object.keys(body), 400])
    }
    expect((await client.put(`/v1/memories/${id}`, { content: 'Rafts drift far.' })).body.memory).toBe(
      'Rafts drift far.',
    )
  })

  test('into a text that is there is the same conflict as creating it, and into its own is none', async () => {
    const { id } = await remember(client, 'Canoes turn.')
    await remember(client, 'Kayaks roll.')
    expect(await client.put(`/v1/memories/${id}`, { memory: ' Kayaks roll. ' })).toMatchObject({
      status: 409,
      body: { error_code: 'DUPLICATE_MEMORY' },
    })
    expect((await client.put(`/v1/memories/${id}`, { memory: 'Canoes turn.' })).status).toBe(200)
  })
})

describe('a deletion', () => {
  test('leaves nothing behind', async () => {
    const { id } = await remember(client, 'A zeppelin lands.')
    await processed(client, id)
    const response = await client.delete(`/v1/memories/${id}`)
    expect([response.status, response.body]).toEqual([204, ''])
    for (const path of [`/v1/memories/${id}`, `/v1/memories/${id}/history`])
      expect((await client.get(path)).status).toBe(404)
    expect((await client.delete(`/v1/memories/${id}`)).status).toBe(404)
    for (const mode of ['hybrid', 'semantic', 'keyword']) {
      const { body } = await client.get('/v1/memories', { query: { search: 'zeppelin', mode } })
      expect(body.data.map((m: Json) => m.id)).not.toContain(id)
    }
  })

  test('takes the text out of kept idempotent responses too', async () => {
    const headers = { 'idempotency-key': 'kept-response' }
    const made = await client.post('/v1/memories', { memory: 'A glider lands.' }, { headers })
    expect((await client.post('/v1/memories', { memory: 'A glider lands.' }, { headers })).body.id).toBe(made.body.id)
    await client.delete(`/v1/memories/${made.body.id}`)
    const again = await client.post('/v1/memories', { memory: 'A glider lands.' }, { headers })
    expect(again.headers.get('idempotent-replayed') === 'true' && JSON.stringify(again.body).includes('glider')).toBe(
      false,
    )
  })
})

describe('deleting all', () => {
  const stored = async (own: Client) => (await own.get('/v1/memories')).body.total

  test('wants the password of the account', async () => {
    const account = await service.account()
    await remember(account.client, 'Stays.')
    for (const headers of [{}, { 'x-confirm-password': 'wrong' }, { 'x-confirm-password': '' }]) {
      const response = await account.client.delete('/v1/memories', { headers })
      expect(response).toMatchObject({ status: 400, body: { error_code: 'PASSWORD_CONFIRMATION_REQUIRED' } })
    }
    expect(await stored(account.client)).toBe(1)
    const headers = { 'x-confirm-password': account.password }
    expect((await account.client.delete('/v1/memories', { headers })).status).toBe(204)
    expect(await stored(account.client)).toBe(0)
    expect((await account.client.delete('/v1/memories', { headers })).status).toBe(204)
  })

  test('may be for a user, an agent or both, and touches no other workspace', async () => {
    const [account, other] = [await service.account(), await service.account()]
    await remember(other.client, 'Elsewhere.', { user_id: 'ada' })
    for (const [user_id, agent_id] of [
      ['ada', 'bot'],
      ['ada', null],
      ['bob', 'bot'],
    ])
      await remember(account.client, `${user_id} ${agent_id}`, { user_id, agent_id })
    const headers = { 'x-confirm-password': account.password }
    const remove = (query: Record<string, string>) => account.client.delete('/v1/memories', { headers, query })
    expect((await remove({ user_id: 'nobody' })).status).toBe(204)
    expect(await stored(account.client)).toBe(3)
    await remove({ user_id: 'ada', agent_id: 'bot' })
    expect(await stored(account.client)).toBe(2)
    await remove({ user_id: 'ada' })
    expect(await stored(account.client)).toBe(1)
    expect(await stored(other.client)).toBe(1)
    expect((await remove({ users: 'ada' })).status).toBe(400)
  })

  test('locks a key after five wrong passwords, also for the right one', async () => {
    const account = await service.account()
    const remove = (password: string) =>
      account.client.delete('/v1/memories', { headers: { 'x-confirm-password': password } })
    for (let n = 0; n < 5; n++) expect((await remove('wrong')).status).toBe(400)
    for (const password of ['wrong', account.password]) {
      const response = await remove(password)
      expect(response).toMatchObject({ status: 429, body: { error_code: 'RATE_LIMITED' } })
      expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(60)
    }
    expect((await account.client.get('/v1/memories')).status).toBe(200)
  })
})

describe('promotion', () => {
  const promote = (id: string) => client.post(`/v1/memories/${id}/promote`)

  test('makes a TASK memory permanent and has it processed again', async () => {
    const { id } = await remember(client, 'Promote me.', { layer: 'TASK' })
    const response = await promote(id)
    expect([response.status, typeof response.body.message]).toEqual([202, 'string'])
    expect(await processed(client, id)).toMatchObject({ layer: 'RAW', expires_at: null })
    expect(await promote(id)).toMatchObject({ status: 409, body: { error_code: 'MEMORY_NOT_PROMOTABLE' } })
  })

  test('is not for a RAW memory', async () => {
    const { id } = await remember(client, 'Permanent already.')
    expect(await promote(id)).toMatchObject({ status: 409, body: { error_code: 'MEMORY_NOT_PROMOTABLE' } })
  })
})

test('an expired memory vanishes from lists and search, and says so when it is asked for', async () => {
  const own = (await service.account()).client
  const expires_at = new Date(Date.now() + 4000).toISOString()
  const { id } = await remember(own, 'Gone in a moment.', { layer: 'TASK', expires_at })
  await until('it has expired', async () => Date.now() > Date.parse(expires_at))
  const asked: [string, string, object?][] = [
    ['GET', `/v1/memories/${id}`],
    ['PUT', `/v1/memories/${id}`, { memory: 'Back again.' }],
    ['POST', `/v1/memories/${id}/feedback`, { signal: 'NEGATIVE' }],
    ['POST', `/v1/memories/${id}/promote`],
  ]
  for (const [method, path, body] of asked) {
    const response = await own.request(method, path, body ? { body } : {})
    expect([method, path, response.status, response.body.error_code]).toEqual([method, path, 410, 'MEMORY_EXPIRED'])
  }
  expect((await own.get('/v1/memories')).body.total).toBe(0)
  for (const mode of ['hybrid', 'semantic', 'keyword'])
    expect((await own.get('/v1/memories', { query: { search: 'gone in a moment', mode } })).body.total).toBe(0)
  expect((await own.get('/v1/memories/entities')).body).toEqual([])
  expect((await own.post('/v1/memories', { memory: 'Gone in a moment.' })).status).toBe(201)
})

describe('feedback', () => {
  const give = (id: string, body: object) => client.post(`/v1/memories/${id}/feedback`, body)

  test('is counted by signal and shown with the memory', async () => {
    const { id } = await remember(client, 'Useful, perhaps.')
    for (const signal of ['POSITIVE', 'POSITIVE', 'NEUTRAL', 'NEGATIVE']) {
      const response = await give(id, { signal, query_hash: 'h'.repeat(64) })
      expect([response.status, response.body]).toEqual([204, ''])
    }
    const { feedback } = (await client.get(`/v1/memories/${id}`)).body
    expect(feedback).toEqual({ positive: 2, negative: 1, neutral: 1, last_signal: 'NEGATIVE', last_feedback_at: ISO })
  })

  test('may be sent as rating, but not as both, and not as anything else', async () => {
    const { id } = await remember(client, 'Rated.')
    expect((await give(id, { rating: 'POSITIVE' })).status).toBe(204)
    for (const body of [
      {},
      { signal: 'GOOD' },
      { signal: 'POSITIVE', rating: 'POSITIVE' },
      { signal: 'POSITIVE', query_hash: 'h'.repeat(65) },
      { signal: 1 },
    ])
      expect([body, (await give(id, body)).status]).toEqual([body, 400])
  })
})

test('reprocessing queues a memory without changing it', async () => {
  const { id } = await remember(client, 'Once more, please.')
  const before = await processed(client, id)
  const response = await client.post(`/v1/memories/${id}/reprocess`)
  expect([response.status, Object.keys(response.body)]).toEqual([202, ['message']])
  const after = await processed(client, id)
  expect(after.memory).toBe(before.memory)
  expect((await client.get(`/v1/memories/${id}/history`)).body.total).toBe(1)
})

test('a near-duplicate is merged into the older memory and can be restored', async () => {
  const own = (await service.account()).client
  const { id } = await remember(own, 'Herons fish at dawn', { categories: ['birds'] })
  await processed(own, id)
  const younger = await remember(own, 'herons fish at dawn!', { categories: ['mornings'], priority: 'HIGH' })
  expect(await processed(own, younger.id)).toMatchObject({ memory: younger.memory, consolidated_into: id })
  expect(await processed(own, id)).toMatchObject({
    memory: 'Herons fish at dawn',
    categories: ['birds', 'mornings'],
    priority: 'HIGH',
    consolidated_into: null,
  })
  expect((await own.get('/v1/memories')).body).toMatchObject({ total: 1, data: [{ id }] })
  const events = (await own.get(`/v1/memories/${id}/history`)).body.data.map((event: Json) => event.event)
  expect(events).toEqual(['CREATED', 'CONSOLIDATED'])
  const restore = () => own.post(`/v1/memories/${younger.id}/restore`)
  expect(await restore()).toMatchObject({ status: 200, body: younger })
  expect(await processed(own, younger.id)).toMatchObject({ ...younger, status: 'COMPLETED', consolidated_into: null })
  expect(await processed(own, id)).toMatchObject({ categories: ['birds'], priority: 'MEDIUM' })
  expect((await own.get('/v1/memories')).body.total).toBe(2)
  expect(await restore()).toMatchObject({ status: 409, body: { error_code: 'MEMORY_NOT_CONSOLIDATED' } })
})

import { beforeAll, describe, expect, test } from 'bun:test'
import { service, type TestAccount } from '../../../test/support/service.ts'
import { until } from '../../../test/support/wait.ts'

let account: TestAccount

beforeAll(async () => {
  account = await (await service()).account()
  const { body } = await account.client.post('/v1/memories/batch', {
    memories: [
      { memory: 'Ada drinks green tea every morning', user_id: 'ada', categories: ['habits'], priority: 'HIGH' },
      { memory: 'Bob fixed src/queue/worker.ts in v4.1.12', user_id: 'bob', metadata: { repo: { stars: 5 } } },
      { memory: 'The quarterly report is due on Friday', user_id: 'ada', agent_id: 'x', session_id: 's' },
    ],
  })
  const ids: string[] = body.results.map((result: { memory: { id: string } }) => result.memory.id)
  await until('the memories are processed', async () => {
    const memories = await Promise.all(ids.map(id => account.client.get(`/v1/memories/${id}`)))
    return memories.every(memory => memory.body.status === 'COMPLETED')
  })
})

const textsOf = (body: { data: { memory: string }[] }) => body.data.map(({ memory }) => memory)

describe.each([
  ['POST', (fields: Record<string, unknown>) => account.client.post('/v1/memories/search', fields)],
  [
    'GET',
    (fields: Record<string, unknown>) =>
      account.client.get('/v1/memories/search', { query: fields as Record<string, string> }),
  ],
])('%s /v1/memories/search', (_, ask) => {
  test('finds by meaning without a common word', async () => {
    const { status, body } = await ask({ query: 'Which beverage does she like?', mode: 'semantic', limit: 1 })
    expect(status).toBe(200)
    expect(textsOf(body)).toEqual(['Ada drinks green tea every morning'])
    expect(body).toMatchObject({ page: 1, page_size: 1 })
    expect(body.query_hash).toMatch(/^[0-9a-f]{32}$/)
    expect(body.data[0]).toMatchObject({ user_id: 'ada', status: 'COMPLETED', metadata: null, source: 'API' })
    expect(body.data[0].score).toBeWithin(0, 1)
  })

  test('leaves out and does not count what scores below min_score', async () => {
    const query = 'green tea every morning, report'
    const { body: all } = await ask({ query })
    const [first, second] = all.data.map(({ score }: { score: number }) => score)
    expect(second).toBeLessThan(first)
    const { body } = await ask({ query, min_score: first })
    expect(body).toMatchObject({ total: 1, data: [{ score: first }] })
    const { body: list } = await account.client.get('/v1/memories', {
      query: { search: query, min_score: String(first) },
    })
    expect(list).toMatchObject({ total: 1, data: [{ score: first }] })
  })

  test('accepts every filter of the list', async () => {
    const query = 'tea report worker'
    const total = async (fields: Record<string, unknown>) => (await ask({ query, ...fields })).body.total
    expect(await total({ user_id: 'bob' })).toBe(1)
    expect(await total({ agent_id: 'x' })).toBe(1)
    expect(await total({ session_id: 's' })).toBe(1)
    expect(await total({ priority: 'HIGH' })).toBe(1)
    expect(await total({ priority: 'HIGH', priorities: ['LOW'] })).toBe(0)
    expect(await total({ categories: ['habits', 'none'] })).toBe(1)
    expect(await total({ categories: [' habits\t', 'none'] })).toBe(1)
    expect(await total({ created_after: '2199-01-01' })).toBe(0)
    expect(await total({ created_before: '2000-01-01T00:00:00Z' })).toBe(0)
  })

  test.each([
    [{ query: '  ' }, ['query']],
    [{ query: 'x', mode: 'fuzzy', limit: 101, page: 0 }, ['limit', 'mode', 'page']],
    [{ query: 'x', limit: 5, page_size: 5 }, ['page_size']],
    [{ query: 'x', min_score: 1.1 }, ['min_score']],
    [{ query: 'x', min_score: 'high' }, ['min_score']],
    [{ query: 'x', serach: 'y' }, ['serach']],
    [{ query: 'x', created_after: 'soon', priority: 'URGENT' }, ['created_after', 'priority']],
  ])('refuses %j with every fault', async (fields, paths) => {
    const { status, body } = await ask(fields)
    expect(status).toBe(400)
    expect(body.error_code).toBe('VALIDATION_ERROR')
    expect(body.details.map((detail: { path: string }) => detail.path.split('.').at(-1)).sort()).toEqual(paths)
  })
})

describe('POST /v1/memories/search', () => {
  test('filters by metadata in semantic mode too', async () => {
    const search = (filter: unknown) =>
      account.client.post('/v1/memories/search', { query: 'worker.ts', mode: 'semantic', filter })
    expect((await search({ 'repo.stars': { gte: 5 } })).body.total).toBe(1)
    expect((await search({ 'repo.stars': '5' })).body.total).toBe(0)
  })

  test('reports the faults of a metadata filter', async () => {
    const { status, body } = await account.client.post('/v1/memories/search', {
      query: 'x',
      filter: { a: { like: 1 } },
    })
    expect(status).toBe(400)
    expect(body.details).toEqual([{ path: 'filter.a.like', message: expect.stringContaining('is not an operator') }])
  })
})

describe('a new memory', () => {
  test('is found by its words once accepted, follows updates, and is deleted with its searches', async () => {
    const running = await service()
    const { client, workspaceId } = await running.account()
    const { body: memory } = await client.post('/v1/memories', { memory: 'The xylophone is in the attic' })
    const search = async (query: string, mode = 'keyword') =>
      textsOf((await client.post('/v1/memories/search', { query, mode })).body)
    expect(await search('xylophone')).toEqual(['The xylophone is in the attic'])
    await client.put(`/v1/memories/${memory.id}`, { memory: 'The trombone is in the attic' })
    expect(await search('xylophone')).toEqual([])
    expect(await search('the trombone is in the attic')).toEqual(['The trombone is in the attic'])
    const { body: list } = await client.get('/v1/memories', { query: { search: 'trombone' } })
    expect(list.data[0]).toMatchObject({ id: memory.id })
    expect(list.query_hash).toBeString()
    expect((await client.delete(`/v1/memories/${memory.id}`)).status).toBe(204)
    expect(await search('trombone', 'hybrid')).toEqual([])
    const kept = await until('the searches are logged', async () => {
      const rows = await running.database.workspace(
        workspaceId,
        tx => tx<{ query: string }[]>`select query from search.query_log where workspace_id = ${workspaceId}`,
      )
      return rows.length >= 4 && rows
    })
    expect(kept.map(row => row.query).filter(query => query.includes('attic'))).toEqual([])
  })
})

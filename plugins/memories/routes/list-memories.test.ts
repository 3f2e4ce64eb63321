import { beforeAll, describe, expect, test } from 'bun:test'
import { service, type TestAccount } from '../../../test/support/service.ts'

/** Five memories are created an hour apart; `n` is the age in hours. */
const MEMORIES = [
  { memory: 'n1', user_id: 'ada', agent_id: 'x', session_id: 's1', priority: 'HIGH', categories: ['a', 'b'] },
  { memory: 'n2', user_id: 'ada', agent_id: 'y', priority: 'LOW', categories: ['b'] },
  { memory: 'n3', user_id: 'bob', agent_id: 'x', categories: ['c d'] },
  { memory: 'n4', user_id: 'bob', priority: 'HIGH', metadata: { k: 1 } },
  { memory: 'n5', user_id: 'cy', session_id: 's1', categories: ['a'] },
]
const NEWEST = Date.parse('2026-01-10T12:00:00.000Z')

let account: TestAccount

beforeAll(async () => {
  const running = await service()
  account = await running.account()
  for (const [index, memory] of MEMORIES.entries()) {
    const { body } = await account.client.post('/v1/memories', memory)
    const createdAt = new Date(NEWEST - index * 3_600_000)
    await running.database.workspace(
      account.workspaceId,
      tx => tx`update memories.memory set created_at = ${createdAt} where id = ${body.id}`,
    )
  }
})

async function texts(query: Record<string, string | number | readonly string[]>): Promise<string[]> {
  const { status, body } = await account.client.get('/v1/memories', { query })
  expect(status).toBe(200)
  return body.data.map((memory: { memory: string }) => memory.memory)
}

describe('GET /v1/memories', () => {
  test.each([
    [{ priorities: 'LOW,MEDIUM' }, ['n2', 'n3', 'n5']],
    [{ categories: 'b, c d' }, ['n1', 'n2', 'n3']],
    [{ user_id: 'ada', priority: 'LOW', categories: 'b', agent_id: 'y' }, ['n2']],
    [{ created_after: '2026-01-10T10:00:00Z' }, ['n1', 'n2', 'n3']],
    [{ created_before: '2026-01-10T09:00:00.000' }, ['n4', 'n5']],
    [{ created_after: '2026-01-10T11:00:00+02:00', created_before: '2026-01-10T10:59:59Z' }, ['n3', 'n4']],
    [{ created_after: '2026-01-10' }, ['n1', 'n2', 'n3', 'n4', 'n5']],
    [{ created_before: '2026-01-10' }, []],
    [{ created_after: '1900-01-01', created_before: '2200-01-01' }, ['n1', 'n2', 'n3', 'n4', 'n5']],
    [{ filter: '{"k": 1}' }, ['n4']],
    [{ filter: '{"k": {"exists": false}}', user_id: 'ada' }, ['n1', 'n2']],
    [{ filter: '{"k": {"in": [7, 8, 9, 10, 1]}, "deep.er": {"exists": false}}' }, ['n4']],
    [{ filter: '{}' }, ['n1', 'n2', 'n3', 'n4', 'n5']],
    [{ mode: 'keyword', expand: 'true' }, ['n1', 'n2', 'n3', 'n4', 'n5']],
  ])('filters by %j', async (query, expected) => {
    expect(await texts(query)).toEqual(expected)
    const { body } = await account.client.get('/v1/memories', { query: { ...query, page_size: 1 } })
    expect(body.total).toBe(expected.length)
  })

  test('pages without gaps or repeats, and is empty beyond the last page', async () => {
    const pages = [1, 2, 3, 4].map(page => texts({ page, page_size: 2 }))
    expect(await Promise.all(pages)).toEqual([['n1', 'n2'], ['n3', 'n4'], ['n5'], []])
    const { body } = await account.client.get('/v1/memories', { query: { page: 1_000_000, page_size: 100 } })
    expect(body).toMatchObject({ data: [], total: 5, page: 1_000_000 })
  })

  test.each([
    [{ page: 1_000_001 }, 'page'],
    [{ page_size: 0 }, 'page_size'],
    [{ priorities: 'LOW,URGENT' }, 'priorities.1'],
    [{ priorities: '' }, 'priorities'],
    [{ created_after: '2026-02-30' }, 'created_after'],
    [{ created_after: '1899-12-31' }, 'created_after'],
    [{ created_before: '9999-12-31T23:59:59-12:00' }, 'created_before'],
    [{ search: ' ' }, 'search'],
    [{ user_id: 'a\u0000' }, 'user_id'],
    [{ categories: 'a\u0000' }, 'categories.0'],
    [{ filter: 'k=1' }, 'filter'],
    [{ filter: '[1]' }, 'filter'],
    [{ filter: '{"k": {"like": "x"}}' }, 'filter.k.like'],
    [{ filter: `{"k": "${'x'.repeat(4000)}"}` }, 'filter'],
  ])('refuses %j and names the parameter', async (query, path) => {
    const { status, body } = await account.client.get('/v1/memories', { query })
    expect(status).toBe(400)
    expect(body.details.map((detail: { path: string }) => detail.path)).toContain(path)
  })

  test('shows only the own workspace, or another one the key may use if the request names it', async () => {
    const running = await service()
    const two = await running.account({ workspaces: 2 })
    const [, second = ''] = two.workspaceIds
    const client = await two.key({ workspaceIds: [second] })
    await client.post('/v1/memories', { memory: 'in the second', workspace_id: second })
    expect((await client.get('/v1/memories')).body.total).toBe(0)
    const named = await client.get('/v1/memories', { query: { workspace_id: second } })
    expect(named.body.data[0]).toMatchObject({ memory: 'in the second', workspace_id: second })
    const foreign = await client.get('/v1/memories', { query: { workspace_id: account.workspaceId } })
    expect([foreign.status, foreign.body.error_code]).toEqual([403, 'WORKSPACE_ACCESS_DENIED'])
  })

  test('leaves out a memory from the instant it expires', async () => {
    const running = await service()
    const { client, workspaceId } = await running.account()
    await client.post('/v1/memories', { memory: 'errand', layer: 'TASK' })
    expect((await client.get('/v1/memories')).body.total).toBe(1)
    await running.database.workspace(
      workspaceId,
      tx => tx`update memories.memory set expires_at = now() - interval '1 second'`,
    )
    expect((await client.get('/v1/memories')).body).toMatchObject({ data: [], total: 0 })
  })
})

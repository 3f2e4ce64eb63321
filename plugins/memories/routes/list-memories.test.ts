import { beforeAll, describe, expect, test } from 'bun:test'
import { service, type TestAccount } from '../../../test/support/service.ts'

/** Five memories, an hour apart; `n` is the age in hours. */
const MEMORIES = [
  { memory: 'n1', user_id: 'ada', agent_id: 'x', session_id: 's1', priority: 'HIGH', categories: ['a', 'b'] },
  { memory: 'n2', user_id: 'ada', agent_id: 'y', priority: 'LOW', categories: ['b'] },
  { memory: 'n3', user_id: 'bob', agent_id: 'x', categories: ['c d'] },
  { memory: 'n4', user_id: 'bob', priority: 'HIGH', metadata: { k: 1 } },
  { memory: 'n5', user_id: 'cy', session_id: 's1', categories: ['a'] },
]
const NEWEST = Date.parse('2026-01-10T12:00:00.000Z')

let account: TestAccount
let ids: string[]

beforeAll(async () => {
  const running = await service()
  account = await running.account()
  ids = []
  for (const [index, memory] of MEMORIES.entries()) {
    const { body } = await account.client.post('/v1/memories', memory)
    ids.push(body.id)
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
  test('lists newest first with every field of the list form', async () => {
    const { body } = await account.client.get('/v1/memories')
    expect(body).toMatchObject({ total: 5, page: 1, page_size: 10 })
    expect(body.data.map((memory: { memory: string }) => memory.memory)).toEqual(['n1', 'n2', 'n3', 'n4', 'n5'])
    expect(body.data[0]).toMatchObject({
      id: ids[0],
      memory: 'n1',
      user_id: 'ada',
      agent_id: 'x',
      session_id: 's1',
      priority: 'HIGH',
      categories: ['a', 'b'],
      metadata: null,
      workspace_id: account.workspaceId,
      source: 'API',
      relevance: 'NONE',
      created_at: '2026-01-10T12:00:00.000Z',
    })
    expect(body.data[0]).not.toHaveProperty('score')
  })

  test.each([
    [{ user_id: 'ada' }, ['n1', 'n2']],
    [{ agent_id: 'x' }, ['n1', 'n3']],
    [{ session_id: 's1' }, ['n1', 'n5']],
    [{ priority: 'HIGH' }, ['n1', 'n4']],
    [{ priorities: 'LOW,MEDIUM' }, ['n2', 'n3', 'n5']],
    [{ priorities: ['LOW', 'HIGH'] }, ['n1', 'n2', 'n4']],
    [{ priority: 'HIGH', priorities: 'LOW' }, ['n2']],
    [{ categories: 'a' }, ['n1', 'n5']],
    [{ categories: 'b, c d' }, ['n1', 'n2', 'n3']],
    [{ categories: 'none' }, []],
    [{ user_id: 'ada', priority: 'LOW', categories: 'b', agent_id: 'y' }, ['n2']],
    [{ user_id: 'ada', agent_id: 'nobody' }, []],
    [{ created_after: '2026-01-10T10:00:00Z' }, ['n1', 'n2', 'n3']],
    [{ created_before: '2026-01-10T09:00:00.000' }, ['n4', 'n5']],
    [{ created_after: '2026-01-10T11:00:00+02:00', created_before: '2026-01-10T10:59:59Z' }, ['n3', 'n4']],
    [{ created_after: '2026-01-10' }, ['n1', 'n2', 'n3', 'n4', 'n5']],
    [{ created_before: '2026-01-10' }, []],
    [{ created_after: '1900-01-01', created_before: '2200-01-01' }, ['n1', 'n2', 'n3', 'n4', 'n5']],
    [{ mode: 'keyword', expand: 'true' }, ['n1', 'n2', 'n3', 'n4', 'n5']],
  ])('filters by %j', async (query, expected) => {
    expect(await texts(query)).toEqual(expected)
    const { body } = await account.client.get('/v1/memories', { query: { ...query, page_size: 1 } })
    expect(body.total).toBe(expected.length)
  })

  test('pages without gaps or repeats, and a page beyond the last is empty', async () => {
    const pages = [1, 2, 3, 4].map(page => texts({ page, page_size: 2 }))
    expect(await Promise.all(pages)).toEqual([['n1', 'n2'], ['n3', 'n4'], ['n5'], []])
    const { body } = await account.client.get('/v1/memories', { query: { page: 1_000_000, page_size: 100 } })
    expect(body).toMatchObject({ data: [], total: 5, page: 1_000_000 })
  })

  test.each([
    [{ page: 0 }, 'page'],
    [{ page: 'two' }, 'page'],
    [{ page: 1.5 }, 'page'],
    [{ page: 1_000_001 }, 'page'],
    [{ page_size: 101 }, 'page_size'],
    [{ page_size: 0 }, 'page_size'],
    [{ priority: 'URGENT' }, 'priority'],
    [{ priorities: 'LOW,URGENT' }, 'priorities.1'],
    [{ priorities: '' }, 'priorities'],
    [{ created_after: '2026-02-30' }, 'created_after'],
    [{ created_after: '1899-12-31' }, 'created_after'],
    [{ created_before: '9999-12-31T23:59:59-12:00' }, 'created_before'],
    [{ created_before: 'yesterday' }, 'created_before'],
    [{ mode: 'fuzzy' }, 'mode'],
    [{ expand: 'maybe' }, 'expand'],
    [{ search: ' ' }, 'search'],
    [{ user_id: 'a\u0000' }, 'user_id'],
    [{ categories: 'a\u0000' }, 'categories.0'],
    [{ workspace_id: 'mine' }, 'workspace_id'],
    [{ user: 'ada' }, 'user'],
  ])('refuses %j and names the parameter', async (query, path) => {
    const { status, body } = await account.client.get('/v1/memories', { query })
    expect(status).toBe(400)
    expect(body.details.map((detail: { path: string }) => detail.path)).toContain(path)
  })

  test('refuses a search of more than 1,000 characters', async () => {
    const { status, body } = await account.client.get('/v1/memories', { query: { search: '🎉'.repeat(1001) } })
    expect([status, body.details[0].path]).toEqual([400, 'search'])
  })

  test('shows nothing of another workspace, and another one that the key may use when it is named', async () => {
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
    await running.database.workspace(workspaceId, tx => tx`update memories.memory set expires_at = now()`)
    expect((await client.get('/v1/memories')).body).toMatchObject({ data: [], total: 0 })
  })

  test('needs memory.read', async () => {
    const writer = await account.key({ permissions: ['memory.write'] })
    expect((await writer.get('/v1/memories', { query: { page: 0 } })).body.error_code).toBe('FORBIDDEN')
  })
})

import { describe, expect, test } from 'bun:test'
import { service } from '../../../test/support/service.ts'
import { DEFAULT_BALANCE } from '../ranking/signals.ts'

const PATH = '/v1/search/balance'

/** Creates an account whose workspace has a learned balance. */
async function learned() {
  const { account, database } = await service()
  const made = await account({ workspaces: 2 })
  await database.workspace(
    made.workspaceId,
    tx => tx`
      insert into search.balance (
        workspace_id, recency, priority, fitted_at, signals, effect_before, effect_after, effect_queries, checked_at, outcome
      )
      values (
        ${made.workspaceId}, 0.36, 0.03, now() - interval '90 seconds', 84, 0.71234, 0.8, 41, now(), 'NOT_BETTER'
      )`,
  )
  return made
}

describe('GET /v1/search/balance', () => {
  test('returns the default until something is learned', async () => {
    const { client } = await (await service()).account()
    const { status, body } = await client.get(PATH)
    expect(status).toBe(200)
    expect(body).toEqual({
      relevance: 1,
      ...DEFAULT_BALANCE,
      default: { relevance: 1, ...DEFAULT_BALANCE },
      fitted_at: null,
      age_seconds: null,
      signals: 0,
      effect: null,
      checked_at: null,
      outcome: null,
    })
  })

  test('returns the learned balance with its age and effect', async () => {
    const { client, workspaceIds, key } = await learned()
    const { body } = await client.get(PATH)
    expect(body).toMatchObject({
      relevance: 1,
      recency: 0.36,
      priority: 0.03,
      default: DEFAULT_BALANCE,
      signals: 84,
      effect: { before: 0.7123, after: 0.8, queries: 41 },
      outcome: 'NOT_BETTER',
    })
    expect(body.age_seconds).toBeWithin(90, 150)
    expect(Date.parse(body.checked_at) - Date.parse(body.fitted_at)).toBeWithin(89_000, 91_000)
    const both = await key({ permissions: ['dashboard.read'], workspaceIds })
    const [own, other = ''] = workspaceIds
    const recency = async (id = '') => (await both.get(PATH, { query: { workspace_id: id } })).body.recency
    expect([await recency(own), await recency(other)]).toEqual([0.36, DEFAULT_BALANCE.recency])
  })
})

describe('DELETE /v1/search/balance', () => {
  test('restores the default, repeatedly', async () => {
    const { client } = await learned()
    for (let time = 0; time < 2; time++) {
      const { status, body } = await client.delete(PATH)
      expect([status, body]).toEqual([204, ''])
    }
    expect((await client.get(PATH)).body).toMatchObject({
      ...DEFAULT_BALANCE,
      fitted_at: null,
      signals: 0,
      effect: null,
      outcome: null,
    })
  })

  test('leaves other workspaces unchanged', async () => {
    const [mine, theirs] = [await learned(), await learned()]
    await mine.client.delete(PATH)
    expect((await theirs.client.get(PATH)).body.recency).toBe(0.36)
  })
})

describe.each(['GET', 'DELETE'] as const)('%s /v1/search/balance', method => {
  const permission = { GET: 'dashboard.read', DELETE: 'workspace.write' }[method]

  test('is 400 for a malformed workspace id and for unknown parameters', async () => {
    const { client } = await (await service()).account()
    for (const query of [{ workspace_id: 'first' }, { relevance: 2 }]) {
      const { status, body } = await client.request(method, PATH, { query })
      expect([status, body.error_code]).toEqual([400, 'VALIDATION_ERROR'])
    }
  })

  test(`is 403 without ${permission}, and for a workspace of someone else`, async () => {
    const { account } = await service()
    const [mine, theirs] = [await account(), await account()]
    const limited = await mine.key({ permissions: ['memory.read', 'memory.write'] })
    expect((await limited.request(method, PATH)).body.error_code).toBe('FORBIDDEN')
    const able = await mine.key({ permissions: [permission] })
    expect((await able.request(method, PATH)).status).toBe(method === 'GET' ? 200 : 204)
    const denied = await able.request(method, PATH, { query: { workspace_id: theirs.workspaceId } })
    expect([denied.status, denied.body.error_code]).toEqual([403, 'WORKSPACE_ACCESS_DENIED'])
  })
})

import { beforeAll, describe, expect, test } from 'bun:test'
import { Type } from '@sinclair/typebox'
import { bind, definePlugin, extend, PLUGIN_API_VERSION, type PluginContext, type Tenant } from 'mneme/plugin'
import { eraseTypes } from '../../core/plugin.ts'
import { startService, type TestAccount, type TestService } from '../../test/support/service.ts'
import {
  type FeedbackSignal,
  memoryFeedback,
  memoryFilters,
  memoryProfiles,
  memoryReader,
  memorySearch,
  memoryWriter,
  type NewMemory,
  type SearchRequest,
} from './contract.ts'
import { memoriesPlugin } from './index.ts'

/** The state that the companion plugin shares with the tests. */
const companion = {
  searches: [] as SearchRequest[],
  signals: [] as FeedbackSignal[],
  context: undefined as PluginContext<unknown> | undefined,
}

const companionPlugin = definePlugin({
  id: 'companion',
  version: '1.0.0',
  apiVersion: PLUGIN_API_VERSION,
  requires: ['memories'],
  provides: [memorySearch, memoryProfiles],
  setup(context) {
    companion.context = context
    return {
      scope: null,
      ports: [
        bind(memorySearch, {
          async search(_, request) {
            companion.searches.push(request)
            return { data: [], total: 0, page: request.page, page_size: request.pageSize, query_hash: 'h' }
          },
        }),
        bind(memoryProfiles, {
          profile: async ({ workspaceId }, userId) =>
            userId === 'ada'
              ? {
                  userId,
                  workspaceId,
                  summary: 's',
                  topics: ['t'],
                  entityCount: 1,
                  extractedAt: '2026-01-01T00:00:00.000Z',
                }
              : null,
        }),
      ],
      extensions: [
        extend(memoryFeedback, { id: 'listening', received: async (_, signal) => void companion.signals.push(signal) }),
        extend(memoryFilters, {
          id: 'lettered',
          parameters: Type.Object({ letter: Type.Optional(Type.String({ maxLength: 1 })) }),
          passing: (_, { letter }) => ({
            select: (tx, workspaceId) => tx`
              select id from memories.memory where workspace_id = ${workspaceId} and text like ${`${letter}%`}`,
          }),
        }),
      ],
    }
  },
})

let running: TestService
let account: TestAccount
let tenant: Tenant

beforeAll(async () => {
  running = await startService(
    { WORKERS: 'none' },
    { builtIn: [eraseTypes(memoriesPlugin), eraseTypes(companionPlugin)] },
  )
  account = await running.account()
  tenant = await kernelOf().tenants.tenant(account.workspaceId)
})

function kernelOf(): PluginContext<unknown> {
  if (!companion.context) throw new Error('the companion was not set up')
  return companion.context
}

async function write(memories: readonly NewMemory[]) {
  const writer = kernelOf().wiring.use(memoryWriter)
  const prepared = await writer.prepare(tenant, memories)
  return tenant.transaction(tx => writer.create(tx, tenant, prepared))
}

describe('the search port', () => {
  test('serves lists with a search and passes every filter', async () => {
    const { status, body } = await account.client.get('/v1/memories', {
      query: {
        search: 'tea',
        user_id: 'ada',
        agent_id: 'x',
        session_id: 's',
        priority: 'LOW',
        priorities: 'HIGH,MEDIUM',
        categories: ['a', 'b'],
        created_after: '2026-01-01',
        created_before: '2026-02-01T00:00:00+01:00',
        mode: 'keyword',
        expand: true,
        page: 2,
        page_size: 5,
      },
    })
    expect([status, body]).toEqual([200, { data: [], total: 0, page: 2, page_size: 5, query_hash: 'h' }])
    expect(companion.searches.at(-1)).toEqual({
      query: 'tea',
      mode: 'keyword',
      expand: true,
      explain: false,
      page: 2,
      pageSize: 5,
      filter: {
        userId: 'ada',
        agentId: 'x',
        sessionId: 's',
        priorities: ['HIGH', 'MEDIUM'],
        categories: ['a', 'b'],
        createdAfter: new Date('2026-01-01T00:00:00.000Z'),
        createdBefore: new Date('2026-01-31T23:00:00.000Z'),
      },
    })
  })
})

describe('filters of other plugins', () => {
  test('narrow lists and searches, and are validated like built-in parameters', async () => {
    const { client } = await running.account()
    for (const memory of ['apple', 'avocado', 'banana']) await client.post('/v1/memories', { memory })
    const { body } = await client.get('/v1/memories', { query: { letter: 'a' } })
    expect(body.data.map((memory: { memory: string }) => memory.memory)).toEqual(['avocado', 'apple'])
    expect((await client.get('/v1/memories', { query: { letter: 'z' } })).body).toMatchObject({ data: [], total: 0 })
    expect((await client.get('/v1/memories', { query: { letter: 'ab' } })).status).toBe(400)
    await client.get('/v1/memories', { query: { letter: 'b', search: 'x' } })
    expect(companion.searches.at(-1)?.filter.added).toMatchObject([{ names: ['letter'] }])
  })
})

describe('the profile port', () => {
  test("gives a user's profile, or null", async () => {
    const profileOf = async (userId: string) =>
      (await account.client.get(`/v1/memories/profile/${account.workspaceId}/${userId}`)).body.profile
    expect(await profileOf('ada')).toMatchObject({ userId: 'ada', workspaceId: account.workspaceId, summary: 's' })
    expect(await profileOf('bob')).toBeNull()
  })
})

describe('feedback', () => {
  test('reaches its listeners', async () => {
    const { body } = await account.client.post('/v1/memories', { memory: 'liked' })
    await account.client.post(`/v1/memories/${body.id}/feedback`, { signal: 'POSITIVE', query_hash: 'h' })
    await account.client.post(`/v1/memories/${body.id.toUpperCase()}/feedback`, { rating: 'NEGATIVE' })
    expect(companion.signals).toEqual([
      { workspaceId: account.workspaceId, memoryId: body.id, signal: 'POSITIVE', queryHash: 'h' },
      { workspaceId: account.workspaceId, memoryId: body.id, signal: 'NEGATIVE', queryHash: null },
    ])
  })
})

describe('the writer port', () => {
  test('creates in the order given, names the memory that has an existing text, and keeps the source', async () => {
    const [first, again, other] = await write([
      { text: 'chunk one', source: 'INGEST', userId: 'ada', categories: ['doc'] },
      { text: ' chunk one', source: 'INGEST' },
      { text: 'chunk two', source: 'INGEST', layer: 'TASK', expiresAt: new Date('2999-01-01T00:00:00Z') },
    ])
    if (!first || !('created' in first) || !other || !('created' in other)) throw new Error('not created')
    expect(again).toMatchObject({ duplicateOf: first.created.id })
    expect(first.created).toMatchObject({ text: 'chunk one', userId: 'ada', status: 'PENDING', revision: 1 })
    const shown = (await account.client.get(`/v1/memories/${other.created.id}`)).body
    expect(shown).toMatchObject({ source: 'INGEST', user_id: 'default', expires_at: '2999-01-01T00:00:00.000Z' })
  })

  test("stores nothing when the caller's transaction fails", async () => {
    const before = (await account.client.get('/v1/memories')).body.total
    const writer = kernelOf().wiring.use(memoryWriter)
    const prepared = await writer.prepare(tenant, [{ text: 'never', source: 'IMPORT' }])
    const failing = tenant.transaction(async tx => {
      await writer.create(tx, tenant, prepared)
      throw new Error('after it')
    })
    await expect(failing).rejects.toThrow('after it')
    expect((await account.client.get('/v1/memories')).body.total).toBe(before)
  })
})

describe('the reader port', () => {
  test('reads visible memories of the workspace as records and list items, and texts of earlier revisions', async () => {
    const reader = kernelOf().wiring.use(memoryReader)
    const { client, workspaceId } = await running.account()
    const own = await kernelOf().tenants.tenant(workspaceId)
    const create = async (body: object) => (await client.post('/v1/memories', body)).body.id
    const id = await create({ memory: 'v1', metadata: { k: 1 } })
    const expired = await create({ memory: 'errand', layer: 'TASK' })
    await client.put(`/v1/memories/${id}`, { memory: 'v2' })
    await running.database.workspace(
      workspaceId,
      tx => tx`update memories.memory set expires_at = now() - interval '1 second' where id = ${expired}`,
    )
    const ids = [id, expired, crypto.randomUUID()]
    const [records, listed, first, second, third] = await own.transaction(async tx => [
      await reader.records(tx, ids),
      await reader.listed(tx, ids),
      await reader.textAt(tx, id, 1),
      await reader.textAt(tx, id, 2),
      await reader.textAt(tx, id, 3),
    ])
    expect(records).toMatchObject([{ id, text: 'v2', revision: 2, metadata: { k: 1 }, createdAt: expect.any(Date) }])
    expect([...(listed?.keys() ?? [])]).toEqual([id])
    expect(listed?.get(id)).toMatchObject({ memory: 'v2', relevance: 'NONE', workspace_id: workspaceId })
    expect([first, second, third]).toEqual(['v1', 'v2', undefined])
    expect(await tenant.transaction(tx => reader.records(tx, ids))).toEqual([])
    expect(await own.transaction(tx => reader.records(tx, []))).toEqual([])
  })
})

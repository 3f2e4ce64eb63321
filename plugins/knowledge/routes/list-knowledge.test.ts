import { beforeAll, describe, expect, test } from 'bun:test'
import type { Json } from '../../../test/support/client.ts'
import { idleService } from '../../../test/support/service.ts'
import { type KnowledgeWorld, knowledgeWorld } from '../world.test-support.ts'

let world: KnowledgeWorld

beforeAll(async () => {
  world = await knowledgeWorld()
  world.say('Ada prefers running shoes.')
  world.say('Ada plays the cello.', { categories: ['personal'] })
  await world.compile('ada', 'preferences', 'personal')
  world.statements.length = 0
  world.say('Bo likes 東京駅の弁当。')
  await world.compile('bo', 'preferences')
})

const list = async (query: Record<string, string | number | boolean>) => {
  const { status, body } = await world.client.get('/v1/knowledge', { query })
  expect(status).toBe(200)
  return body
}
const found = (body: Json) => body.data.map((entry: Json) => `${entry.user_id} ${entry.category}`).toSorted()

describe('GET /v1/knowledge', () => {
  test('lists entries in the envelope, newest first', async () => {
    const body = await list({})
    expect({ ...body, data: body.data.length }).toEqual({ data: 3, total: 3, page: 1, page_size: 20 })
    expect(body.data[0].user_id).toBe('bo')
    expect(body.data[0]).toEqual({
      id: expect.any(String),
      user_id: 'bo',
      category: 'preferences',
      content: expect.stringContaining('東京駅'),
      version: 1,
      created_at: expect.stringMatching(/Z$/),
      updated_at: expect.stringMatching(/Z$/),
    })
    const pages = await Promise.all([1, 2, 3, 4].map(page => list({ page, page_size: 1 })))
    expect(pages.flatMap(page => page.data)).toEqual(body.data)
    expect(pages.map(({ total }) => total)).toEqual([3, 3, 3, 3])
  })

  test('filters by user and category', async () => {
    expect(found(await list({ user_id: 'ada' }))).toEqual(['ada personal', 'ada preferences'])
    expect(found(await list({ category: 'preferences' }))).toEqual(['ada preferences', 'bo preferences'])
    expect(found(await list({ user_id: 'ada', category: 'preferences' }))).toEqual(['ada preferences'])
    expect(found(await list({ user_id: 'nobody' }))).toEqual([])
  })

  test('searches the content: every word, inflected or not, and parts of what has no spaces', async () => {
    expect(found(await list({ search: 'shoe run' }))).toEqual(['ada preferences'])
    expect(found(await list({ search: 'CELLO' }))).toEqual(['ada personal'])
    expect(found(await list({ search: 'cello shoes' }))).toEqual([])
    expect(found(await list({ search: '京駅' }))).toEqual(['bo preferences'])
    expect(found(await list({ search: '弁' }))).toEqual(['bo preferences'])
    expect(found(await list({ search: '駅東' }))).toEqual([])
    expect(found(await list({ search: '!?' }))).toEqual([])
    expect(found(await list({ search: 'ada', category: 'personal' }))).toEqual(['ada personal'])
  })

  test('does not search the comments', async () => {
    const [id = ''] = world.statements.map(({ memoryId }) => memoryId)
    for (const search of ['memories', id, id.slice(0, 8)]) expect(found(await list({ search }))).toEqual([])
  })

  test('merges entries into one profile', async () => {
    const all = (await list({ user_id: 'ada' })).data
    const merged = await list({ user_id: 'ada', merged: true })
    expect(merged).toEqual({
      content: expect.stringMatching(/^# Personal\n[^#]*\n# Preferences\n/),
      version: all.reduce((sum: number, { version }: Json) => sum + version, 0),
      categories: ['personal', 'preferences'],
    })
    expect((await list({ merged: true })).version).toBe(3)
    expect(await list({ merged: true, user_id: 'nobody' })).toEqual({ content: '', version: 0, categories: [] })
  })

  test('is 400 for what it does not know', async () => {
    const queries = [
      { page: 0 },
      { page_size: 101 },
      { merged: 'maybe' },
      { search: ' ' },
      { user: 'ada' },
      { category: '' },
    ]
    for (const query of queries) {
      const { status, body } = await world.client.get('/v1/knowledge', { query })
      expect([query, status, body.error_code]).toEqual([query, 400, 'VALIDATION_ERROR'])
    }
  })

  test('is 401 without a key, 403 without knowledge.read or the plan feature', async () => {
    const { anonymous, account } = await idleService()
    expect((await anonymous.get('/v1/knowledge')).status).toBe(401)
    const blind = await world.account.key({ permissions: ['memory.read', 'knowledge.write', 'knowledge.delete'] })
    expect((await blind.get('/v1/knowledge')).body.error_code).toBe('FORBIDDEN')
    const { client } = await account({ plan: 'free' })
    expect((await client.get('/v1/knowledge')).body.error_code).toBe('FEATURE_NOT_ENABLED')
  })

  test('shows nothing of another workspace', async () => {
    const { client } = await (await idleService()).account()
    expect((await client.get('/v1/knowledge')).body.total).toBe(0)
    expect((await client.get('/v1/knowledge', { query: { search: 'cello' } })).body.total).toBe(0)
    expect((await client.get('/v1/knowledge', { query: { merged: true } })).body.content).toBe('')
  })
})

import { describe, expect, test } from 'bun:test'
import { service } from '../../../test/support/service.ts'
import { until } from '../../../test/support/wait.ts'
import { listed, processed, remember } from './world.test-support.ts'

const client = async () => (await (await service()).account()).client

describe('a near-duplicate', () => {
  test('is merged into the older memory, which keeps its id, its text and all categories, and the higher priority', async () => {
    const api = await client()
    const older = await remember(api, 'Ada prefers dark mode', { categories: ['ui', 'work'], priority: 'LOW' })
    const younger = await remember(api, 'ada prefers dark mode!', { categories: ['work', 'editor'], priority: 'HIGH' })
    expect(younger).toMatchObject({
      status: 'COMPLETED',
      consolidated_into: older.id,
      memory: 'ada prefers dark mode!',
    })
    expect(younger).toMatchObject({ categories: ['work', 'editor'], priority: 'HIGH' })
    const survivor = await processed(api, older.id)
    expect(survivor).toMatchObject({ memory: 'Ada prefers dark mode', consolidated_into: null, priority: 'HIGH' })
    expect(survivor.categories).toEqual(['ui', 'work', 'editor'])
    expect(survivor.created_at).toBe(older.created_at)
    expect(Date.parse(survivor.updated_at)).toBeGreaterThan(Date.parse(older.updated_at))
  })

  test('may differ in punctuation, emphasis and the place of a time, and in no number, name, date or negation', async () => {
    const api = await client()
    const garage = await remember(api, 'Nora parks in the blue garage on weekdays.')
    const walks = await remember(api, 'I enjoy long walks in the hills.')
    for (const [memory, into] of [
      ['Nora parks in the blue garage, on weekdays!', garage.id],
      ['On weekdays, Nora parks in the blue garage', garage.id],
      ['I really enjoy long walks in the hills', walks.id],
      ['Nora parks in the blue garage 2 on weekdays.', null],
      ['Cora parks in the blue garage on weekdays.', null],
      ['Nora parks in the blue garage on Mondays.', null],
      ['I hardly enjoy long walks in the hills.', null],
      ['I do not really enjoy long walks in the hills.', null],
    ] as const) {
      expect([memory, (await remember(api, memory)).consolidated_into]).toEqual([memory, into])
    }
  })

  test('disappears from lists, counts, categories and search, and the survivor is found by all its categories', async () => {
    const api = await client()
    const older = await remember(api, 'Tea is served at noon', { user_id: 'ada', categories: ['a'] })
    const younger = await remember(api, 'Tea is served at noon.', { user_id: 'ada', categories: ['b'] })
    await processed(api, older.id)
    expect(await listed(api)).toEqual([older.memory])
    expect(await listed(api, { categories: 'b' })).toEqual([older.memory])
    expect((await api.get('/v1/memories')).body.total).toBe(1)
    expect((await api.get('/v1/memories/entities')).body).toEqual([{ type: 'user', id: 'ada', count: 1 }])
    for (const mode of ['keyword', 'semantic', 'hybrid']) {
      const { body } = await api.post('/v1/memories/search', { query: 'tea at noon', mode })
      expect(body.data.map((memory: { id: string }) => memory.id)).toEqual([older.id])
    }
    const filtered = await api.post('/v1/memories/search', { query: 'tea', categories: ['b'] })
    expect(filtered.body.data.map((memory: { id: string }) => memory.id)).toEqual([older.id])
    expect((await api.put(`/v1/memories/${younger.id}`, { memory: 'x' })).body.error_code).toBe('MEMORY_CONSOLIDATED')
  })

  test("is recorded in the survivor's history, in its own, and in one event", async () => {
    const { account, database } = await service()
    const { client: api } = await account()
    const older = await remember(api, 'I am a vegetarian')
    const younger = await remember(api, "I'm a vegetarian, thanks")
    const history = async (id: string) => (await api.get(`/v1/memories/${id}/history`)).body.data
    expect(await history(older.id)).toMatchObject([
      { event: 'CREATED' },
      { event: 'CONSOLIDATED', old_content: younger.memory, new_content: older.memory, absorbed_id: younger.id },
    ])
    expect(await history(younger.id)).toMatchObject([{ event: 'CREATED', new_content: younger.memory }])
    const events = await database.system(
      tx => tx`select data from core.event where kind = 'memory.consolidated' and subject_id = ${older.id}`,
    )
    expect(events.map(event => event.data)).toEqual([
      { id: older.id, user_id: 'default', revision: 1, consolidated_ids: [younger.id] },
    ])
  })

  test('frees its exact text, and a new copy is merged into the same survivor', async () => {
    const api = await client()
    const older = await remember(api, 'Ada drinks tea')
    const second = await remember(api, 'Ada drinks tea.')
    const third = await remember(api, 'Ada drinks tea.')
    const fourth = await remember(api, 'ADA DRINKS TEA')
    expect([second, third, fourth].map(memory => memory.consolidated_into)).toEqual(Array(3).fill(older.id))
  })

  test('made by an update is merged too, the younger into the older', async () => {
    const api = await client()
    const first = await remember(api, 'Ben likes cats')
    const second = await remember(api, 'Ben likes dogs')
    const third = await remember(api, 'Ben likes birds')
    await api.put(`/v1/memories/${third.id}`, { memory: 'ben likes dogs' })
    expect((await processed(api, third.id)).consolidated_into).toBe(second.id)
    await api.put(`/v1/memories/${first.id}`, { memory: 'BEN LIKES DOGS' })
    await processed(api, first.id)
    expect((await processed(api, second.id)).consolidated_into).toBe(first.id)
    expect((await processed(api, third.id)).consolidated_into).toBe(second.id)
    expect(await listed(api)).toEqual(['BEN LIKES DOGS'])
  })

  test('is merged within limits: a survivor has at most 20 categories', async () => {
    const api = await client()
    const many = (prefix: string) => Array.from({ length: 15 }, (_, n) => `${prefix}${n}`)
    const older = await remember(api, 'Full of categories', { categories: many('a') })
    await remember(api, 'Full of categories!', { categories: many('b') })
    expect((await processed(api, older.id)).categories).toEqual([...many('a'), ...many('b').slice(0, 5)])
  })
})

describe('memories stay apart', () => {
  test.each([
    ['users', { user_id: 'a' }, { user_id: 'b' }],
    ['agents', { agent_id: 'a' }, { agent_id: 'b' }],
    ['an agent and none', { agent_id: 'a' }, {}],
    ['layers', { layer: 'TASK' }, { layer: 'RAW' }],
    ['expiry', { layer: 'TASK', expires_at: '2099-01-01' }, { layer: 'TASK', expires_at: '2099-01-02' }],
    ['metadata', { metadata: { source: 'mail' } }, { metadata: { source: 'chat' } }],
    ['metadata that the older has none of', {}, { metadata: { source: 'chat' } }],
  ])('of different %s', async (_, one, other) => {
    const api = await client()
    await remember(api, 'The kettle is green', one)
    const younger = await remember(api, 'The kettle is green.', other)
    expect(younger.consolidated_into).toBeNull()
    expect(await listed(api)).toHaveLength(2)
  })

  test('that differ in a number, a date, a name or a negation', async () => {
    const api = await client()
    const texts = [
      'Ada has 2 cats',
      'Ada has 3 cats',
      'Ada has two cats',
      'Eva has 2 cats',
      'Ada has no cats',
      'Ada had 2 cats',
    ]
    await Promise.all(texts.map(text => remember(api, text)))
    expect((await listed(api)).sort()).toEqual([...texts].sort())
  })

  test('while the workspace has consolidation switched off', async () => {
    const { client: api, workspaceId } = await (await service()).account()
    const set = (consolidation: boolean) => api.patch(`/v1/workspaces/${workspaceId}`, { settings: { consolidation } })
    expect((await set(false)).body.settings.consolidation).toBe(false)
    const first = await remember(api, 'Rain falls in Bergen')
    expect((await remember(api, 'rain falls in Bergen')).consolidated_into).toBeNull()
    expect((await set(true)).status).toBe(200)
    let told = 0
    const third = await until('the setting is known', async () => {
      const memory = await remember(api, `Rain falls in Bergen${'!'.repeat(++told)}`)
      return memory.consolidated_into !== null && memory
    })
    expect(third.consolidated_into).toBe(first.id)
  })

  test('but are merged across sessions and with metadata that adds nothing', async () => {
    const api = await client()
    const older = await remember(api, 'The lamp is red', { session_id: 's1', metadata: { a: { b: [1] }, c: 2 } })
    const younger = await remember(api, 'the lamp is red', { session_id: 's2', metadata: { a: { b: [1] } } })
    expect(younger.consolidated_into).toBe(older.id)
  })
})

describe('deletion', () => {
  test('of the survivor deletes the memories it absorbed', async () => {
    const api = await client()
    const older = await remember(api, 'The door is open')
    const younger = await remember(api, 'the door is open')
    expect((await api.delete(`/v1/memories/${older.id}`)).status).toBe(204)
    expect((await api.get(`/v1/memories/${younger.id}`)).status).toBe(404)
  })

  test('of the absorbed memory removes its history entry and its fields from the survivor, which keeps its text', async () => {
    const api = await client()
    const older = await remember(api, 'The door is shut', { categories: ['own'] })
    const younger = await remember(api, 'the door is shut', { categories: ['brought'], priority: 'HIGH' })
    await processed(api, older.id)
    expect((await api.delete(`/v1/memories/${younger.id}`)).status).toBe(204)
    const survivor = await processed(api, older.id)
    expect(survivor).toMatchObject({ memory: 'The door is shut', categories: ['own'], priority: 'MEDIUM' })
    const { body } = await api.get(`/v1/memories/${older.id}/history`)
    expect(body.data.map((event: { event: string }) => event.event)).toEqual(['CREATED'])
  })
})
